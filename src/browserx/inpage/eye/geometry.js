// Boxes, and which part of them can be seen. All boxes are in CSS px of this world's own viewport.

class Box {
  constructor(x1, y1, x2, y2) {
    this.x1 = x1;
    this.y1 = y1;
    this.x2 = x2;
    this.y2 = y2;
  }
  get empty() {
    return this.x2 - this.x1 < 0.99 || this.y2 - this.y1 < 0.99;
  }
  meets(other) {
    return this.x1 < other.x2 && this.x2 > other.x1 && this.y1 < other.y2 && this.y2 > other.y1;
  }
  // Whether the part that `other` lets through is more than a line.
  showsIn(other) {
    return Math.min(this.x2, other.x2) - Math.max(this.x1, other.x1) >= 0.99 && Math.min(this.y2, other.y2) - Math.max(this.y1, other.y1) >= 0.99;
  }
  inside(other) {
    return this.x1 >= other.x1 && this.x2 <= other.x2 && this.y1 >= other.y1 && this.y2 <= other.y2;
  }
  cut(other) {
    return new Box(Math.max(this.x1, other.x1), Math.max(this.y1, other.y1), Math.min(this.x2, other.x2),
      Math.min(this.y2, other.y2));
  }
}
const EVERYWHERE = new Box(-Infinity, -Infinity, Infinity, Infinity);

// Where a document's viewport lies in ours: same-origin frames are walked from outside, and may be scaled.
class Place {
  constructor(dx, dy, sx, sy) {
    this.dx = dx;
    this.dy = dy;
    this.sx = sx;
    this.sy = sy;
  }
  box(rect) {
    if (this === HERE) return new Box(rect.left, rect.top, rect.right, rect.bottom);
    return new Box(this.dx + rect.left * this.sx, this.dy + rect.top * this.sy, this.dx + rect.right * this.sx,
      this.dy + rect.bottom * this.sy);
  }
  inward(x, y) {
    return [(x - this.dx) / this.sx, (y - this.dy) / this.sy];
  }
}
const HERE = new Place(0, 0, 1, 1);

function placeInside(frame, outer) {
  const rect = frame.getBoundingClientRect();
  const kx = frame.offsetWidth ? rect.width / frame.offsetWidth : 1;
  const ky = frame.offsetHeight ? rect.height / frame.offsetHeight : 1;
  const style = getComputedStyle(frame);
  const left = rect.left + (frame.clientLeft + parseFloat(style.paddingLeft || 0)) * kx;
  const top = rect.top + (frame.clientTop + parseFloat(style.paddingTop || 0)) * ky;
  return new Place(outer.dx + left * outer.sx, outer.dy + top * outer.sy, outer.sx * kx, outer.sy * ky);
}

function placeOf(element) {
  const frames = [];
  for (let w = element.ownerDocument.defaultView; w && w !== globalThis && w.frameElement; w = w.parent) {
    frames.push(w.frameElement);
  }
  return frames.reduceRight((place, frame) => placeInside(frame, place), HERE);
}

function contentBox(frame, place) {
  const inner = placeInside(frame, place);
  const style = getComputedStyle(frame);
  const width = frame.clientWidth - parseFloat(style.paddingLeft || 0) - parseFloat(style.paddingRight || 0);
  const height = frame.clientHeight - parseFloat(style.paddingTop || 0) - parseFloat(style.paddingBottom || 0);
  return new Box(inner.dx, inner.dy, inner.dx + width * inner.sx, inner.dy + height * inner.sy);
}

// What was hit where, for as long as nothing can move: things that lie over each other are asked at the same point.
let hitsKnown = null;

// The element a click at this point would reach, through shadow roots and same-origin frames.
function hitAt(x, y) {
  if (hitsKnown === null) return hitNow(x, y);
  const at = `${x} ${y}`;
  let hit = hitsKnown.get(at);
  if (hit === undefined) hitsKnown.set(at, hit = hitNow(x, y));
  return hit;
}

function hitNow(x, y) {
  let scope = document;
  let hit = null;
  for (;;) {
    const next = scope.elementFromPoint(x, y);
    if (!next || next === hit || (scope.nodeType === 11 && next.getRootNode() !== scope)) return hit;
    hit = next;
    const root = rootOf(hit);
    if (root) {
      scope = root;
      continue;
    }
    const inner = isFrame(hit) ? frameDocument(hit) : null;
    if (!inner) return hit;
    [x, y] = placeInside(hit, HERE).inward(x, y);
    scope = inner;
  }
}

// The picture that an area is a part of.
function pictureOf(area) {
  const name = area.closest("map")?.name;
  return name ? area.ownerDocument.querySelector(`img[usemap="#${CSS.escape(name)}"]`) : null;
}

// The box around an area, whatever its shape.
function areaBox(area, place) {
  const rect = pictureOf(area)?.getBoundingClientRect();
  if (!rect) return new Box(0, 0, 0, 0);
  const n = area.coords.split(/[\s,;]+/).map(parseFloat);
  const shape = area.shape.toLowerCase();
  let edges = [0, 0, rect.width, rect.height];
  if (shape.startsWith("circ")) edges = [n[0] - n[2], n[1] - n[2], n[0] + n[2], n[1] + n[2]];
  else if (shape !== "default" && n.length > 3) {
    const xs = n.filter((_, i) => i % 2 === 0);
    const ys = n.filter((_, i) => i % 2 === 1);
    edges = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  } else if (shape !== "default") return new Box(0, 0, 0, 0);
  // What is no number makes no shape.
  if (!edges.every(Number.isFinite)) return new Box(0, 0, 0, 0);
  return place.box({ left: rect.left + edges[0], top: rect.top + edges[1], right: rect.left + edges[2], bottom: rect.top + edges[3] });
}

const isFrame = (element) => element.localName === "iframe" || element.localName === "frame"
  || (element.localName === "object" && element.contentWindow !== null);
