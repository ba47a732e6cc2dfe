// Dragging, of both kinds: with data that the page hands to the browser (HTML5), and by pointer events alone. No browser
// drags for a button that was not pressed, so the data and who gets it are seen to here.

const BEGIN_PX = 6;
const DRAG_STEPS = 8;
const FIRST_EFFECT = { none: "none", copy: "copy", copyLink: "copy", copyMove: "copy", all: "copy", link: "link", linkMove: "link", move: "move" };

// From `point` of an element to the middle of another (`to`, by key), or by `offset`.
async function dragFrom(el, point, { to, offset }) {
  const end = to ? spot(to) : [point[0] + offset[0], point[1] + offset[1]];
  if (!end) return "apart";
  const at = (share) => [point[0] + (end[0] - point[0]) * share, point[1] + (end[1] - point[1]) * share];
  const far = Math.max(Math.abs(end[0] - point[0]), Math.abs(end[1] - point[1]), 1);
  const beginning = [1, BEGIN_PX / 2, BEGIN_PX].map((px) => at(Math.min(1, px / far)));
  const path = Array.from({ length: DRAG_STEPS }, (_, step) => at((step + 1) / DRAG_STEPS));
  const source = underPoint(el, point);
  const hand = new Hand(source, point);
  const capture = new Capture(source.ownerDocument.defaultView);
  try {
    hand.move(point, 0);
    const dragged = hand.press() ? draggedBy(source) : null;
    for (const place of beginning) hand.move(place, 1, capture.holder);
    if (dragged && await carryData(dragged, path)) return { done: "", point: end };
    for (const place of path) {
      // Pages draw between two moves, and some decide only then what is under the pointer.
      await frame();
      hand.move(place, 1, capture.holder);
    }
    hand.release(end, capture.holder);
    return { done: "", point: end };
  } finally {
    capture.end();
  }
}

// The pointer with its button down.
class Hand {
  constructor(el, point) {
    this.pressed = el;
    this.pointer = new Pointer(el, point, 0);
    this.compatible = true;
  }

  // What lies at a point of the top viewport, or who has caught the pointer.
  over([x, y], holder) {
    return holder ?? hitAt(x, y) ?? this.pressed.ownerDocument.documentElement;
  }

  move(point, buttons, holder = null) {
    const el = this.over(point, holder);
    this.pointer = new Pointer(el, point, 0);
    if (hovered.deref() !== el) this.pointer.enter();
    this.pointer.fire("pointermove", { buttons, button: -1 });
    if (this.compatible) this.pointer.fire("mousemove", { buttons });
  }

  // -> whether the browser may drag from here
  press() {
    this.compatible = this.pointer.fire("pointerdown", { button: 0, buttons: 1 });
    if (!this.compatible) return true;
    const goesOn = this.pointer.fire("mousedown", { button: 0, buttons: 1, detail: 1 });
    if (goesOn) takeFocus(this.pressed);
    return goesOn;
  }

  release(point, holder) {
    const el = this.over(point, holder);
    this.pointer = new Pointer(el, point, 0);
    this.pointer.fire("pointerup", { button: 0, buttons: 0 });
    if (this.compatible) this.pointer.fire("mouseup", { button: 0, buttons: 0, detail: 1 });
    // Where it is let go of what it was pressed on, that is a click.
    if (el === this.pressed && el.isConnected) this.pointer.fire("click", { button: 0, buttons: 0, detail: 1 });
  }
}

// A pointer that is none cannot be caught by the browser: while a drag lasts, that is kept here.
class Capture {
  constructor({ Element }) {
    this.holder = null;
    this.prototype = Element.prototype;
    const { setPointerCapture, releasePointerCapture, hasPointerCapture } = this.prototype;
    this.before = { setPointerCapture, releasePointerCapture, hasPointerCapture };
    const capture = this;
    Object.assign(this.prototype, {
      setPointerCapture() {
        capture.holder = this;
      },
      releasePointerCapture() {
        if (capture.holder === this) capture.holder = null;
      },
      hasPointerCapture() {
        return capture.holder === this;
      },
    });
  }

  end() {
    Object.assign(this.prototype, this.before);
  }
}

// What the browser would drag: the first around it that can be, links and pictures by themselves.
const draggedBy = (el) => lineage(el).find((up) => up.draggable) ?? null;

// -> whether the page has it dragged with data; then it was, to the end of the path
async function carryData(el, path) {
  const view = el.ownerDocument.defaultView;
  const data = withEffects(new view.DataTransfer());
  if (el.href || el.src) {
    data.setData("text/uri-list", el.href || el.src);
    data.setData("text/plain", el.href || el.src);
  }
  const fire = (type, to, [x, y], more = {}) => {
    const pointer = new Pointer(to, [x, y], 0);
    return to.dispatchEvent(new pointer.view.DragEvent(type, { ...pointer.at, bubbles: true, cancelable: true, composed: true, dataTransfer: data, ...more }));
  };
  const from = path[0];
  if (!fire("dragstart", el, from)) return false;
  // The browser takes the pointer: the page hears no more of it until it is let go.
  new Pointer(el, from, 0).fire("pointercancel");
  const allowed = data.effectAllowed;
  let over = null;
  let accepts = false;
  let place = from;
  for (place of path) {
    // Pages change on `dragstart`, and between two steps, by the next frame.
    await frame();
    fire("drag", el, place);
    const now = hitAt(place[0], place[1]) ?? over;
    if (!now) continue;
    if (now !== over) {
      fire("dragenter", now, place, { relatedTarget: over });
      if (over?.isConnected) fire("dragleave", over, place, { relatedTarget: now });
      over = now;
    }
    data.dropEffect = FIRST_EFFECT[allowed] ?? "copy";
    accepts = !fire("dragover", now, place) && isAllowed(data.dropEffect, allowed);
  }
  if (over?.isConnected) {
    if (accepts) fire("drop", over, place);
    else fire("dragleave", over, place);
  }
  if (!accepts) data.dropEffect = "none";
  // It is told to what was dragged, also where the page has taken that out meanwhile.
  fire("dragend", el, place, { cancelable: false });
  return true;
}

// The browser keeps the effects of its own drags only, and ignores what is set on others.
function withEffects(data) {
  const kept = { dropEffect: "none", effectAllowed: "uninitialized" };
  const known = { dropEffect: EFFECTS, effectAllowed: [...Object.keys(FIRST_EFFECT), "uninitialized"] };
  for (const name of Object.keys(kept)) {
    Object.defineProperty(data, name, { configurable: true, get: () => kept[name], set(value) {
      if (known[name].includes(value)) kept[name] = value;
    } });
  }
  return data;
}

const EFFECTS = ["none", "copy", "link", "move"];

const isAllowed = (effect, allowed) => effect !== "none"
  && (allowed === "uninitialized" || allowed === "all" || allowed.toLowerCase().includes(effect));
