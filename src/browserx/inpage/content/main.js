// What can be asked where only script can be evaluated: the eye's questions, and the actions. Kept under one property
// that nobody meets by going through what there is. Every answer is one JSON string.

const WORLD = Array.from(crypto.getRandomValues(new Uint32Array(3)), (n) => n.toString(36)).join("");
let leaving = false;
let actedAt = 0;
const leave = () => {
  leaving = true;
};

// What is asked of the element of an action besides what the caller needs. `needs` may be made less.
const FITNESS = {
  click: (el) => el.localName === "input" && el.type === "file" ? "file" : "",
  check(el, needs) {
    const state = checkedState(key(el));
    if (state === null) return "not_checkable";
    if (state === String(needs.wanted)) needs.pointer = false;
    else if (!needs.wanted && isRadio(key(el))) return "radio";
    return "";
  },
  // Files are given to what nobody sees; what opens the dialog is pressed.
  upload(el, needs) {
    const field = fileField(key(el));
    if (field?.disabled) return "disabled";
    if (field) Object.assign(needs, { shown: false, pointer: false, enabled: false });
    return "";
  },
};

// Wrong before anything was done: {ok: false, why}, as `prepare` has it.
async function fit(kind, k, needs) {
  const el = lookUp(k);
  const no = (why) => ({ ok: false, why });
  if (!el?.isConnected) return no("detached");
  const why = FITNESS[kind]?.(el, needs);
  if (why) return no(why);
  const prepared = await prepare(k, needs);
  if (!prepared.ok) return prepared;
  return isFrame(el) && !frameDocument(el) && kind !== "picture" ? no("cross_origin") : prepared;
}

const startWatch = (k) => {
  leaving = false;
  actedAt = performance.now();
  addEventListener("beforeunload", leave, true);
  eye.beginWatch(k);
};

// Each says "" when it did all it was to do, and otherwise what kept it; or both that, as `done`, and more.
const ACTIONS = {
  click: (el, point, options) => clickOn(el, point, options) ? "" : "interrupted",
  hover: (el, point, options) => hoverOver(el, point, options) ? "" : "interrupted",
  check(el, point, _, needs) {
    if (checkedState(key(el)) === String(needs.wanted)) return "";
    return { done: clickOn(el, point, {}) ? "" : "interrupted", pressed: true };
  },
  focus: (el) => giveFocus(el) ? "" : "unfocusable",
  blur: (el) => dropFocus(el) ?? "",
  type(el, _, { strokes, clear: clearFirst, value }) {
    if (kindOf(el).byValue) return setValue(key(el), value) ? "" : "refused";
    if (!giveFocus(el)) return "unfocusable";
    return typeInto(el, strokes, clearFirst) === strokes.length ? "" : "interrupted";
  },
  watch: () => "",
  drag: dragFrom,
  upload: giveFiles,
};

const commands = {
  hello: () => ({ url: document.URL, title: document.title }),
  look(options) {
    numberFrom(options.floor);
    meetCopies();
    forgetLabels();
    const root = options.root ? lookUp(options.root) : null;
    if (options.root && !root?.isConnected) return told({ gone: true });
    const started = performance.now();
    const look = new LookFromInside(options);
    look.run(root);
    tellFirstChange();
    stampTold(look.rows);
    return told({ ...look.result(), ms: performance.now() - started });
  },
  passOn,
  // Verify, and if the element is fit, watch it and act. -> Prepared, with what the action itself says as `done`
  async perform(kind, k, needs, options) {
    const prepared = await fit(kind, k, needs);
    if (!prepared.ok) return prepared;
    startWatch(k);
    const done = await ACTIONS[kind](lookUp(k), prepared.point, options, needs);
    return { ...prepared, ...(typeof done === "string" ? { done } : done) };
  },
  fit,
  press(stroke) {
    startWatch(0);
    const el = deepFocus() ?? document.body ?? document.documentElement;
    unfinished = { el: null, text: "" };
    strike(el, stroke);
    return { ok: true };
  },
  // Type at the caret of what has the focus; what takes no text gets the keys. -> as `perform`
  typeFocused({ strokes, clear: clearFirst, value }, needs) {
    const prepared = readyFocused(needs);
    if (!prepared.ok) return prepared;
    startWatch(0);
    const el = deepFocus() ?? document.body ?? document.documentElement;
    if (prepared.byValue) return { ...prepared, done: setValue(prepared.key, value) ? "" : "refused" };
    return { ...prepared, done: typeInto(el, strokes, prepared.key !== undefined && clearFirst, false) === strokes.length ? "" : "interrupted" };
  },
  // Elsewhere, by address or by so many steps of the history; 0 is this page anew.
  go(where) {
    startWatch(0);
    // After the answer: the document may not live to give it.
    setTimeout(() => typeof where === "string" ? location.assign(where) : history.go(where));
    return { ok: true };
  },
  scroll(k, options) {
    startWatch(k);
    return eye.scrollBy({ ...options, key: k });
  },
  moreComes: (k, timeout) => eye.moreComes(k, timeout),
  // What came of it, once all is quiet. A document that is being left has nothing more to say: whoever asks finds out.
  async outcome(options) {
    const started = performance.now();
    try {
      let facts = await eye.endWatch(options);
      if (facts && !leaving && !somethingCame(facts)) facts = { ...facts, ...await lateChange(options.threshold) };
      if (leaving) await new Promise((resolve) => setTimeout(resolve, Math.max(0, options.leaving - (performance.now() - started))));
      return facts && { ...facts, requests: requestsSince(actedAt) };
    } finally {
      removeEventListener("beforeunload", leave, true);
    }
  },
  nextChange,
  checkedState,
  selectOptions,
  selectedValues,
  selectorOf,
  select,
  submitter,
  filesHeld,
  async settled({ timeout, threshold }) {
    if (document.readyState === "loading") {
      await new Promise((resolve) => {
        document.addEventListener("DOMContentLoaded", resolve, { once: true });
        setTimeout(resolve, timeout);
      });
    }
    return eye.quiet({ threshold, timeout });
  },
  isDirty: (changes) => {
    live(life.takeRecords());
    return changesSeen !== changes;
  },
  changes: () => changesSeen,
  attributes: (k) => eye.attributes(k),
  written: (keys) => eye.written(keys),
  html: (options) => eye.html(options),
  forget() {
    takeOffStamps();
    watch?.end();
    delete globalThis[HOLDER];
    return {};
  },
};

const somethingCame = (facts) => facts.mutations > 0 || facts.focusMoved || facts.activeChanged || facts.selectionChanged || facts.valueChanged || facts.scrolled || facts.urlChanged || !facts.alive;

const ADDRESS_MS = 200;

// -> whether the page changed, or its address, within `timeout` ms
function nextChange(timeout) {
  return new Promise((resolve) => {
    const observer = new MutationObserver(() => end(true));
    const timer = setTimeout(() => end(false), timeout);
    const moved = () => end(true);
    // Where there is no `navigation`, nobody tells of a page that gives itself another address.
    const url = document.URL;
    const looking = globalThis.navigation ? 0 : setInterval(() => document.URL !== url && moved(), ADDRESS_MS);
    globalThis.navigation?.addEventListener("currententrychange", moved);
    const end = (changed) => {
      observer.disconnect();
      clearTimeout(timer);
      clearInterval(looking);
      globalThis.navigation?.removeEventListener("currententrychange", moved);
      resolve(changed);
    };
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  });
}

// Nothing tells of requests on their way: what an action asked for may show only now.
async function lateChange(threshold) {
  const url = document.URL;
  const own = new Watch(null);
  try {
    if (await nextChange(threshold)) await own.quiet({ threshold, timeout: threshold * 3 });
    const { mutations, added, removed, urlChanged } = own.facts();
    return { mutations, added, removed, urlChanged: urlChanged || document.URL !== url };
  } finally {
    own.end();
  }
}

const requestsSince = (started) => performance.getEntriesByType("resource").filter((entry) => entry.startTime >= started)
  .slice(0, 50).map((entry) => [entry.name.slice(0, 500), entry.responseStatus ?? 0, (performance.timeOrigin + entry.startTime) / 1000]);

const JSON_ALREADY = words("look html written");

Object.defineProperty(globalThis, HOLDER, { configurable: true, value: Object.freeze({
  async answer(world, name, args) {
    if (world !== null && world !== WORLD) return JSON.stringify({ world: WORLD, gone: true });
    try {
      const answer = await commands[name](...args);
      return `{"world":"${WORLD}","told":${JSON_ALREADY.has(name) && typeof answer === "string" ? answer : told(answer ?? null)}}`;
    } catch (error) {
      return told({ world: WORLD, failed: `${error}`, blocked: error?.name === "SecurityError" });
    }
  },
}) });
