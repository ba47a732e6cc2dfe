// In place of the eye's own reader: who listens cannot be asked of the browser here, but what is set as a property, and
// what frameworks keep on their elements, can be seen from the page's own world.

const STRONG = ["click", "mousedown", "pointerdown", "dblclick"];
const WEAK = ["mouseup", "pointerup", "touchstart", "touchend", "contextmenu", "dragstart", "keydown", "keyup", "keypress"];
const STRONG_PROPS = ["onClick", "onClickCapture", "onMouseDown", "onPointerDown", "onDoubleClick"];
const WEAK_PROPS = ["onMouseUp", "onPointerUp", "onTouchStart", "onContextMenu", "onDragStart", "onKeyDown"];
const surveys = new WeakMap(); // looks are never taken again from here: see still.js
const forgetReaders = () => {};

function askReader(el) {
  const kept = keptBy(el);
  if (heeds(el, kept, STRONG, STRONG_PROPS)) return F.LISTENER;
  return heeds(el, kept, WEAK, WEAK_PROPS) ? F.WEAK_LISTENER : 0;
}

const surveyed = askReader;
const takeSurvey = () => new Map();

const isHandler = (value) => typeof value === "function" || Array.isArray(value);

// -> [name or "", what is kept under it]: properties frameworks hang on their elements. Getters are not called.
function keptBy(el) {
  const kept = [];
  for (const name of Reflect.ownKeys(el)) {
    const value = Object.getOwnPropertyDescriptor(el, name)?.value;
    if (value !== null && (typeof value === "object" || typeof value === "function")) kept.push([typeof name === "symbol" ? "" : name, value]);
  }
  return kept;
}

function heeds(el, kept, types, props) {
  if (types.some((type) => typeof el[`on${type}`] === "function")) return true;
  return kept.some(([name, value]) => {
    const own = (key) => Object.getOwnPropertyDescriptor(value, key)?.value;
    if (name.startsWith("__reactProps$") || name.startsWith("__reactEventHandlers$")) return props.some((prop) => typeof own(prop) === "function");
    // Svelte and Solid: __click, $$click, or all of them under one symbol.
    if (name.startsWith("__") || name.startsWith("$$")) return types.includes(name.slice(2)) && isHandler(value);
    return name === "" && types.some((type) => isHandler(own(type)));
  });
}
