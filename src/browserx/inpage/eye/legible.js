// Whether a person could read a text: what is written in the colour of what it stands on is meant for others.
// Source of contrast: WCAG 2.2, relative luminance.

const LEGIBLE = 2;
const FAINT = 1; // it can be made out, by those who look for it
const UNREADABLE = 0;
const NIL_CONTRAST = 1.06;
const FAINT_CONTRAST = 1.4;
const FAINT_PX = 4;
const CLEAR = "rgba(0, 0, 0, 0)";
const ANCESTORS_LOOKED_AT = 8;
const NEIGHBOURS_LOOKED_AT = 40;
const MEDIA = "img,picture,video,canvas,svg,iframe,object,embed";

// The plain colour that what is in an element stands on, null where nobody can tell without painting it.
function groundOf(style, position, w) {
  if (style.backgroundImage !== "none") return null;
  const colour = style.backgroundColor;
  if (colour !== CLEAR) return colour.startsWith("rgb(") ? colour : null;
  // What is placed freely stands on whatever is there.
  return position !== "absolute" && position !== "fixed" ? w.ground : null;
}

const firstGround = (doc) => /^(normal|light|only light)$/.test(getComputedStyle(doc.documentElement).colorScheme) ? "rgb(255, 255, 255)" : null;

// Fonts that draw a word as a picture.
const ICON_FONT = /material (icons|symbols)|icomoon|fontello|\bicons?\b/i;

function legibility(here) {
  const { el, style } = here;
  if (isIconFont(style.fontFamily)) return UNREADABLE;
  const size = parseFloat(style.fontSize);
  if (size < 1) return UNREADABLE;
  const indent = style.textIndent;
  if (indent !== "0px" && parseFloat(indent) < -999) return UNREADABLE;
  const ink = style.webkitTextFillColor;
  const { ground } = here;
  const level = ink === CLEAR ? UNREADABLE : ground === null ? LEGIBLE : contrastLevel(ink, ground);
  if (level !== LEGIBLE) {
    if (style.textShadow !== "none" || style.backgroundClip === "text" || style.webkitTextStrokeWidth !== "0px") return LEGIBLE;
    if (ink === CLEAR || !isPaintedBehind(el)) return level;
  }
  return size < FAINT_PX ? FAINT : LEGIBLE;
}

const iconFonts = new Map();

function isIconFont(family) {
  let is = iconFonts.get(family);
  if (is === undefined) {
    is = ICON_FONT.test(family);
    if (iconFonts.size > 500) iconFonts.clear();
    iconFonts.set(family, is);
  }
  return is;
}

const levels = new Map();

function contrastLevel(ink, ground) {
  let onGround = levels.get(ground);
  if (onGround === undefined) {
    if (levels.size > 500) levels.clear();
    levels.set(ground, onGround = new Map());
  }
  let level = onGround.get(ink);
  if (level === undefined) {
    const [a, b] = [luminance(blended(ink, ground)), luminance(channels(ground))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    level = contrast < NIL_CONTRAST ? UNREADABLE : contrast < FAINT_CONTRAST ? FAINT : LEGIBLE;
    if (onGround.size > 500) onGround.clear();
    onGround.set(ink, level);
  }
  return level;
}

const channels = (colour) => colour.match(/-?[\d.]+/g)?.map(Number) ?? [0, 0, 0];

function blended(ink, ground) {
  const [r, g, b, alpha = 1] = channels(ink);
  // Colours of other kinds (oklch, color(…)) are not judged.
  if (!ink.startsWith("rgb")) return [-1, -1, -1];
  return [r, g, b].map((c, i) => c * alpha + channels(ground)[i] * (1 - alpha));
}

function luminance(rgb) {
  if (rgb[0] < 0) return 1e9;
  const [r, g, b] = rgb.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// Whether something that is not around the element is drawn where it is: a picture that its words stand on.
function isPaintedBehind(el) {
  const at = el.getBoundingClientRect();
  const meets = (other) => {
    const box = other.getBoundingClientRect();
    return box.left < at.right && box.right > at.left && box.top < at.bottom && box.bottom > at.top;
  };
  const paints = (other) => {
    const style = getComputedStyle(other);
    return style.backgroundImage !== "none" || style.backgroundColor !== CLEAR || other.matches(MEDIA) || other.querySelector(MEDIA) !== null;
  };
  let inner = el;
  for (let up = parentOf(el), n = 0; up?.nodeType === 1 && n < ANCESTORS_LOOKED_AT; inner = up, up = parentOf(up), n++) {
    let looked = 0;
    for (const other of up.children) {
      if (other !== inner && !NEVER_SHOWN.has(other.localName) && meets(other) && paints(other)) return true;
      if (++looked > NEIGHBOURS_LOOKED_AT) return true;
    }
    if (["::before", "::after"].some((which) => getComputedStyle(up, which).content !== "none" && getComputedStyle(up, which).position === "absolute")) return true;
  }
  return false;
}
