// What happens while an action runs: the mutations, the events that reached something, and when it is over.

const rootsSeen = new Set(); // WeakRefs of shadow roots met in looks, for a watch to observe them too
const watchedRoots = new WeakSet();
const documentsMet = new Set(); // WeakRefs of documents in frames that a look went into
const watchedDocuments = new WeakSet();
const TEXT_LIMIT = 200;
const TEXTS_LIMIT = 50;
// Read out at once says nothing of good or bad where the role says that it is a status.
const URGENT = "[role=alert],[role=alertdialog],[aria-live=assertive]:not([role=status],[role=log])";
const ANNOUNCES = `${URGENT},[role=status],[role=log],[aria-live=polite],output`;
// A node that changes again and again (a clock, a ticker, a spinner) is the page's own life, not the action's doing: one
// that did so before, or one that does not stop.
const RESTLESS_BEFORE = 3;
const RESTLESS_DURING = 30;
const RECORDS_READ = 500;

function meetRoot(root) {
  if (watchedRoots.has(root)) return;
  watchedRoots.add(root);
  rootsSeen.add(new WeakRef(root));
}

function meetDocument(doc) {
  if (watchedDocuments.has(doc)) return;
  watchedDocuments.add(doc);
  documentsMet.add(new WeakRef(doc));
}

let watch = null;

class Watch {
  // `target`: the element that pointer events must reach, by moving alone if it `hovers`; `holder`: the one whose value
  // is compared.
  constructor(target, holder = target, hovers = false) {
    this.target = target;
    this.holder = holder;
    this.observer = new MutationObserver((records) => this.take(records));
    this.observed = new WeakSet();
    this.times = new WeakMap();
    this.lastChange = -Infinity;
    this.mutations = 0;
    this.added = [];
    this.removed = [];
    this.drawn = null;
    this.reached = null; // null: no event was seen; true; or the element that got it instead
    this.clicked = null;
    this.before = snapshotOf(holder);
    this.held = valueHeld(holder);
    this.started = performance.now();
    this.view = target?.ownerDocument.defaultView ?? null;
    this.dragged = null;
    this.alerts = [];
    this.statuses = [];
    this.pointed = new Promise((resolve) => {
      this.atPointer = (event) => {
        if (hovers) this.saw(event);
        resolve(true);
      };
    });
    this.view?.addEventListener("pointermove", this.atPointer, { capture: true, passive: true });
    this.observe(document);
    for (const ref of rootsSeen) {
      const root = ref.deref();
      if (root?.isConnected) this.observe(root);
      else if (!root) rootsSeen.delete(ref);
    }
    if (target && target.ownerDocument !== document) this.observe(target.ownerDocument);
  }

  observe(root) {
    if (this.observed.has(root)) return;
    this.observed.add(root);
    this.observer.observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
  }

  take(records) {
    const now = performance.now();
    const batch = new Set();
    for (const record of records) {
      this.mutations++;
      batch.add(record.target);
      if (record.type === "childList") {
        for (const node of record.addedNodes) this.note(this.added, node);
        for (const node of record.removedNodes) this.note(this.removed, node);
      } else if (record.type === "characterData") this.note(this.added, record.target);
      else this.noteShown(record.target);
    }
    for (const node of batch) {
      const times = (this.times.get(node) ?? 0) + 1;
      this.times.set(node, times);
      if (times <= RESTLESS_DURING && (restless.get(node) ?? 0) < RESTLESS_BEFORE) this.lastChange = now;
    }
  }

  note(list, node) {
    if (list.length >= TEXTS_LIMIT) return;
    const tag = node.localName;
    if (tag && NEVER_SHOWN.has(tag)) return;
    if (node.nodeType === 1 && isSecret(node)) return;
    const text = squeeze(node.textContent ?? "").slice(0, TEXT_LIMIT);
    if (!text) return;
    if (!list.includes(text)) list.push(text);
    if (list === this.added) this.noteAnnounced(node, text);
  }

  // What pages say aloud: a mistake, or that all went well.
  noteAnnounced(node, text) {
    const element = node.nodeType === 1 ? node : node.parentElement;
    const region = element?.closest(ANNOUNCES) ?? (node.nodeType === 1 ? node.querySelector(ANNOUNCES) : null);
    if (!region) return;
    // What is said aloud only, out of sight, is said of all kinds of things.
    const { width, height } = region.getBoundingClientRect();
    const list = region.matches(URGENT) && width > 1 && height > 1 ? this.alerts : this.statuses;
    const said = region.contains(element) ? text : squeeze(region.textContent).slice(0, TEXT_LIMIT);
    if (said && !list.includes(said) && list.length < TEXTS_LIMIT) list.push(said);
  }

  // A region that was there, and is shown now.
  noteShown(element) {
    if (!element.matches?.(ANNOUNCES) || !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    const text = squeeze(element.textContent).slice(0, TEXT_LIMIT);
    if (text) this.noteAnnounced(element, text);
  }

  saw(event) {
    if (event.type === "dragstart") {
      this.dragged = event;
      return;
    }
    // What an event did can be seen two frames after it, whenever that is asked.
    if (event.isTrusted) this.drawn = drawnTwice();
    // Its path is known only while it is on its way, and only afterwards whether a script prevented it.
    if (event.isTrusted && (event.type === "click" || event.type === "auxclick")) this.clicked = { event, link: linkOpened(event) };
    if (this.reached !== null || !this.target) return;
    const got = event.composedPath()[0];
    if (got === window || got === document) return;
    // A closed root shows itself as its host.
    const stand = standIn(this.target);
    this.reached = reachesTarget(this.target, got, stand) || (rootOf(got) !== null && contains(got, this.target)) ? true : got;
  }

  async quiet({ threshold, timeout }) {
    const until = this.started + timeout;
    const firstFrame = await (this.drawn ?? drawnTwice());
    await new Promise((resolve) => setTimeout(resolve, 0));
    this.take(this.observer.takeRecords());
    // Two frames without anything new after the first: what the action did, it did at once.
    if (this.lastChange < firstFrame && !isAnimating()) return true;
    for (;;) {
      const now = performance.now();
      const rest = Math.max(this.lastChange, this.started) + threshold - now;
      if (rest <= 0 && !isAnimating()) return true;
      if (now >= until) return false;
      await new Promise((resolve) => setTimeout(resolve, Math.min(Math.max(rest, 16), until - now)));
      this.take(this.observer.takeRecords());
    }
  }

  facts() {
    this.take(this.observer.takeRecords());
    const after = snapshotOf(this.holder);
    const { before } = this;
    return {
      mutations: this.mutations,
      added: this.added,
      alerts: this.alerts,
      statuses: this.statuses,
      removed: this.removed.filter((text) => !this.added.includes(text)),
      reached: this.reached === null ? 0 : this.reached === true ? 1 : 2,
      reachedBy: this.reached && this.reached !== true ? key(this.reached) : 0,
      reachedText: this.reached && this.reached !== true ? describe(this.reached) : "",
      focusMoved: before.focus !== after.focus,
      focused: after.focus && after.focus !== document.body ? key(after.focus) : 0,
      activeChanged: before.active !== after.active,
      active: after.active ? key(after.active) : 0,
      selectionChanged: !sameSelection(before.selection, after.selection),
      valueChanged: before.value !== after.value || before.checked !== after.checked,
      value: this.holder && isSecret(this.holder) ? null : after.value,
      scrolled: before.scroll !== after.scroll,
      urlChanged: before.url !== after.url,
      url: after.url,
      fetches: this.reached === true && this.target.closest?.("a[href][download]") != null,
      opens: this.clicked && !this.clicked.event.defaultPrevented ? this.clicked.link : "",
      alive: this.target ? this.target.isConnected : true,
    };
  }

  end() {
    this.observer.disconnect();
    this.view?.removeEventListener("pointermove", this.atPointer, { capture: true });
  }
}

// The address that the browser itself opens in a tab or window of its own for a click like this: the page hears nothing
// of that tab.
function linkOpened(click) {
  if (!(click.type === "auxclick" ? click.button === 1 : click.ctrlKey || click.metaKey || click.shiftKey)) return "";
  return click.composedPath().find((node) => node.matches?.("a[href],area[href]"))?.href ?? "";
}

// What the one that has the focus points at as the present one of its items; null where it does not.
function activeItem(focus) {
  const id = focus?.getAttribute?.("aria-activedescendant");
  return (id && focus.getRootNode().getElementById?.(id)) || null;
}

// What is selected of the page, or where the caret of a field is; null where nothing can be told. Compared, never told.
function selectionNow(focus) {
  if (!focus) return null;
  try {
    if (typeof focus.selectionStart === "number") return [focus, focus.selectionStart, focus.selectionEnd];
  } catch {
    // Some kinds of fields do not tell.
  }
  const root = focus.getRootNode();
  const selection = root.getSelection?.() ?? focus.ownerDocument.getSelection();
  if (!selection?.anchorNode) return null;
  if (focus.localName === "input") return [focus, selection.toString()];
  // Pressing a text puts a caret into it that nobody sees.
  if (selection.isCollapsed && !focus.isContentEditable) return null;
  return [selection.anchorNode, selection.anchorOffset, selection.focusNode, selection.focusOffset];
}

const sameSelection = (a, b) => a === b || (a !== null && b !== null && a.length === b.length && a.every((part, i) => part === b[i]));

function deepFocus() {
  let focus = document.activeElement;
  for (;;) {
    const inner = focus && (rootOf(focus)?.activeElement ?? (isFrame(focus) ? frameDocument(focus)?.activeElement : null));
    if (!inner) return focus;
    focus = inner;
  }
}

// The second frame after a late one is drawn at once; what a short timer does between two that are not (a script that
// animates has ticks of 13 ms) is waited for too.
const FRAME_MS = 16;

// -> when the first of two frames was drawn, after the second
async function drawnTwice() {
  await frame();
  const first = performance.now();
  await frame();
  const rest = first + FRAME_MS - performance.now();
  if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  return first;
}

const snapshotOf = (target, focus = deepFocus()) => ({
  focus,
  active: activeItem(focus),
  selection: selectionNow(focus),
  url: document.URL,
  scroll: `${scrollX},${scrollY}`,
  value: target ? ("value" in target && target.localName !== "li" && target.localName !== "button" ? String(target.value) : target.isContentEditable ? target.textContent : null) : null,
  checked: target?.checked ?? target?.selected ?? null,
});

// What a field holds, in the words it was typed in.
function valueHeld(el) {
  if (!el) return null;
  if ("value" in el) return el.value;
  return el.isContentEditable ? el.innerText.replace(/\u00a0/g, " ").replace(/\n$/, "") : null;
}

// Animations that end; endless ones are decoration. A document knows nothing of those in shadow roots.
const isAnimating = () => ends(document) || [...rootsSeen].some((ref) => ref.deref()?.isConnected && ends(ref.deref()));

const ends = (root) => root.getAnimations().some((a) => a.playState === "running"
  && Number.isFinite(a.effect?.getComputedTiming().endTime ?? Infinity) && a.effect.getComputedTiming().endTime <= 5000);

function beginWatch(k, hovers = false) {
  watch?.end();
  const target = k ? lookUp(k) ?? null : null;
  watch = new Watch(target, target ?? deepFocus(), hovers);
  for (let view = target?.ownerDocument.defaultView; view && view !== globalThis; view = view.parent) hear(view);
}

// Whether the pointer has been over the target's document since the watch began: input finds its way into a frame of
// another process only once the browser has drawn that frame where it is.
const isPointed = (timeout) => Promise.race([watch?.pointed ?? false, new Promise((resolve) => setTimeout(resolve, timeout, false))]);

// Whether the pointer drags something that the page offers as data.
const isDragging = () => watch?.dragged != null && !watch.dragged.defaultPrevented;

function dropWatch() {
  watch?.end();
  watch = null;
}

// `expect`: the value the target should hold now; `inserted`: what should have come to the value that it held.
async function endWatch(options) {
  const running = watch;
  if (!running) return null;
  const quiet = await running.quiet(options);
  const facts = running.facts();
  if (watch === running) watch = null;
  running.end();
  const held = valueHeld(running.holder);
  const holds = options.expect !== undefined ? held === options.expect
    : options.inserted !== undefined ? holdsMore(running.held ?? "", held ?? "", options.inserted) : null;
  // Cleared by nobody: it holds what it held, and the text beside it.
  const kept = holds === false && options.expect !== undefined && isBeside(running.held ?? "", held ?? "", options.expect);
  return { quiet, holds, kept, ...facts };
}

const isBeside = (before, now, text) => before !== "" && text !== "" && (now === before + text || now === text + before);

const holdsMore = (before, now, text) => text === "" || (now !== before && now.includes(text));

// Wait until the page is quiet, whoever moves it.
async function quiet(options) {
  followLife();
  const own = new Watch(null);
  try {
    return { quiet: await own.quiet(options), mutations: own.mutations, title: document.title };
  } finally {
    own.end();
  }
}

// The page's own life, between actions: which nodes are restless, whose text has changed since the last look, and one
// word to the outside at the first change after it.
const restless = new WeakMap();
let retold = new Set();
let mayTell = false;
const lifeObserved = new WeakSet();
const life = new MutationObserver(live);
let changesSeen = 0;

function live(records) {
  if (records.length) {
    changesSeen++;
    trace = null;
  }
  if (mayTell && records.length) {
    mayTell = false;
    globalThis.browserxTell?.("");
  }
  if (watch) return;
  const batch = new Set();
  for (let i = 0; i < records.length && i < RECORDS_READ; i++) {
    batch.add(records[i].target);
    if (changesText(records[i])) retold.add(records[i].target);
  }
  for (const node of batch) restless.set(node, (restless.get(node) ?? 0) + 1);
}

const changesText = (record) => record.type === "characterData" ? record.oldValue !== record.target.data
  : record.type === "childList" && [...record.addedNodes, ...record.removedNodes].some((node) => /\S/.test(node.textContent ?? ""));

const isRestless = (node) => (restless.get(node) ?? 0) >= RESTLESS_BEFORE;

// A framework without keys keeps its elements and changes what they stand for. An element is not what was seen when it is
// called otherwise now, or when the item of a list or table that it belongs to says something else. What changes all the
// time (a countdown) is not taken for that.
function hasBecomeAnother(el, name, nameNow) {
  live(life.takeRecords());
  const changed = [...retold].filter((node) => !isRestless(node));
  if (name !== nameNow && ![...retold].some((node) => isRestless(node) && el.contains(node))) return true;
  const item = changed.length ? el.closest(ITEMS) : null;
  return item !== null && changed.some((node) => item.contains(node) && !el.contains(node));
}

const ITEMS = "li,tr,[role=row],[role=listitem],[role=option],[role=treeitem],article";

function followLife() {
  const follow = (root) => {
    if (lifeObserved.has(root)) return;
    lifeObserved.add(root);
    life.observe(root, { subtree: true, childList: true, characterData: true, characterDataOldValue: true, attributes: true });
  };
  follow(document);
  for (const ref of documentsMet) {
    const doc = ref.deref();
    if (doc?.defaultView) follow(doc);
    else documentsMet.delete(ref);
  }
  for (const ref of rootsSeen) {
    const root = ref.deref();
    if (root?.isConnected) follow(root);
  }
}

function tellFirstChange() {
  followLife();
  live(life.takeRecords());
  retold = new Set();
  mayTell = true;
}

// One word to the outside at the next scrolling or resizing: for what is drawn over the page.
let mayTellMove = null;

function tellMove() {
  if (mayTellMove === null) {
    for (const type of ["scroll", "resize"]) addEventListener(type, moved, { capture: true, passive: true });
  }
  mayTellMove = true;
}

function moved() {
  if (!mayTellMove) return;
  mayTellMove = false;
  globalThis.browserxTell?.("");
}

// -> the frame element that has the focus, when the eye cannot enter it; null otherwise
function focusedFrame() {
  const focus = deepFocus();
  return focus && isFrame(focus) ? focus : null;
}

// Installed once, before any script of the page can: what stops an event cannot hide it from us.
const heardViews = new WeakSet();
function hear(view) {
  if (heardViews.has(view)) return;
  heardViews.add(view);
  for (const type of ["pointerdown", "mousedown", "click", "auxclick", "dragstart"]) view.addEventListener(type, (event) => watch?.saw(event), { capture: true, passive: true });
}
hear(globalThis);
