// Selectors: how an element is found again when its id is gone. Each step finds exactly one element in one document or
// shadow root, and the next goes on inside it.

// Ids that frameworks count up: another one after the next load.
const MADE_UP = /:r|\d{3,}|[0-9a-f]{8}|^(ember|react|mui|radix|headlessui|input|vaadin|v-)[\w-]*\d/i;
const DEEPEST = 6;

// A string of CSS: what would end it, or a line, is escaped.
const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&").replace(/[\0-\x1f]/g, (c) => `\\${c.charCodeAt(0).toString(16)} `)}"`;

function* marksOf(element) {
  const tag = CSS.escape(element.localName);
  for (const name of TEST_IDS) if (element.getAttribute(name)) yield `[${name}=${quoted(element.getAttribute(name))}]`;
  if (element.id && !MADE_UP.test(element.id)) yield `#${CSS.escape(element.id)}`;
  for (const name of ["name", "aria-label"]) {
    if (element.getAttribute(name)) yield `${tag}[${name}=${quoted(element.getAttribute(name))}]`;
  }
}

function isOnly(scope, selector, element) {
  const found = scope.querySelectorAll(selector);
  return found.length === 1 && found[0] === element;
}

function placeAmong(element) {
  const tag = CSS.escape(element.localName);
  const like = [...(element.parentNode?.children ?? [])].filter((one) => one.localName === element.localName);
  return like.length > 1 ? `${tag}:nth-of-type(${like.indexOf(element) + 1})` : tag;
}

// By what is written on it; else by its place below the nearest element that can be told apart; else by its place alone.
function stepTo(scope, element) {
  for (const selector of marksOf(element)) if (isOnly(scope, selector, element)) return selector;
  let path = placeAmong(element);
  let alone = isOnly(scope, path, element) ? path : null;
  let at = element.parentElement;
  for (let level = 0; at && level < DEEPEST; at = at.parentElement, level++) {
    for (const selector of marksOf(at)) {
      const step = `${selector} > ${path}`;
      if (isOnly(scope, selector, at) && isOnly(scope, step, element)) return step;
    }
    path = `${placeAmong(at)} > ${path}`;
    alone ??= isOnly(scope, path, element) ? path : null;
  }
  return alone;
}

function frameAround(scope) {
  try {
    return scope.defaultView?.frameElement ?? null;
  } catch {
    return null;
  }
}

// -> the steps from the top of this world to an element; null when nothing tells it apart
function selectorOf(k) {
  const element = lookUp(k);
  if (!element?.isConnected) return null;
  const steps = [];
  for (let at = element; at; ) {
    const scope = at.getRootNode();
    const step = stepTo(scope, at);
    if (step === null) return null;
    steps.unshift(step);
    at = scope.host ?? frameAround(scope);
  }
  return steps;
}

// -> {keys} of all that the steps find; or, where they lead into a frame that is seen by another eye, {frame, used}
function select(steps) {
  let scopes = [document];
  for (const [index, step] of steps.entries()) {
    let found;
    try {
      found = scopes.flatMap((scope) => [...scope.querySelectorAll(step)]);
    } catch {
      return { wrong: step };
    }
    if (index === steps.length - 1) return { keys: found.slice(0, 20).map(key) };
    const frames = found.filter(isFrame);
    if (found.length === 1 && frames.length === 1 && !frameDocument(frames[0])) {
      return { frame: key(frames[0]), used: index + 1 };
    }
    scopes = found.map((element) => rootOf(element) ?? frameDocument(element)).filter(Boolean);
  }
  return { keys: [] };
}
