// What mutations are made with: chance, words, picking, undoing, and coming to rest. `mutate([[kind, seed], …])` is what
// the campaign calls, in the page and in its frames; all that is random in it follows from the seeds.

// By name: () => how to undo it, or nothing, or a promise of either.
const kinds = {};
const undos = [];
let notes = [];
let generator = 0;

// Source: mulberry32.
function random() {
  generator = (generator + 0x6d2b79f5) | 0;
  let t = Math.imul(generator ^ (generator >>> 15), 1 | generator);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
}

const int = (n) => Math.floor(random() * n);
const chance = (p) => random() < p;
const oneOf = (list) => list[int(list.length)];
const WORDS = "amber birch cedar delta ember fjord grove heath inlet jetty knoll lagoon marsh north oasis prairie".split(" ");
const phrase = () => Array.from({ length: 1 + int(3) }, () => oneOf(WORDS)).join(" ");
const shuffled = (list) => list.map((item) => [random(), item]).sort((a, b) => a[0] - b[0]).map(([, item]) => item);

class Nothing extends Error {}
// How a page says that an earlier mutation has made this one impossible.
const REFUSALS = ["HierarchyRequestError", "NotSupportedError", "InvalidStateError", "NotFoundError", "NoModificationAllowedError"];

const note = (text) => notes.push(text);
const called = (el) => `${el.localName}${el.id ? `#${el.id}` : ""}${el.classList.length ? `.${el.classList[0]}` : ""}`;

function isInView(el) {
  const box = el.getBoundingClientRect();
  return box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
    && el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
}

// One of those that match, most often one in the viewport.
function pick(selector, root = document.body) {
  return pickOf([...root.querySelectorAll(selector)], selector);
}

function pickOf(there, what) {
  const shown = there.filter(isInView);
  const list = shown.length && chance(0.9) ? shown : there;
  if (!list.length) throw new Nothing(what);
  const el = oneOf(list);
  note(called(el));
  return el;
}

// Frames load anew when they are moved: only what is about frames touches them.
const FRAMELESS = ":not(iframe, :has(iframe), main, #page, #frames, #frames *)";
const pickPlain = (tags) => pick(`:is(${tags})${FRAMELESS}`);

function setAttribute(el, name, value) {
  const old = el.getAttribute(name);
  const put = (given) => given === null ? el.removeAttribute(name) : el.setAttribute(name, given);
  put(value);
  note(`${name}=${value}`);
  return () => put(old);
}

function setProperty(el, name, value) {
  const old = el[name];
  el[name] = value;
  note(`.${name} = ${value}`);
  return () => { el[name] = old; };
}

const TEMPLATES = [
  () => `<button type="button">${phrase()}</button>`,
  () => `<p>${phrase()} <a href="/new">${phrase()}</a></p>`,
  () => `<ul><li>${phrase()}<li>${phrase()} <button type="button">x</button></ul>`,
  () => `<label>${phrase()} <input value="${phrase()}"></label>`,
  () => `<h3>${phrase()}</h3>`,
  () => `<table><tr><td>${phrase()}<td><button type="button">${phrase()}</button></table>`,
  () => `<div class="box"><p>${phrase()}<p>${phrase()}<p>${phrase()}<p>${phrase()} <a href="/b">${phrase()}</a><p>${phrase()}</div>`,
  () => `<div class="pinned">${phrase()} <button type="button">${phrase()}</button></div>`,
  () => `<select aria-label="${phrase()}"><option>${phrase()}<option>${phrase()}</select>`,
  () => `<div class="plain k${int(8)}">${phrase()}</div>`,
  () => `<x-open>${phrase()}</x-open>`,
  () => `<x-closed>${phrase()}</x-closed>`,
  () => `<svg width="60" height="40"><text y="20">${phrase()}</text></svg>`,
  () => `${phrase()}`,
];
const markup = () => oneOf(TEMPLATES)();

function built(html) {
  const template = document.createElement("template");
  template.innerHTML = html;
  return document.importNode(template.content, true);
}

// what lives elsewhere

const framesHere = () => [...document.querySelectorAll("iframe")];
const apart = () => framesHere().filter((frame) => frame.contentDocument === null);
const same = () => framesHere().filter((frame) => frame.contentDocument !== null && frame.contentWindow.mutate !== undefined);
const windowsIn = (view) => 1 + Array.from({ length: view.length }, (_, i) => windowsIn(view[i])).reduce((a, b) => a + b, 0);
// Where each frame of another site is, however it got there.
const addresses = new WeakMap();
const LATE_MS = 20_000;
const inTime = (promise, what) => Promise.race([promise, new Promise((_, reject) => {
  setTimeout(() => reject(new Error(`${what} never came`)), LATE_MS);
})]);
const loaded = (el) => inTime(new Promise((resolve) => {
  for (const type of ["load", "error"]) el.addEventListener(type, resolve, { once: true });
}), `the load of ${el.outerHTML}`);

// Its element hears of the loading of a frame before the frame can be talked to: it says so itself.
function arrived(frame, url) {
  const { href } = new URL(url, document.baseURI);
  return inTime(new Promise((resolve) => {
    const hear = ({ source, data }) => {
      if (source !== frame.contentWindow || data.arrived !== href) return;
      removeEventListener("message", hear);
      resolve();
    };
    addEventListener("message", hear);
  }), `${href} in ${frame.outerHTML}`);
}

if (parent !== window) addEventListener("load", () => parent.postMessage({ arrived: location.href }, "*"), { once: true });

const answers = {
  size: () => [innerWidth, innerHeight],
  mutate: ({ wanted }) => mutate(wanted),
};
let asked = 0;

function ask(frame, question) {
  const number = ++asked;
  return inTime(new Promise((resolve) => {
    const hear = ({ source, data }) => {
      if (source !== frame.contentWindow || data.number !== number) return;
      removeEventListener("message", hear);
      resolve(data.answer);
    };
    addEventListener("message", hear);
    frame.contentWindow.postMessage({ ...question, number }, "*");
  }), `the answer to ${JSON.stringify(question)} of ${frame.outerHTML}`);
}

addEventListener("message", async ({ source, data }) => {
  if (data.ask) source.postMessage({ number: data.number, answer: await answers[data.ask](data) }, "*");
});

// Nothing is on its way any more: pictures have their size, and frames of other processes have heard of theirs.
async function rest() {
  await Promise.all([...document.images].filter((img) => !img.complete && !img.src.includes("/held/")).map(loaded));
  for (const frame of apart()) {
    for (let n = 0; n < 500 && frame.getClientRects().length; n++) {
      const [width, height] = await ask(frame, { ask: "size" });
      if (width === frame.clientWidth && height === frame.clientHeight) break;
    }
  }
}

kinds.undo = () => {
  if (!undos.length) throw new Nothing("mutation to undo");
  const [kind, undo] = undos.splice(int(undos.length), 1)[0];
  note(kind);
  return Promise.resolve(undo()).then(() => undefined);
};

async function apply(kind, seed) {
  generator = seed;
  notes = [];
  try {
    // A frame may be there before all of its scripts are.
    if (typeof kinds[kind] !== "function") throw new Nothing(kind);
    const undo = await kinds[kind]();
    if (typeof undo === "function") undos.push([kind, undo]);
  } catch (error) {
    if (error instanceof Nothing) note(`no ${error.message} there`);
    else if (REFUSALS.includes(error.name)) note(`refused: ${error.message}`);
    else throw error;
  }
  return `${kind}: ${notes.join(", ")}`;
}

// -> what was done in words, how many frames there are now (the page itself is one), and where those of other sites are
globalThis.mutate = async (wanted) => {
  const told = [];
  for (const [kind, seed] of wanted) told.push(await apply(kind, seed));
  await rest();
  return { told, frames: windowsIn(window), apart: apart().map((frame) => addresses.get(frame) ?? frame.src) };
};
