// Walking down the tree a person sees: the composed tree, without what nobody can see, and in a viewport look without
// boxes that lie outside the viewport. What is told of what is met, those who walk say: `tell`, `say`, `space`, `flush`.

const MAX_RECURSION = 800;
const MIRROR_BASE = 0x20;
// Where fixed things are: along the edges and in the middle, as shares of the viewport.
const STRAY_POINTS = [0.015, 0.2, 0.5, 0.8, 0.985];

// What a child inherits from where it is. One object serves all children of an element.
class Where {
  constructor(from) {
    Object.assign(this, from);
  }
  static top(place, port, reach) {
    return new Where({
      place, depth: 0, level: 0, opacity: 1, faded: null, cursor: false, gone: false, hidden: false, ariaHidden: false, shadow: 0, named: false,
      // What is visible now, for children that are in flow, absolute and fixed; the same for what scrolling can show.
      ground: null, view: port, viewAbsolute: port, viewFixed: port, reach, reachAbsolute: reach, reachFixed: port,
    });
  }
}

class Walk {
  constructor(options) {
    this.whole = options.whole;
    this.until = performance.now() + options.budgetMs;
    this.late = false;
    // What nobody can see is told too, as such.
    this.withHidden = options.hidden === true;
    this.left = { above: 0, below: 0, beside: 0, scrolled: 0, hidden: 0, deep: 0 };
    this.steps = 0;
    this.recursion = 0;
    this.tags = new Map();
    this.mirror = [];
    this.levels = [];
    this.entered = new WeakSet();
    this.modal = [...document.querySelectorAll("dialog:modal")].pop() || null;
    this.port = new Box(0, 0, innerWidth, innerHeight);
  }

  run(root) {
    if (root) {
      const where = Where.top(placeOf(root), this.whole ? EVERYWHERE : this.port, EVERYWHERE);
      where.view = where.viewAbsolute = where.viewFixed = this.port;
      this.visit(root, where);
    } else {
      const where = Where.top(HERE, this.port, reachOf(document, HERE));
      where.ground = firstGround(document);
      this.document(document, where);
    }
    this.flush();
    if (!this.whole && !root && !this.modal) this.findStrays();
  }

  // What is fixed, or positioned far from the box that holds it, shows where its box does not: look what is really
  // there at a few points, and enter what was passed by.
  findStrays() {
    const { above, below, beside, scrolled } = this.left;
    if (above + below + beside + scrolled === 0) return;
    for (const fy of STRAY_POINTS) {
      for (const fx of STRAY_POINTS) {
        const hit = hitAt(innerWidth * fx, innerHeight * fy);
        if (hit && !this.entered.has(hit)) this.enterStray(hit);
      }
    }
    this.flush();
  }

  enterStray(hit) {
    let stray = null;
    for (let up = hit; up && !this.entered.has(up); up = parentOf(up)) {
      if (up.nodeType === 1 && placeOf(up).box(up.getBoundingClientRect()).meets(this.port)) stray = up;
    }
    if (!stray) return;
    const where = Where.top(placeOf(stray), this.port, EVERYWHERE);
    const parent = parentOf(stray);
    where.cursor = parent?.nodeType === 1 && getComputedStyle(parent).cursor === "pointer";
    where.ariaHidden = stray.closest?.("[aria-hidden=true]") != null;
    this.visit(stray, where);
  }

  document(doc, where) {
    const top = doc.documentElement;
    if (!top) return;
    if (this.modal?.ownerDocument === doc) where.gone = true;
    this.visit(top, where);
  }

  visit(el, w) {
    const tag = el.localName;
    if (this.late || NEVER_SHOWN.has(tag)) return;
    if (tag === "br") {
      this.space();
      return;
    }
    if ((++this.steps & 255) === 0 && performance.now() > this.until) {
      this.late = true;
      return;
    }
    if (tag === "area") {
      this.area(el, w);
      return;
    }
    let box = w.place.box(el.getBoundingClientRect());
    let hasBox = box.x2 > box.x1 && box.y2 > box.y1;
    // Boxes without area are always entered: what they hold may overflow, float or be positioned.
    if (hasBox && !this.whole && !box.meets(this.port) && !this.overflowsIntoView(el, box)) {
      this.leaveOut(el, box);
      return;
    }
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === "none" && !this.withHidden) {
      this.left.hidden += 1 + el.getElementsByTagName("*").length;
      return;
    }
    if (display === "") {
      // Not in the tree a person sees: its parent has a shadow root without a slot for it.
      if (el.parentElement) this.suspect(el.parentElement);
      return;
    }

    if (!hasBox && mayCollapse(el, tag, display)) {
      box = drawnBox(el, w.place);
      hasBox = !box.empty;
    }
    const position = style.position;
    const view = position === "fixed" ? w.viewFixed : position === "absolute" ? w.viewAbsolute : w.view;
    const reach = position === "fixed" ? w.reachFixed : position === "absolute" ? w.reachAbsolute : w.reach;
    const part = box.cut(view);
    const inView = hasBox && !part.empty;
    if (hasBox && !this.whole && !inView && position !== "fixed" && !box.empty && !this.overflows(el, style)) {
      this.left.scrolled += 1 + el.getElementsByTagName("*").length;
      return;
    }
    const here = { el, tag, style, display, box, view, reach, part, inView, hasBox, w };
    // Gone with all that is in it: inert, or clipped to nothing.
    here.gone = display === "none" || (this.modal === el ? false : w.gone || el.inert === true || isClippedAway(style));
    here.opacity = style.opacity === "1" ? w.opacity : w.opacity * parseFloat(style.opacity);
    if (style.filter !== "none" && FILTERED_AWAY.test(style.filter)) here.opacity = 0;
    here.faded = w.faded ?? (here.opacity < OPAQUE_FROM ? el : null);
    here.ariaHidden = w.ariaHidden || el.getAttribute("aria-hidden") === "true";
    here.cursor = style.cursor === "pointer";
    here.ground = groundOf(style, position, w.ground);
    here.shown = style.visibility === "visible" && !here.gone && hasBox && !box.empty && !box.cut(reach).empty;
    if (here.shown && isFrame(el)) here.shown = !isTiny(contentBox(el, w.place));
    this.entered.add(el);
    here.mirror = this.mirror.length;
    this.mirror.push(MIRROR_BASE + this.index(this.tags, tag));
    this.levels.push(MIRROR_BASE + w.level);

    const inline = display === "inline" || display === "contents";
    const apart = !inline && !display.startsWith("inline");
    if (apart) this.flush();
    else if (!inline) this.space();
    here.inline = !apart;
    const [depth, named] = this.tell(here);
    this.enter(here, depth, named);
    // Text in something that is told is its own, not the beginning of what follows.
    if (apart || depth > w.depth) this.flush();
    else if (!inline) this.space();
  }

  enter(here, depth, named) {
    const { el, tag, w } = here;
    if (tag === "select" || tag === "textarea" || tag === "canvas" || tag === "video" || tag === "audio" || isSecret(el)) return;
    if (tag === "object" && !isFrame(el)) return;
    if (isFrame(el)) {
      this.frame(here, depth);
      return;
    }
    if (tag === "svg" && !entersSvg(el, here.box)) return;
    const locked = here.style.contentVisibility === "hidden" && here.display !== "inline";
    if (locked && !this.withHidden) return;
    const root = rootOf(el);
    if (!root) this.maybeHost(here);
    if (root === null && el.firstChild === null && tag !== "slot") return;
    const inside = new Where(w);
    inside.depth = depth;
    inside.level = w.level + 1;
    inside.named = named;
    inside.opacity = here.opacity;
    inside.cursor = here.cursor;
    inside.gone = here.gone || locked;
    inside.faded = here.faded;
    inside.ground = here.ground;
    inside.ariaHidden = here.ariaHidden;
    if (root) {
      meetRoot(root);
      inside.shadow = root === el.shadowRoot ? Math.max(1, w.shadow) : 2;
    }
    this.clip(here, inside);
    const unseen = inside.reach.empty || (here.hasBox && (here.box.cut(here.reach).empty || (!this.whole && !here.inView)));
    const hidden = unseen || here.style.visibility !== "visible" || inside.gone || here.opacity < OPAQUE_FROM;
    inside.hidden = hidden;
    const silent = named || (hidden && !this.withHidden);
    if (this.recursion >= MAX_RECURSION) {
      // Deeper than a stack can be trusted with.
      this.left.deep += el.getElementsByTagName("*").length;
      return;
    }
    this.recursion++;
    if (tag === "details" && !el.open) {
      for (const child of el.children) if (isSummary(child)) this.visit(child, inside);
      inside.gone = inside.hidden = true;
      if (this.withHidden) for (const child of el.childNodes) if (!isSummary(child)) this.node(child, here, inside, silent);
    } else if (root) this.siblings(root.firstChild, here, inside, silent);
    else if (tag === "slot") {
      const assigned = el.assignedNodes();
      if (assigned.length) for (const node of assigned) this.node(node, here, inside, silent);
      else this.siblings(el.firstChild, here, inside, silent);
    } else this.siblings(el.firstChild, here, inside, silent);
    this.recursion--;
  }

  siblings(first, here, inside, silent) {
    for (let node = first; node; node = node.nextSibling) this.node(node, here, inside, silent);
  }

  node(node, here, inside, silent) {
    if (node.nodeType === 1) this.visit(node, inside);
    else if (node.nodeType === 3 && !silent) this.say(node, here, inside);
  }

  clip(here, inside) {
    const { el, tag, style, box, view, reach, hasBox } = here;
    let innerView = view;
    let innerReach = reach;
    const clipsX = style.overflowX !== "visible";
    const clipsY = style.overflowY !== "visible";
    if ((clipsX || clipsY) && here.display !== "contents" && here.display !== "inline" && !takesViewport(el, tag)) {
      const edges = new Box(clipsX ? box.x1 : -Infinity, clipsY ? box.y1 : -Infinity, clipsX ? box.x2 : Infinity, clipsY ? box.y2 : Infinity);
      innerView = view.cut(edges);
      const scrolls = (o) => o === "auto" || o === "scroll";
      if (scrolls(style.overflowX) || scrolls(style.overflowY)) {
        innerReach = hasBox && !box.cut(reach).empty ? EVERYWHERE : innerView.cut(reach);
      } else innerReach = reach.cut(edges);
    }
    inside.view = innerView;
    inside.reach = innerReach;
    const transformed = style.transform !== "none" || style.filter !== "none";
    if (style.position !== "static" || transformed) {
      inside.viewAbsolute = innerView;
      inside.reachAbsolute = innerReach;
    }
    if (transformed) {
      inside.viewFixed = innerView;
      inside.reachFixed = innerReach;
    }
  }

  frame(here, depth) {
    const inner = frameDocument(here.el);
    if (!inner || !here.shown || here.opacity < OPAQUE_FROM) return;
    const place = placeInside(here.el, here.w.place);
    const port = contentBox(here.el, here.w.place);
    const where = Where.top(place, this.whole ? port : port.cut(here.view), reachOf(inner, place));
    where.view = where.viewAbsolute = where.viewFixed = port.cut(here.view);
    where.depth = depth;
    where.level = here.w.level + 1;
    where.opacity = here.opacity;
    where.shadow = here.w.shadow;
    this.flush();
    this.document(inner, where);
    this.flush();
  }

  // what is not entered

  overflowsIntoView(el, box) {
    if (box.x1 >= this.port.x2 || box.y1 >= this.port.y2) return false;
    return box.x1 + el.scrollWidth > this.port.x1 && box.y1 + el.scrollHeight > this.port.y1 && el.scrollHeight > el.clientHeight + 1
      && getComputedStyle(el).overflowY === "visible";
  }

  overflows(el, style) {
    return style.overflowX === "visible" && style.overflowY === "visible" && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1);
  }

  leaveOut(el, box) {
    const n = 1 + el.getElementsByTagName("*").length;
    if (box.y2 <= this.port.y1) this.left.above += n;
    else if (box.y1 >= this.port.y2) this.left.below += n;
    else this.left.beside += n;
  }

  index(table, word) {
    let i = table.get(word);
    if (i === undefined) {
      i = table.size;
      table.set(word, i);
    }
    return i;
  }
}
