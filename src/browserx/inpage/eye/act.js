// Before and after an action: is the element fit to be acted on, where, and what did the action do.

const frame = () => new Promise((resolve) => {
  // A hidden page draws no frames; a timer is the bound, not the rule.
  const timer = setTimeout(resolve, 150);
  requestAnimationFrame(() => {
    clearTimeout(timer);
    resolve();
  });
});

// The part of an element's box that every clipping ancestor and the viewport let through.
function visiblePart(el) {
  let part = boxOf(el).cut(new Box(0, 0, innerWidth, innerHeight));
  let position = getComputedStyle(el).position;
  for (let up = parentOf(el); up; up = parentOf(up)) {
    if (up.nodeType !== 1) continue;
    const style = getComputedStyle(up);
    if (isFrame(up)) {
      part = part.cut(contentBox(up, placeOf(up)));
      position = style.position;
      continue;
    }
    const holds = style.position !== "static" || style.transform !== "none" || style.filter !== "none";
    if (position === "fixed" ? style.transform === "none" && style.filter === "none" : position === "absolute" && !holds) continue;
    const clips = style.overflowX !== "visible" || style.overflowY !== "visible";
    if (clips && style.display !== "inline" && style.display !== "contents" && !takesViewport(up, up.localName)) {
      const edges = placeOf(up).box(up.getBoundingClientRect());
      part = part.cut(new Box(style.overflowX === "visible" ? -Infinity : edges.x1, style.overflowY === "visible" ? -Infinity : edges.y1,
        style.overflowX === "visible" ? Infinity : edges.x2, style.overflowY === "visible" ? Infinity : edges.y2));
    }
    position = style.position;
  }
  return part;
}

// What stands for a control that cannot be seen itself.
function standIn(el) {
  if (el.localName === "area") return pictureOf(el);
  if (!isProxied(el)) return null;
  const drawing = drawingOf(el);
  if (drawing) return drawing;
  return labelsOf(el).find((label) => label.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && label.getBoundingClientRect().width >= 1) ?? null;
}

const sameBox = (a, b) => Math.abs(a.x1 - b.x1) <= 1 && Math.abs(a.y1 - b.y1) <= 1 && Math.abs(a.x2 - b.x2) <= 1 && Math.abs(a.y2 - b.y2) <= 1;

// Two frames in the same place; three more for one that was seen to move. A box that is where the last look saw it has
// been there for longer than that.
async function isSteady(el, seen) {
  let before = boxOf(el);
  if (seen && sameBox(before, new Box(seen[0], seen[1], seen[0] + seen[2], seen[1] + seen[3]))) return true;
  let still = 0;
  let needed = 1;
  for (let frames = 0; frames < 40; frames++) {
    await frame();
    const now = boxOf(el);
    if (sameBox(before, now)) {
      if (++still >= needed) return true;
    } else {
      still = 0;
      needed = 3;
    }
    before = now;
  }
  return false;
}

const ALIGN = ["center", "start", "end"];

// -> {ok: true, point, box, …} or {ok: false, why, by, byText}. `seen` is the box of the last look, `known` the role and
// name it told, if it has them; with `shown` false nobody need see it; with `byKeys` an editor counts as editable that takes
// its keys in a field out of sight.
async function prepare(k, { seen = null, known = null, shown = true, enabled = true, pointer = true, offset = null,
  editable = false, byKeys = false, ignoreOptOut = false } = {}) {
  const el = lookUp(k);
  if (!el || !el.isConnected) return { ok: false, why: "detached" };
  forgetLabels();
  if (!ignoreOptOut && document.querySelector('[data-no-ai]:not([data-no-ai="false"])')) return { ok: false, why: "opted_out" };
  if (known) {
    const [name] = nameOf(el, known[0]);
    if (hasBecomeAnother(el, known[1], name.slice(0, 250))) return { ok: false, why: "changed", byText: name };
  }
  if (!shown) return { ok: true, ...kindOf(el) };
  const stand = standIn(el);
  const target = stand ?? el;
  if (!target.checkVisibility({ visibilityProperty: true }) && getComputedStyle(target).display !== "contents") return { ok: false, why: "hidden" };
  if (boxOf(target).empty) return { ok: false, why: "zero_size" };
  // What is disabled and lets the pointer through cannot even be hovered over.
  if ((enabled || (pointer && getComputedStyle(el).pointerEvents === "none")) && isDisabled(el)) return { ok: false, why: "disabled" };
  const keysField = editable && byKeys ? keysFieldOf(el) : null;
  if (editable && !keysField) {
    const objection = notEditable(el);
    if (objection) return { ok: false, why: objection };
  }
  const visible = () => el.localName === "area" ? visiblePart(target).cut(boxOf(el)) : visiblePart(target);
  let part = visible();
  let scrolled = false;
  if (part.empty) {
    target.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    scrolled = true;
    part = visible();
  }
  if (!await isSteady(target, scrolled ? null : seen)) return { ok: false, why: "moving" };
  part = visible();
  if (!pointer) return { ok: true, box: roundBox(boxOf(target)), scrolled, ...kindOf(el), keysIn: keysField ? key(keysField) : 0 };
  if (part.empty) return { ok: false, why: "off_screen" };
  let found = pointFor(el, target, part, stand, offset);
  // Something fixed may lie over where it is, and not over where it could be scrolled to.
  for (let i = 0; !found.ok && i < ALIGN.length; i++) {
    target.scrollIntoView({ block: ALIGN[i], inline: "nearest", behavior: "instant" });
    await frame();
    part = visible();
    if (!part.empty) {
      const again = pointFor(el, target, part, stand, offset);
      scrolled = true;
      if (again.ok) found = again;
    }
  }
  if (!found.ok) return { ok: false, why: "covered", by: found.by ? key(found.by) : 0, byText: found.by ? describe(found.by) : "" };
  return { ok: true, point: found.point, box: roundBox(boxOf(target)), scrolled, ...kindOf(el) };
}

function pointFor(el, target, part, stand, offset) {
  if (offset) {
    const box = boxOf(target);
    const point = [box.x1 + offset[0], box.y1 + offset[1]];
    const hit = hitAt(point[0], point[1]);
    return hit && reachesTarget(el, hit, stand) ? { ok: true, point } : { ok: false, by: hit };
  }
  const found = reachablePoint(el, part, { inline: getComputedStyle(target).display === "inline", stand });
  return found.ok ? { ok: true, point: found.off ?? [(part.x1 + part.x2) / 2, (part.y1 + part.y2) / 2] } : found;
}

const SET_BY_VALUE = words("date datetime-local month week time color range");

function notEditable(el) {
  if (el.isContentEditable) return null;
  if (el.localName === "textarea" || (el.localName === "input" && (TEXT_INPUTS.has(el.type) || SET_BY_VALUE.has(el.type)))) {
    return el.readOnly && !SET_BY_VALUE.has(el.type) ? "readonly" : null;
  }
  return "not_editable";
}

const OUT_OF_SIGHT_PX = 6;

const EDITOR_LEVELS = 3;
const EDITOR_EXTENT = 1.6;
const areaOf = (box) => (box.x2 - box.x1) * (box.y2 - box.y1);

// The field in which an editor takes its keys, where it draws its text itself: the only control in it, or in what is not
// much bigger around it, and out of sight.
function keysFieldOf(el) {
  if (notEditable(el) !== "not_editable") return null;
  const extent = areaOf(boxOf(el)) * EDITOR_EXTENT;
  for (let around = el, level = 0; around && level <= EDITOR_LEVELS && areaOf(boxOf(around)) <= extent; around = parentOf(around), level++) {
    const controls = [...(rootOf(around) ?? around).querySelectorAll("textarea,input,select,button,[contenteditable]")];
    if (!controls.length) continue;
    const [field] = controls;
    return controls.length === 1 && !notEditable(field) && !isDisabled(field) && isOutOfSight(field) ? field : null;
  }
  return null;
}

// Not to be seen, and yet to be focused.
function isOutOfSight(field) {
  const { width, height } = field.getBoundingClientRect();
  const hidden = width < OUT_OF_SIGHT_PX || height < OUT_OF_SIGHT_PX || !field.checkVisibility({ opacityProperty: true })
    || visiblePart(field).empty || isClippedAway(getComputedStyle(field));
  return hidden && field.checkVisibility({ visibilityProperty: true });
}

// Whether an editor shows a text: its last line, since it may draw no more than where the caret is.
function shows(k, text) {
  const plain = (said) => said.replace(/[\s\u200b\u00a0]+/g, "");
  const last = text.split("\n").map(plain).filter(Boolean).at(-1) ?? "";
  return plain(lookUp(k)?.textContent ?? "").includes(last.slice(0, 40));
}

const kindOf = (el) => ({ tag: el.localName, type: el.type ?? "", byValue: el.localName === "input" && SET_BY_VALUE.has(el.type),
  empty: "value" in el ? el.value === "" : el.textContent === "" });

// What has the focus, as `prepare` tells of a named element, but seen or not: editors keep a field that nobody sees. What
// takes no text (key 0) is given the keys all the same. Watched from now on.
function readyFocused({ ignoreOptOut = false } = {}) {
  if (!ignoreOptOut && document.querySelector('[data-no-ai]:not([data-no-ai="false"])')) return { ok: false, why: "opted_out" };
  const el = deepFocus();
  const why = el ? notEditable(el) : "not_editable";
  if (why && why !== "not_editable") return { ok: false, why };
  beginWatch(0);
  return why ? { ok: true } : { ok: true, key: key(el), ...kindOf(el) };
}

// `atEnd`: with the caret after all that it holds.
function focusOn(k, atEnd = false) {
  const el = lookUp(k);
  if (!el?.isConnected) return false;
  el.focus({ preventScroll: true });
  if (atEnd) (el.getRootNode().getSelection?.() ?? el.ownerDocument.getSelection())?.modify("move", "forward", "documentboundary");
  return el.getRootNode().activeElement === el || el.contains(el.getRootNode().activeElement);
}

// For controls that take no text (dates, colours, sliders): what the browser's own picker would do. The setter is that
// of this world's prototype, so that a framework that watches the page's own sees a change like any other.
function setValue(k, text) {
  const el = lookUp(k);
  if (!el?.isConnected) return false;
  el.focus({ preventScroll: true });
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(el, text);
  el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
  return el.value === text;
}

function scrollBy({ key: k = 0, dx = 0, dy = 0, to = "" }) {
  const box = scrollBox(k);
  if (!box) return { ok: false, why: "detached" };
  const before = [box.scrollLeft, box.scrollTop];
  const end = to === "end" ? box.scrollHeight : to === "start" ? 0 : null;
  if (end !== null) box.scrollTo({ top: end, behavior: "instant" });
  else box.scrollBy({ left: dx * box.clientWidth, top: dy * box.clientHeight, behavior: "instant" });
  const after = [box.scrollLeft, box.scrollTop];
  return { ok: true, moved: before[0] !== after[0] || before[1] !== after[1],
    at: after.map(Math.round), size: [box.scrollWidth, box.scrollHeight], window: [box.clientWidth, box.clientHeight] };
}

// The box that an element is, or is in; the page's own without one.
function scrollBox(k) {
  const page = document.scrollingElement ?? document.documentElement;
  if (!k) return page;
  let box = lookUp(k);
  if (!box?.isConnected) return null;
  while (box && !(box.nodeType === 1 && canScroll(box))) box = parentOf(box);
  return box ?? page;
}

// Whether what can be scrolled becomes longer within some time: a list that loads more when its end comes into view.
function moreComes(k, timeout) {
  const box = scrollBox(k);
  if (!box) return false;
  const { scrollHeight } = box;
  // It may have come already.
  if (box.scrollTop + box.clientHeight < scrollHeight - 1) return true;
  return new Promise((resolve) => {
    const end = (more) => {
      observer.disconnect();
      clearTimeout(timer);
      resolve(more);
    };
    const observer = new MutationObserver(() => {
      if (box.scrollHeight > scrollHeight) end(true);
    });
    for (const root of new Set([document, box.ownerDocument, box.getRootNode()])) {
      observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true });
    }
    const timer = setTimeout(end, timeout, false);
  });
}

function canScroll(el) {
  if (el === document.scrollingElement) return true;
  const style = getComputedStyle(el);
  const scrolls = (o) => o === "auto" || o === "scroll";
  return (scrolls(style.overflowY) && el.scrollHeight > el.clientHeight + 1) || (scrolls(style.overflowX) && el.scrollWidth > el.clientWidth + 1);
}

// Everything written on the element, values that must not leave excepted.
function attributes(k) {
  const el = lookUp(k);
  if (!el?.isConnected) return null;
  const all = {};
  for (const { name, value } of el.attributes) all[name] = name === "value" && isSecret(el) ? "" : value;
  return all;
}
