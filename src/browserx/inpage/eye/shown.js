// Whether a person could see an element, and how far scrolling can bring it.

const OPAQUE_FROM = 0.05;
const PROXIED_TYPES = words("checkbox radio file range");

// How far scrolling can reach in a document: not to the left of or above its start.
function reachOf(doc, place) {
  const view = doc.defaultView;
  const top = getComputedStyle(doc.documentElement);
  const body = doc.body ? getComputedStyle(doc.body) : top;
  const rtl = top.direction === "rtl" || body.direction === "rtl";
  const hides = (axis) => /^(hidden|clip)$/.test(top[axis] !== "visible" ? top[axis] : body[axis]);
  // A dialog that keeps the page from scrolling does so for as long as it is there.
  const isLocked = () => doc.querySelector("[aria-modal=true],dialog[open]") !== null;
  const x1 = hides("overflowX") ? 0 : rtl ? -Infinity : -view.scrollX;
  const x2 = hides("overflowX") ? view.innerWidth : Infinity;
  const y1 = -view.scrollY;
  const y2 = hides("overflowY") && !isLocked() ? view.innerHeight : Infinity;
  return place.box({ left: x1, top: y1, right: x2, bottom: y2 });
}

// The overflow of the root, or of the body when the root has none, belongs to the viewport and clips nothing here.
const takesViewport = (el, tag) => tag === "html" || (tag === "body" && getComputedStyle(el.ownerDocument.documentElement).overflowY === "visible");

const CLIPS_ALL = /^(inset\((50|100)%|(circle|ellipse)\(0(px|%)?[ )]|polygon\((0(px|%)? 0(px|%)?,? ?)+\))/;
// Opacity by filter instead of by the property.
const FILTERED_AWAY = /opacity\(0(%|\.0\d*)?\)/;

function isClippedAway(style, position = style.position) {
  if ((position === "absolute" || position === "fixed") && style.clip !== "auto") {
    const [top, right, bottom, left] = style.clip.match(/-?[\d.]+/g)?.map(Number) ?? [0, 9, 9, 0];
    if (right - left <= 1 || bottom - top <= 1) return true;
  }
  const path = style.clipPath;
  return path !== "none" && CLIPS_ALL.test(path);
}

// A frame of a pixel counts visits; nobody sees what is in it.
const isTiny = (box) => box.x2 - box.x1 < 2 || box.y2 - box.y1 < 2;

const CHILDREN_MEASURED = 60;

// A control whose own box is nothing while what it holds is drawn: a link around a float, anything with display:contents.
const mayCollapse = (el, tag, display) => (display === "inline" || display === "contents") && el.firstElementChild !== null
  && (isNative(el, tag) || el.hasAttribute("role") || el.hasAttribute("tabindex") || el.hasAttribute("onclick"));

function drawnBox(el, place) {
  const all = new Box(Infinity, Infinity, -Infinity, -Infinity);
  let measured = 0;
  const take = (parent) => {
    for (const child of parent.children) {
      if (++measured > CHILDREN_MEASURED) return;
      const box = place.box(child.getBoundingClientRect());
      if (box.empty) take(child);
      else if (child.checkVisibility({ visibilityProperty: true, opacityProperty: true })) {
        all.x1 = Math.min(all.x1, box.x1);
        all.y1 = Math.min(all.y1, box.y1);
        all.x2 = Math.max(all.x2, box.x2);
        all.y2 = Math.max(all.y2, box.y2);
      }
    }
  };
  take(rootOf(el) ?? el);
  return all.x2 > all.x1 ? all : place.box(el.getBoundingClientRect());
}

// The box a control is drawn in.
function boxOf(el, place = placeOf(el)) {
  if (el.localName === "area") return areaBox(el, place);
  const box = place.box(el.getBoundingClientRect());
  return box.empty && mayCollapse(el, el.localName, getComputedStyle(el).display) ? drawnBox(el, place) : box;
}

function isProxied(control) {
  const tag = control.localName;
  if (!(tag === "select" || tag === "button" || (tag === "input" && PROXIED_TYPES.has(control.type)))) return false;
  if (!control.checkVisibility({ visibilityProperty: true })) return true;
  const rect = control.getBoundingClientRect();
  if (rect.width < 2 || rect.height < 2) return true;
  const style = getComputedStyle(control);
  if (style.opacity === "0" && style.pointerEvents === "none") return true;
  return isClippedAway(style) || rect.right + scrollX <= 0 || rect.bottom + scrollY <= 0;
}

// What draws a slider that is clipped away inside of it: its thumb, which holds nothing else.
function drawingOf(control) {
  const around = control.parentElement;
  if (control.type !== "range" || !around || !isClippedAway(getComputedStyle(control))) return null;
  if (around.childElementCount > 1 && around.querySelectorAll("input,select,button,textarea,a").length > 1) return null;
  return around.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !around.textContent.trim() ? around : null;
}

// A field that cannot be seen itself but takes the clicks meant for the drawing under it: it alone is transparent, or
// with a wrapper of its own size.
function isOverDrawing({ el, tag, box, faded, style }) {
  if (!/^(input|select|textarea)$/.test(tag) || box.x2 - box.x1 < 6 || box.y2 - box.y1 < 6) return false;
  if (style.pointerEvents === "none" || el.getAttribute("aria-hidden") === "true") return false;
  if (faded === el) return true;
  const wrapper = faded.getBoundingClientRect();
  return (box.x2 - box.x1) * (box.y2 - box.y1) >= 0.5 * wrapper.width * wrapper.height;
}

const entersSvg = (el, box) => box.x2 - box.x1 > 48 || box.y2 - box.y1 > 48
  || el.querySelector("a,[role],[tabindex],[onclick],foreignObject") !== null;

function scrollOf({ el, style, overflow }) {
  if (overflow === "visible" || overflow === "hidden") return null;
  const scrolls = (o) => o === "auto" || o === "scroll";
  const x = scrolls(style.overflowX) && el.scrollWidth > el.clientWidth + 1;
  const y = scrolls(style.overflowY) && el.scrollHeight > el.clientHeight + 1;
  if (!(x || y) || el === document.scrollingElement || el.localName === "html" || el.localName === "textarea") return null;
  return [Math.round(el.scrollLeft), Math.round(el.scrollTop), el.clientWidth, el.clientHeight, el.scrollWidth, el.scrollHeight];
}
