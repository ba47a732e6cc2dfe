// The eye's side of the reader (../reader.js): asking the page's own world, by an event nobody else knows, whether
// anything listens on an element.

const ASK = "__BROWSERX_ASK__";
let readers = new WeakMap();
let surveys = new WeakMap();
const forgetReaders = () => {
  readers = new WeakMap();
  surveys = new WeakMap();
};

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
  return !heard(ask) ? 0 : heard(`${ask}-strong`) ? F.LISTENER : F.WEAK_LISTENER;
}

// The same, for the many: the reader goes through the whole document once, and answers at each element that something
// listens on. What is in closed roots has to be asked for.
function surveyed(el) {
  const doc = el.ownerDocument;
  let survey = surveys.get(doc);
  if (survey === undefined) surveys.set(doc, survey = takeSurvey(doc));
  return survey.get(el) ?? 0;
}

function takeSurvey(doc) {
  const survey = new Map();
  const view = doc.defaultView;
  const hears = (flag) => (event) => {
    event.stopImmediatePropagation();
    survey.set(event.composedPath()[0], flag);
  };
  const answers = [[`${ASK}-is-strong`, hears(F.LISTENER)], [`${ASK}-is-weak`, hears(F.WEAK_LISTENER)]];
  for (const [type, hear] of answers) view.addEventListener(type, hear, true);
  doc.dispatchEvent(new Event(`${ASK}-all`));
  for (const [type, hear] of answers) view.removeEventListener(type, hear, true);
  return survey;
}
