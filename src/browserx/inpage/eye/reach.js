// Who would get a click.

// A point of `part` where a click reaches the element: its centre if it does, else the next best place.
// -> {ok: true, off: [x, y] or undefined} or {ok: false, by: the element that would get the click}
function reachablePoint(el, part, { inline = false, stand = null } = {}) {
  const at = (fx, fy) => [part.x1 + (part.x2 - part.x1) * fx, part.y1 + (part.y2 - part.y1) * fy];
  let by = null;
  const reaches = ([x, y]) => {
    const hit = hitAt(x, y);
    if (!hit) return false;
    if (reachesTarget(el, hit, stand)) return true;
    by ??= hit;
    return false;
  };
  if (reaches(at(0.5, 0.5))) return { ok: true };
  if (by !== null && coversAll(by, el, part)) return { ok: false, by };
  if (inline) {
    // The centre of a link that wraps may lie between its lines.
    const place = placeOf(el);
    for (const rect of [...el.getClientRects()].slice(0, 3)) {
      const line = place.box(rect).cut(part);
      const point = [(line.x1 + line.x2) / 2, (line.y1 + line.y2) / 2];
      if (!line.empty && reaches(point)) return { ok: true, off: point.map(Math.round) };
    }
  }
  for (const [fx, fy] of [[0.15, 0.2], [0.85, 0.8], [0.85, 0.2], [0.15, 0.8]]) {
    const point = at(fx, fy);
    if (reaches(point)) return { ok: true, off: point.map(Math.round) };
  }
  return { ok: false, by };
}

// Whether what lies over one point of `part` lies over all of it: then there is no other to be tried.
function coversAll(by, el, part) {
  if (contains(by, el) || !part.inside(placeOf(by).box(by.getBoundingClientRect()))) return false;
  const style = getComputedStyle(by);
  return style.display !== "inline" && style.clipPath === "none" && style.borderRadius === "0px" && style.transform === "none";
}

function reachesTarget(el, hit, stand) {
  if (el.localName === "area") return hit === el;
  if (contains(el, hit) || (stand && contains(stand, hit))) return true;
  if (labelsOf(el).some((label) => contains(label, hit))) return true;
  if (!contains(hit, el)) return isDrawnBy(el, hit);
  // What lets the pointer through is clicked by way of what is around it, but not by way of the page as a whole: there the
  // page lets everything through while something else is to be answered. Text that stands in a slot is hit as its host's.
  return (getComputedStyle(el).pointerEvents === "none" && hit.localName !== "html" && hit.localName !== "body")
    || (rootOf(hit) !== null && holdsSlottedText(el));
}

// A field that is transparent is drawn by what stands beside it, in a wrapper not much larger.
function isDrawnBy(el, hit) {
  if (!/^(input|select|textarea)$/.test(el.localName) || getComputedStyle(el).opacity !== "0") return false;
  const area = (box) => box.width * box.height;
  const own = area(el.getBoundingClientRect());
  let wrapper = el.parentElement;
  for (let n = 0; wrapper && n < 2; wrapper = wrapper.parentElement, n++) {
    if (area(wrapper.getBoundingClientRect()) > WRAPPER_AREA * own) return false;
    if (wrapper.contains(hit)) return true;
  }
  return false;
}

const WRAPPER_AREA = 4;

const holdsSlottedText = (el) => [el, ...el.querySelectorAll("slot")].some((slot) => slot.localName === "slot"
  && slot.assignedNodes({ flatten: true }).some((node) => node.nodeType === 3 && /\S/.test(node.data)));

function describe(el) {
  const name = squeeze(el.getAttribute("aria-label") || el.textContent || "").slice(0, 40);
  const id = el.id ? `#${el.id}` : el.classList.length ? `.${el.classList[0]}` : "";
  return name ? `${el.localName}${id} "${name}"` : `${el.localName}${id}`;
}
