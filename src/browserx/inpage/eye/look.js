// One look: telling facts of what a walk meets. What they mean is decided outside.
//
// An element that has something to tell (a role, a handler, an edge of the pointer cursor, content to scroll, …) becomes a
// row; text becomes rows of its own, one for each run that flows together; the rest is only counted in the mirror.

const TEXT_RUN_LIMIT = 2000;
const SUSPECT_LIMIT = 64;
// So many rows are sent off while the look goes on: what they are read into is made meanwhile.
const ROWS_SENT = 400;
// One of so many elements asked whether anything listens there, and a survey of all is cheaper than to go on.
const ASKS_AMONG = 12;
const NO_NAMES = [];
const SHADOW_HOSTS = words("article aside blockquote div footer h1 h2 h3 h4 h5 h6 header main nav p section span");

let backendSent = new WeakSet();
let suspected = new WeakMap();

class Look extends Walk {
  constructor(options) {
    super(options);
    this.freshLimit = options.fresh;
    // What was told before may not have arrived.
    if (options.anew) [backendSent, suspected] = [new WeakSet(), new WeakMap()];
    this.rows = [];
    this.number = options.number ?? 0;
    this.roles = new Map();
    this.fresh = [];
    this.freshKeys = [];
    this.later = [];
    this.laterKeys = [];
    this.suspects = 0;
    this.metNew = false;
    this.candidates = [];
    this.text = "";
    this.textOwner = 0;
    this.textDepth = 0;
    this.textInView = 0;
    this.textFaint = 0;
    this.proxied = new Set();
    // What can change without anybody hearing of it (still.js).
    this.fields = [];
    this.boxes = [];
    this.asked = [];
    this.surveys = this.whole;
    this.count = null;
    this.documents = [];
    this.frames = [];
    this.doubtful = false;
  }

  run(root) {
    hitsKnown = new Map();
    try {
      super.run(root);
      this.hitTests();
    } finally {
      hitsKnown = null;
    }
  }

  add(row) {
    this.rows.push(row);
    if (this.number && this.rows.length >= ROWS_SENT && globalThis.browserxTell) {
      this.hitTests();
      globalThis.browserxTell(`${this.number} ${told(this.rows)}`);
      this.rows = [];
    }
  }

  // Emit a row if there is something to tell.
  tell(here) {
    const { el, tag, w } = here;
    const names = el.hasAttributes() ? el.getAttributeNames() : NO_NAMES;
    let role = names.length ? explicitRole(el) : "";
    let flags = this.flagsOf(here, names, role);
    if (tag === "label" && el.control) {
      this.label(here);
      return;
    }
    const transparent = here.opacity < OPAQUE_FROM;
    if (flags & F.NATIVE) {
      if (here.shown && (!transparent || isOverDrawing(here))) flags |= transparent ? F.TRANSPARENT | F.VISIBLE : F.VISIBLE;
      else if (!this.withHidden) {
        here.named = true;
        const drawing = w.gone ? null : drawingOf(el);
        if (drawing) this.inPlaceOf(el, drawing, here, w.place.box(drawing.getBoundingClientRect()));
        return;
      }
    } else if (this.mayListen(here, names)) flags |= this.listenersOf(here);
    const scroll = scrollOf(here);
    if (scroll) flags |= F.SCROLLER;
    role ||= implicitRole(el);
    if (role === "" || role === "none") {
      if (flags & (F.HANDLER | F.LISTENER)) role = clickableRole(el, tag);
      else if (flags & INTERACTIVE && SHAPES.has(tag)) role = "graphics-symbol";
      if (role === "" && flags & F.DRAGGABLE) role = "group";
      if (role === "" && flags & INTERACTIVE && tag.includes("-")) flags |= F.DOUBTFUL;
    }
    // What a named control holds is said by its name, unless it can be acted on itself.
    if (!(flags & (INTERACTIVE | F.SCROLLER | F.TEST_ID)) && (w.named || !READING_ROLES.has(role))) return;
    if (role === "image" && tag === "svg" && !(flags & INTERACTIVE) && !names.some((n) => n === "role" || n.startsWith("aria-"))
      && !el.querySelector(":scope > title")) return;
    if (!(flags & F.NATIVE) && !transparent && here.shown) flags |= F.VISIBLE;
    // An invisible container is nothing to tell, but what it holds may be visible.
    if (!(flags & F.VISIBLE) && here.display !== "contents" && !this.withHidden) return;
    if (here.style.pointerEvents === "none") flags |= F.NO_POINTER;
    this.row(here, flags, role, scroll);
  }

  // Listeners on the root serve everything; a bare word inside a named control has none of its own.
  mayListen({ tag, w }, names) {
    return tag !== "html" && tag !== "body" && !(w.named && names.length === 0);
  }

  listenersOf(here) {
    const { el, w, display } = here;
    // To ask many one by one costs more than to ask about all there are.
    if (!this.surveys && this.asked.length * ASKS_AMONG > (this.count ??= document.getElementsByTagName("*").length)) this.surveys = true;
    const ask = this.surveys && w.shadow !== 2 ? surveyed : askReader;
    if (ask === askReader && !((here.shown && here.opacity >= OPAQUE_FROM) || display === "contents")) return 0;
    const heard = ask(el, w.shadow);
    if (ask === askReader) this.asked.push([el, w.shadow, heard]);
    return heard && here.style.pointerEvents !== "none" ? heard : 0;
  }

  // `stand`: what stands for it, where its box is.
  row(here, flags, role, scroll, stand = null) {
    const { el, tag, w } = here;
    this.flush();
    let name = "";
    let fromContent = false;
    if (flags & INTERACTIVE || !READ_AS_TEXT.has(role) || el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby")) [name, fromContent] = nameOf(el, role);
    // A name too long to be shown whole leaves its text to be read.
    const said = fromContent && name.length <= 250;
    if (said) flags |= F.NAMED_BY_CONTENT;
    if (flags & F.VISIBLE && here.inView) flags |= F.IN_VIEW;
    if (!(flags & F.VISIBLE) && here.display !== "contents") flags |= F.HIDDEN;
    // What is around it was met on the way; which of that counts, and whether by itself, is asked when any does.
    if (here.ariaDisabled || MAY_BE_DISABLED.has(tag) || tag.includes("-")) if (isDisabled(el)) flags |= F.DISABLED;
    if (isSecret(el)) flags |= F.PROTECTED;
    const extra = this.extra(here, flags, role, scroll, name);
    const k = key(el);
    const box = here.box;
    const row = [ROW.ELEMENT, w.depth, here.mirror, k, this.index(this.tags, tag), flags, this.index(this.roles, role),
      name.slice(0, 250), Math.round(box.x1), Math.round(box.y1), Math.round(box.x2 - box.x1), Math.round(box.y2 - box.y1)];
    if (extra) row.push(extra);
    if (flags & INTERACTIVE) this.metNew = toldOf(el, k) || this.metNew;
    if (flags & INTERACTIVE || isFrame(el)) this.freshen(el, k);
    if (flags & F.DOUBTFUL) this.doubtful = true;
    if (FIELDS.has(tag)) {
      const field = { el, role, sign: "" };
      field.sign = fieldSign(field);
      this.fields.push(field);
    }
    if (flags & F.IN_VIEW && flags & INTERACTIVE) this.candidates.push({ el, row, part: here.part, inline: here.display === "inline", stand });
    this.add(row);
    here.depth = w.depth + 1;
    // What an editor holds is its value.
    here.named = said || w.named || tag === "select" || (flags & F.EDITABLE) !== 0;
  }

  flagsOf(here, names, role) {
    const { el, tag, w } = here;
    let flags = 0;
    if (isNative(el, tag)) flags |= F.NATIVE;
    if (WIDGET_ROLES.has(role)) flags |= F.ROLE;
    for (const name of names) {
      if (name === "tabindex") {
        if (el.tabIndex >= 0 && !isFrame(el)) flags |= F.FOCUSABLE;
      } else if (name === "contenteditable") {
        if (el.isContentEditable && !el.parentElement?.isContentEditable) flags |= F.EDITABLE;
      } else if (name === "draggable") {
        if (el.draggable) flags |= F.DRAGGABLE;
      } else if (name.startsWith("aria-")) {
        here.hasAria = true;
        if (name === "aria-hidden") here.ariaHidden ||= el.getAttribute(name) === "true";
        else if (name === "aria-disabled") here.ariaDisabled = true;
      } else if (name.startsWith("on")) {
        if (POINTER_ATTRIBUTES.includes(name)) flags |= F.HANDLER;
      } else if (TEST_IDS.includes(name)) flags |= F.TEST_ID;
    }
    if (here.cursor) flags |= w.cursor ? F.CURSOR : F.CURSOR | F.CURSOR_EDGE;
    if (here.ariaHidden) flags |= F.ARIA_HIDDEN;
    if (here.inline) flags |= F.INLINE;
    if (w.shadow) flags |= w.shadow === 2 ? F.IN_SHADOW | F.CLOSED_SHADOW : F.IN_SHADOW;
    return flags;
  }

  // A part of a picture: it has no box of its own, and no style.
  area(el, w) {
    const picture = pictureOf(el);
    if (!isNative(el, "area") || !picture || w.gone) return;
    const here = new Here().meet(el, "area", getComputedStyle(picture), "block", w, areaBox(el, w.place));
    here.hasAria = true;
    here.view = visiblePart(picture);
    if (here.box.empty || !picture.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return;
    if (!this.whole && !here.inView) return;
    here.mirror = this.mirror.length;
    this.mirror.push(MIRROR_BASE + this.index(this.tags, "area"));
    this.levels.push(MIRROR_BASE + w.level);
    this.row(here, F.NATIVE | F.VISIBLE, roleOf(el), null);
  }

  // A control that cannot be seen itself is told where its label is; a label is otherwise only its control's name.
  label(here) {
    const { el } = here;
    const control = el.control;
    // What invites a click inside a label invites it for the control.
    here.pointed = true;
    here.named = true;
    if (here.shown && here.opacity >= OPAQUE_FROM && !this.proxied.has(control) && isProxied(control)) {
      this.proxied.add(control);
      this.inPlaceOf(control, el, here, here.box);
    }
  }

  // A control is told where `drawn` is, the label or the drawing that stands for it.
  inPlaceOf(control, drawn, here, box) {
    const stand = new Here().meet(control, control.localName, here.style, "block", here.w, box);
    stand.hasAria = stand.ariaDisabled = true; // not known: both are asked
    stand.view = drawn === here.el ? here.view : visiblePart(drawn);
    stand.mirror = here.mirror;
    this.row(stand, F.NATIVE | F.VISIBLE | F.PROXIED | (here.w.shadow ? F.IN_SHADOW : 0), roleOf(control), null, drawn);
  }

  extra(here, flags, role, scroll, name) {
    const { el, tag } = here;
    const x = {};
    if (flags & INTERACTIVE && !SAYS_SOMETHING.test(name)) {
      const hints = hintsOf(el);
      if (hints.length) x.h = hints;
    }
    const states = statesOf(el, role, here.hasAria, (flags & F.DISABLED) !== 0);
    for (const _ in states) {
      x.s = states;
      break;
    }
    if (flags & INTERACTIVE || role === "progressbar" || role === "meter") {
      if (isSecret(el)) {
        x.filled = (el.value ?? el.textContent) !== "";
      } else {
        const value = valueOf(el, role);
        if (value !== null && value !== "") {
          x.v = value.length > 1000 ? value.slice(0, 1000) : value;
          if (value.length > 1000) x.vx = 1;
        }
      }
      if (tag === "select" || tag === "input" && el.list) {
        const options = (tag === "select" ? el : el.list).options;
        x.o = Array.from({ length: Math.min(options.length, 8) }, (_, i) => squeeze(options[i].label || options[i].text || options[i].value).slice(0, 80));
        x.on = options.length;
      }
    }
    const attributes = attributesOf(el, tag);
    if (attributes) x.a = attributes;
    if (scroll) x.sc = scroll;
    if (isFrame(el)) x.fr = { url: frameDocument(el)?.URL ?? "", inside: frameDocument(el) ? 1 : 0, box: roundBox(contentBox(el, here.w.place)) };
    for (const _ in x) return x;
    return null;
  }

  // text

  say(node, here, inside) {
    const data = node.data;
    if (!/\S/.test(data)) {
      if (this.text && data) this.space();
      return;
    }
    if (here.hasBox && !this.whole && data.length > 200 && !here.box.inside(here.view) && !this.textBox(node, here).meets(here.view)) return;
    // A box of nothing may hold text that runs out of it, or that is as small as itself.
    if (!here.hasBox && here.display !== "contents" && !this.withHidden && this.textBox(node, here).empty) return;
    const readable = this.legibility(here);
    const hidden = readable === UNREADABLE || inside.hides(this.whole);
    if (hidden && !this.withHidden) return;
    const faint = readable === FAINT ? 1 : 0;
    const seen = hidden ? 2 : here.inView || !here.hasBox ? 1 : 0;
    if (this.text !== "" && ((seen === 2) !== (this.textInView === 2) || faint !== this.textFaint)) this.flush();
    if (this.text === "") {
      this.textFaint = faint;
      this.textOwner = here.mirror;
      this.textDepth = inside.depth;
      this.textInView = seen;
    }
    if (this.text.length < (this.whole ? Infinity : TEXT_RUN_LIMIT)) this.text += data;
  }

  clip(here, inside) {
    super.clip(here, inside);
    if (here.overflow !== "visible") this.boxes.push([here.el, here.el.scrollLeft, here.el.scrollTop]);
  }

  frame(here) {
    const inner = frameDocument(here.el);
    this.frames.push([here.el, inner]);
    if (inner) {
      this.documents.push(inner);
      meetDocument(inner);
    }
    super.frame(here);
  }

  textBox(node, here) {
    const range = node.ownerDocument.createRange();
    range.selectNodeContents(node);
    return here.w.place.box(range.getBoundingClientRect());
  }

  space() {
    if (this.text) this.text += " ";
  }

  flush() {
    if (this.text === "") return;
    const text = squeeze(this.text);
    this.text = "";
    if (!text) return;
    const row = [ROW.TEXT, this.textDepth, this.textOwner, text, this.textInView];
    if (this.textFaint) row.push(1);
    this.add(row);
  }

  // closed shadow roots

  maybeHost(here, first) {
    const { el, tag } = here;
    if (tag.includes("-")) this.suspect(el);
    else if (first === null && SHADOW_HOSTS.has(tag) && here.shown && here.box.x2 - here.box.x1 >= 8 && here.box.y2 - here.box.y1 >= 8) this.suspect(el);
  }

  // `hides`: it has children that are not drawn.
  suspect(el, hides = false) {
    if (rootOf(el) || this.suspects >= SUSPECT_LIMIT) return;
    // Asked once, and again only when it has become another kind of element or another size, or hides its children.
    const sign = `${el.matches(":defined")} ${hides} ${el.offsetWidth}x${el.offsetHeight}`;
    if (suspected.get(el) === sign) return;
    suspected.set(el, sign);
    this.suspects++;
    this.fresh.push(el);
    this.freshKeys.push(key(el));
  }

  // Those that may lead on to more are asked about first.
  freshen(el, k) {
    const tag = el.localName;
    const leads = tag.includes("-") || SHADOW_HOSTS.has(tag) || isFrame(el);
    const [elements, keys] = leads ? [this.fresh, this.freshKeys] : [this.later, this.laterKeys];
    if (backendSent.has(el) || (elements.length >= this.freshLimit && !isFrame(el))) return;
    backendSent.add(el);
    elements.push(el);
    keys.push(k);
  }

  // who would get the click

  hitTests() {
    const { candidates } = this;
    this.candidates = [];
    let tested = 0;
    for (const candidate of candidates) {
      if ((++tested & 31) === 0 && performance.now() > this.until) {
        this.late = true;
        return;
      }
      const found = reachablePoint(candidate.el, candidate.part.cut(this.port), candidate);
      if (found.ok) {
        if (found.off) this.extraOf(candidate.row).at = found.off;
      } else {
        candidate.row[5] |= F.OCCLUDED;
        if (found.by) Object.assign(this.extraOf(candidate.row), { oc: key(found.by), od: describe(found.by) });
      }
    }
  }

  extraOf(row) {
    return row[12] ?? (row[12] = {});
  }

  result() {
    const scrolling = document.scrollingElement || document.documentElement;
    return {
      url: document.URL,
      title: document.title,
      viewport: [innerWidth, innerHeight],
      scroll: [Math.round(scrollX), Math.round(scrollY), scrolling?.scrollWidth ?? 0, scrolling?.scrollHeight ?? 0],
      total: document.getElementsByTagName("*").length,
      body: !!document.body,
      loading: document.readyState === "loading",
      optedOut: document.querySelector('[data-no-ai]:not([data-no-ai="false"])') !== null,
      tags: [...this.tags.keys()],
      roles: [...this.roles.keys()],
      rows: this.rows,
      mirror: packed(this.mirror),
      levels: packed(this.levels),
      fresh: this.freshKeys,
      later: this.laterKeys,
      // Nobody can have taken over from them when nobody is new.
      vanished: this.metNew ? vanished() : [],
      left: this.left,
      late: this.late,
    };
  }
}

// One character a node, so that a mirror of ten thousand nodes is one short string.
function packed(codes) {
  let s = "";
  for (let i = 0; i < codes.length; i += 8192) s += String.fromCharCode.apply(null, codes.slice(i, i + 8192));
  return s;
}

const roundBox = (b) => [Math.round(b.x1), Math.round(b.y1), Math.round(b.x2 - b.x1), Math.round(b.y2 - b.y1)];
