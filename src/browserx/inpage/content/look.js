// A look from inside the page, where nobody hands in closed shadow roots: what seems to have one is told as a place that
// cannot be read.

const CLOSED_ROOT = "(closed shadow root: script cannot read what is in it)";

class LookFromInside extends Look {
  maybeHost(here, first) {
    const { el, tag } = here;
    if (!(tag.includes("-") || SHADOW_HOSTS.has(tag)) || !here.shown || here.box.x2 - here.box.x1 < 8 || here.box.y2 - here.box.y1 < 8) return;
    if (!(first === null ? isDrawnFromInside(el, here.display) : hidesChildren(el))) return;
    this.flush();
    this.add([ROW.TEXT, here.depth, here.mirror, CLOSED_ROOT, here.inView ? 1 : 0]);
  }

  // Who is in question is asked where it is met; there is nobody outside who could tell more.
  suspect() {}
  freshen() {}
}

// Its children have no place in what is drawn: a root without a slot for them is drawn instead.
const hidesChildren = (el) => el.firstElementChild !== null && getComputedStyle(el.firstElementChild).display === "";

// It has no content, nothing is drawn before or after it, nobody gave it a size, and yet it takes room.
function isDrawnFromInside(el, display) {
  const style = getComputedStyle(el);
  if (["::before", "::after"].some((part) => !/^(none|normal|)$/.test(getComputedStyle(el, part).content))) return false;
  if (display === "inline") return true;
  if (el.clientHeight <= parseFloat(style.paddingTop) + parseFloat(style.paddingBottom)) return false;
  const given = el.computedStyleMap?.();
  if (!given) return el.localName.includes("-") && el.matches(":defined");
  // A grid or a row stretches what is in it.
  if (/flex|grid/.test(getComputedStyle(el.parentElement ?? el).display)) return el.localName.includes("-") && el.matches(":defined");
  return String(given.get("height")) === "auto" && /^(0px|auto)$/.test(String(given.get("min-height")))
    && String(given.get("aspect-ratio")) === "auto" && style.position !== "absolute" && style.position !== "fixed";
}
