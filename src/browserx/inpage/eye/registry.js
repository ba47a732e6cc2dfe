// Elements and their keys. A key is a number that names one element for as long as it lives, in this world only;
// what it is called outside (the node id) is decided outside.

const keyOf = new WeakMap();
const elementOf = new Map();
let lastKey = 0;

function key(element) {
  let k = keyOf.get(element);
  if (k === undefined) {
    k = ++lastKey;
    keyOf.set(element, k);
    elementOf.set(k, new WeakRef(element));
  }
  return k;
}

function lookUp(k) {
  const element = elementOf.get(k)?.deref();
  if (element === undefined) elementOf.delete(k);
  return element;
}

// The controls that were told of, and in which document each is: one that is gone from a document that is still there may
// have been replaced.
const documentsOf = new Map();

function toldOf(element, k) {
  if (documentsOf.has(k)) return false;
  documentsOf.set(k, new WeakRef(element.ownerDocument));
  return true;
}

// -> the keys of those that have gone since this was last asked, their documents being there
function vanished() {
  const keys = [];
  for (const [k, ref] of documentsOf) {
    if (elementOf.get(k)?.deref()?.isConnected) continue;
    documentsOf.delete(k);
    if (ref.deref()?.defaultView) keys.push(k);
  }
  return keys;
}

// Closed shadow roots, handed in from outside: no script can find them by itself.
const closedRoots = new WeakMap();
const rootOf = (element) => element.shadowRoot || closedRoots.get(element) || null;

// The tree a person sees: slotted elements are inside their slot, roots inside their host, documents inside their frame.
function parentOf(node) {
  if (node.assignedSlot) return node.assignedSlot;
  const parent = node.parentNode;
  if (parent === null) return null;
  if (parent.nodeType === 11 && parent.host) return parent.host;
  if (parent.nodeType === 9) return parent.defaultView?.frameElement ?? null;
  return parent;
}

function contains(ancestor, node) {
  for (let n = node; n; n = parentOf(n)) if (n === ancestor) return true;
  // A slotted element is also inside the host's light tree, whatever its slot.
  for (let n = node; n; n = n.parentNode ?? n.host) if (n === ancestor) return true;
  return false;
}

function frameDocument(frame) {
  try {
    return frame.contentDocument;
  } catch {
    return null;
  }
}
