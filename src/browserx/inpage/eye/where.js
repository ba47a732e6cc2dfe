// What a walk knows of an element it meets, and of the place that the element's children are in. Most of it is read from
// the browser, at a price, so it is read when it is first asked for: of a plain wrapper that is next to nothing.

class Here {
  constructor() {
    this.meet(null, "", NO_STYLE, "", NOWHERE, null);
  }

  // `box`: if it is known already.
  meet(el, tag, style, display, w, box) {
    const { position } = style;
    const base = position === "fixed" ? w.fixed : position === "absolute" ? w.absolute : w;
    this.el = el;
    this.tag = tag;
    this.style = style;
    this.display = display;
    this.position = position;
    this.w = w;
    this.measured = box;
    this.hasArea = box !== null && box.x2 > box.x1 && box.y2 > box.y1;
    this.view = base.view;
    this.reach = base.reach;
    this.gone = false;
    this.opacity = 1;
    this.faded = null;
    // Of these `tell` adds what the element itself says.
    this.ariaHidden = w.ariaHidden;
    this.ariaDisabled = w.ariaDisabled;
    this.hasAria = false;
    this.inline = false;
    this.mirror = 0;
    // Where children are told, and whether their text is said already: `tell` decides.
    this.depth = w.depth;
    this.named = w.named;
    this.pointed = null;
    this.isShown = null;
    this.grounded = false;
    this.ownGround = null;
    this.legibility = -1;
    this.transforms = null;
    this.flow = null;
    return this;
  }

  get box() {
    return this.measured ?? this.measure();
  }

  // Whether it has an area of its own; what it holds may be drawn all the same.
  get hasBox() {
    if (this.measured === null) this.measure();
    return this.hasArea;
  }

  measure() {
    const { el, tag, display } = this;
    let box = this.w.place.box(el.getBoundingClientRect());
    this.hasArea = box.x2 > box.x1 && box.y2 > box.y1;
    if (!this.hasArea && mayCollapse(el, tag, display)) {
      box = drawnBox(el, this.w.place);
      this.hasArea = !box.empty;
    }
    this.measured = box;
    return box;
  }

  get part() {
    return this.box.cut(this.view);
  }

  get inView() {
    return this.hasBox && this.box.showsIn(this.view);
  }

  // Whether a person can see its box, now or after scrolling; how transparent it is does not count.
  get shown() {
    if (this.isShown === null) this.isShown = this.isVisible && !this.gone && this.hasBox && !this.box.empty && this.box.showsIn(this.reach)
      && !(isFrame(this.el) && isTiny(contentBox(this.el, this.w.place)));
    return this.isShown;
  }

  get isVisible() {
    return this.style.visibility === "visible";
  }

  get cursor() {
    this.pointed ??= this.style.cursor === "pointer";
    return this.pointed;
  }

  get overflow() {
    this.flow ??= this.style.overflow;
    return this.flow;
  }

  // The colour that what is in it stands on.
  get ground() {
    if (!this.grounded) {
      this.grounded = true;
      this.ownGround = groundOf(this.style, this.position, this.w);
    }
    return this.ownGround;
  }

  get transformed() {
    this.transforms ??= this.style.transform !== "none" || this.style.filter !== "none";
    return this.transforms;
  }
}

// What the children of an element inherit from where it is. One object serves all of them.
class Where {
  constructor() {
    this.begin(null, null, HERE);
  }

  begin(up, host, place) {
    this.up = up;
    this.host = host;
    this.place = place;
    this.depth = 0;
    this.level = 0;
    this.opacity = 1;
    this.faded = null;
    this.gone = false;
    this.ariaHidden = false;
    this.ariaDisabled = false;
    this.shadow = 0;
    this.named = false;
    // What is visible now, and what scrolling can show.
    this.view = null;
    this.reach = null;
    this.isHidden = null;
    // Of the outermost: what is fixed to the viewport can be seen there.
    this.top = null;
    this.topCursor = false;
    this.topGround = null;
    return this;
  }

  // `port`: what of the document's viewport can be seen in ours; `reach`: how far scrolling goes.
  static top(place, port, reach) {
    const where = new Where().begin(null, null, place);
    where.view = port;
    where.reach = reach;
    where.top = { view: port, reach: port };
    return where;
  }

  inside(here) {
    const { w } = here;
    this.begin(w, here, w.place);
    this.depth = here.depth;
    this.level = w.level + 1;
    this.opacity = here.opacity;
    this.faded = here.faded;
    this.gone = here.gone;
    this.ariaHidden = here.ariaHidden;
    this.ariaDisabled = here.ariaDisabled;
    this.shadow = w.shadow;
    this.named = here.named;
    this.view = here.view;
    this.reach = here.reach;
    return this;
  }

  get cursor() {
    return this.host === null ? this.topCursor : this.host.cursor;
  }

  get ground() {
    return this.host === null ? this.topGround : this.host.ground;
  }

  // What holds children that are positioned absolutely, and fixed.
  get absolute() {
    let where = this;
    while (where.up !== null && where.host.position === "static" && !where.host.transformed) where = where.up;
    return where;
  }

  get fixed() {
    let where = this;
    while (where.up !== null && !where.host.transformed) where = where.up;
    return where.up === null ? where.top : where;
  }

  // Whether text in it cannot be seen. `whole`: what is out of view counts as seen.
  hides(whole) {
    if (this.isHidden === null) {
      const here = this.host;
      this.isHidden = here !== null && (this.gone || here.opacity < OPAQUE_FROM || !here.isVisible || this.reach.empty
        || (here.hasBox && (!here.box.showsIn(here.reach) || (!whole && !here.inView))));
    }
    return this.isHidden;
  }
}

const NO_STYLE = {};
const NOWHERE = new Where();
