// Synthetic pointer input, in the order the specification gives:
// pointerover/enter, mouseover/enter, pointerdown, mousedown, focus, pointerup, mouseup, click.

let hovered = new WeakRef(document);

const heldKeys = (bits = 0) => ({ altKey: !!(bits & 1), ctrlKey: !!(bits & 2), metaKey: !!(bits & 4), shiftKey: !!(bits & 8) });

// The events of one pointer at one place of one element. Every `fire` says whether nobody prevented the default.
class Pointer {
  constructor(el, point, held) {
    this.el = el;
    this.view = el.ownerDocument.defaultView;
    const [x, y] = placeOf(el).inward(point[0], point[1]);
    this.at = { view: this.view, clientX: x, clientY: y, screenX: x + this.view.screenX, screenY: y + this.view.screenY, ...heldKeys(held) };
  }

  fire(type, { to = this.el, bubbles = true, ...more } = {}) {
    const isPointer = type.startsWith("pointer") || /^(click|auxclick|contextmenu)$/.test(type);
    const init = { ...this.at, bubbles, cancelable: bubbles, composed: true, ...more };
    if (isPointer) Object.assign(init, { pointerId: 1, pointerType: "mouse", isPrimary: true, pressure: type !== "click" && init.buttons ? 0.5 : 0 });
    return to.dispatchEvent(new this.view[isPointer ? "PointerEvent" : "MouseEvent"](type, init));
  }

  // From where the pointer was to here.
  enter() {
    const from = hovered.deref();
    const left = from && from.nodeType === 1 && from.isConnected && from !== this.el ? from : null;
    hovered = new WeakRef(this.el);
    const out = left ? lineage(left).filter((el) => !contains(el, this.el)) : [];
    const into = lineage(this.el).filter((el) => !left || !contains(el, left)).reverse();
    if (left) {
      for (const kind of ["pointer", "mouse"]) {
        this.fire(`${kind}out`, { to: left, relatedTarget: this.el });
        for (const el of out) this.fire(`${kind}leave`, { to: el, bubbles: false, relatedTarget: this.el });
      }
    }
    for (const kind of ["pointer", "mouse"]) {
      this.fire(`${kind}over`, { relatedTarget: left });
      for (const el of into) this.fire(`${kind}enter`, { to: el, bubbles: false, relatedTarget: left });
    }
  }

  // -> whether the element was there to the end
  press(button, count) {
    const holds = { button, detail: count, buttons: [1, 4, 2][button] };
    const released = { button, detail: count, buttons: 0 };
    const compatible = this.fire("pointerdown", { ...holds, detail: 0 });
    if (compatible && this.fire("mousedown", holds)) takeFocus(this.el);
    if (button === 2) this.fire("contextmenu", holds);
    if (!this.el.isConnected) return false;
    this.fire("pointerup", { ...released, detail: 0 });
    if (compatible) this.fire("mouseup", released);
    if (!this.el.isConnected) return false;
    this.fire(button === 0 ? "click" : "auxclick", released);
    if (count === 2 && this.el.isConnected) this.fire("dblclick", released);
    return true;
  }
}

// An element and all it is in, in its own document, innermost first.
function lineage(el) {
  const line = [];
  for (let up = el; up && up.nodeType === 1 && up.ownerDocument === el.ownerDocument; up = parentOf(up)) line.push(up);
  return line;
}

const FOCUSABLE = "a[href],area[href],button,input,select,textarea,summary,iframe,[tabindex],[contenteditable]:not([contenteditable=false])";

// What a press gives the focus to: the first around it that takes it, else nobody.
function takeFocus(el) {
  const taker = lineage(el).find((up) => up.matches(FOCUSABLE) && !isDisabled(up));
  if (taker) giveFocus(taker);
  else {
    const doc = el.ownerDocument;
    if (doc.activeElement && doc.activeElement !== doc.body) dropFocus(doc.activeElement);
  }
}

// A window that is not in front tells nobody of the focus it moves: then it is told here.
function hears(el, type, move) {
  let told = false;
  const hear = () => {
    told = true;
  };
  el.addEventListener(type, hear, { capture: true, once: true });
  move();
  el.removeEventListener(type, hear, { capture: true });
  return told;
}

function tellFocus(to, types, relatedTarget) {
  const { defaultView: view } = to.ownerDocument;
  for (const type of types) to.dispatchEvent(new view.FocusEvent(type, { bubbles: type.endsWith("in") || type.endsWith("out"), composed: true, view, relatedTarget }));
}

// -> whether it has the focus now
function giveFocus(el) {
  const root = el.getRootNode();
  const before = root.activeElement;
  const told = hears(el, "focus", () => el.focus({ preventScroll: true }));
  const has = root.activeElement === el || el.contains(root.activeElement);
  if (has && !told && before !== root.activeElement) {
    if (before && before !== root.body) tellFocus(before, ["blur", "focusout"], el);
    tellFocus(el, ["focus", "focusin"], before);
  }
  return has;
}

function dropFocus(el) {
  const had = el.getRootNode().activeElement === el;
  if (!hears(el, "blur", () => el.blur()) && had) tellFocus(el, ["blur", "focusout"], null);
}

const BUTTONS = { left: 0, middle: 1, right: 2 };

// What really lies at the point of an element that is fit to be clicked.
function underPoint(el, point) {
  const hit = hitAt(point[0], point[1]);
  return hit && reachesTarget(el, hit, standIn(el)) ? hit : el;
}

function clickOn(el, point, { button = "left", count = 1, held = 0 }) {
  if (el.localName === "select" && button === "left") return giveFocus(el);
  const pointer = new Pointer(underPoint(el, point), point, held);
  pointer.enter();
  for (let n = 1; n <= count; n++) if (!pointer.press(BUTTONS[button], n)) return false;
  return true;
}

function hoverOver(el, point, { held = 0 }) {
  const pointer = new Pointer(underPoint(el, point), point, held);
  pointer.enter();
  pointer.fire("pointermove");
  pointer.fire("mousemove");
  return true;
}
