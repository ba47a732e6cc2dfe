// The eye's side of the reader (../reader.js): asking the page's own world, by an event nobody else knows, whether
// anything listens on an element.

const ASK = "__BROWSERX_ASK__";
let readers = new WeakMap();
const forgetReaders = () => { readers = new WeakMap(); };

function askReader(el) {
  const doc = el.ownerDocument;
  let there = readers.get(doc);
  if (there === undefined) {
    there = !doc.dispatchEvent(new Event(ASK, { cancelable: true }));
    readers.set(doc, there);
  }
  if (!there) return 0;
  const heard = (type) => !el.dispatchEvent(new Event(type, { cancelable: true, composed: true }));
  return heard(ASK) ? F.LISTENER : heard(`${ASK}-weak`) ? F.WEAK_LISTENER : 0;
}
