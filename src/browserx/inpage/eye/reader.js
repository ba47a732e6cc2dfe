// The eye's side of the reader (../reader.js): asking the page's own world, by an event nobody else knows, whether
// anything listens on an element.

const ASK = "__BROWSERX_ASK__";
let readers = new WeakMap();
const forgetReaders = () => { readers = new WeakMap(); };

// `shadow`: 0 in the document, 1 in an open root, 2 in a closed root or below one.
function askReader(el, shadow) {
  const doc = el.ownerDocument;
  let there = readers.get(doc);
  if (there === undefined) {
    there = !doc.dispatchEvent(new Event(ASK, { cancelable: true }));
    readers.set(doc, there);
  }
  if (!there) return 0;
  let ask = ASK;
  let composed = shadow !== 0;
  if (shadow === 2) {
    // Seen from outside, whatever is asked in a closed root seems to be asked of its host: ask inside only.
    const root = el.getRootNode();
    if (root.host?.shadowRoot === root) ask += "-inside";
    else composed = false;
  }
  const heard = (type) => !el.dispatchEvent(new Event(type, { cancelable: true, composed }));
  return heard(ask) ? F.LISTENER : heard(`${ask}-weak`) ? F.WEAK_LISTENER : 0;
}
