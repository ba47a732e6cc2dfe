// Tag and freeze: what can be acted on carries its number as `data-llm-id`, so that it is known again when a framework
// draws the page anew from a copy. The number is the element's key, unless it took over from another one.

const RESTORES = 3; // whoever takes a stamp off again and again is left alone
const TAGGED = "a[href],button,input,select,textarea,summary,[role],[tabindex],[contenteditable],[onclick],[draggable=true]";
const keyOfStamp = new Map(); // only where it is not the key itself
const stampOfKey = new Map();
const tagOfKey = new Map();
const restored = new WeakMap();
const stampsObserved = new WeakSet();
const stampOf = (k) => String(stampOfKey.get(k) ?? k);

// Numbers that were ever given in this tab are not given again.
function numberFrom(floor) {
  lastKey = Math.max(lastKey, floor);
}

function stamp(el) {
  const k = key(el);
  tagOfKey.set(k, el.localName);
  if (el.getAttribute(STAMP) !== stampOf(k)) el.setAttribute(STAMP, stampOf(k));
}

// An element nobody has met that carries a number: a copy takes over from an original that is gone, anything else is new.
function meet(el) {
  if (keyOf.has(el)) return;
  const written = Number(el.getAttribute(STAMP));
  const k = keyOfStamp.get(written) ?? written;
  if (tagOfKey.get(k) === el.localName && !elementOf.get(k)?.deref()?.isConnected) {
    keyOf.set(el, k);
    elementOf.set(k, new WeakRef(el));
  } else el.removeAttribute(STAMP);
}

// Elements took over from others that are gone, as was found outside: they carry on their numbers.
function passOn(pairs) {
  for (const [k, number] of pairs) {
    stampOfKey.set(k, number);
    keyOfStamp.set(number, k);
    const el = lookUp(k);
    if (el) stamp(el);
  }
}

function restore(el) {
  const times = restored.get(el) ?? 0;
  if (times >= RESTORES || !tagOfKey.has(keyOf.get(el)) || el.getAttribute(STAMP) === stampOf(keyOf.get(el))) return;
  restored.set(el, times + 1);
  stamp(el);
}

const tagger = new globalThis.MutationObserver(tag);
let isTagging = false;

function tag(records) {
  for (const { type, target, addedNodes } of records) {
    if (type === "attributes") {
      if (keyOf.has(target)) restore(target);
      continue;
    }
    for (const node of addedNodes) if (node.nodeType === 1 && node.isConnected) tagTree(node);
  }
}

function tagTree(top) {
  for (const el of [top, ...top.querySelectorAll(`[${STAMP}],${TAGGED}`)]) {
    if (el.hasAttribute(STAMP)) meet(el);
    if (el.matches(TAGGED)) stamp(el);
  }
}

function followTags() {
  const roots = [document, ...[...documentsMet, ...rootsSeen].map((ref) => ref.deref())];
  for (const root of roots) {
    if (!root || stampsObserved.has(root)) continue;
    stampsObserved.add(root);
    tagger.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: [STAMP] });
  }
}

// Before a look: copies are recognised. What is new since the last one has been heard of.
function meetCopies() {
  tag(tagger.takeRecords());
  if (!isTagging) for (const el of document.querySelectorAll(`[${STAMP}]`)) meet(el);
}

// After a look: what it told of that can be acted on.
function stampTold(rows) {
  for (const row of rows) {
    if (row[0] !== ROW.ELEMENT || !(row[5] & INTERACTIVE)) continue;
    const el = lookUp(row[3]);
    if (el) stamp(el);
  }
  isTagging = true;
  followTags();
}

function takeOffStamps() {
  tagger.disconnect();
  life.disconnect();
  for (const k of tagOfKey.keys()) lookUp(k)?.removeAttribute(STAMP);
}
