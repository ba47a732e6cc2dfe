// Walking down the tree a person sees: the composed tree, without what nobody can see, and in a viewport look without
// boxes that lie outside the viewport. What is told of what is met, those who walk say: `tell`, `say`, `space`, `flush`.

const MAX_RECURSION = 800;
const MIRROR_BASE = 0x20;
// Where fixed things are: along the edges and in the middle, as shares of the viewport.
const STRAY_POINTS = [0.015, 0.2, 0.5, 0.8, 0.985];

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
    // One of each for every level that is open: they are used again and again.
    this.heres = [];
    this.wheres = [];
    this.modal = [...document.querySelectorAll("dialog:modal")].pop() || null;
    this.port = new Box(0, 0, innerWidth, innerHeight);
  }

  run(root) {
    if (root) {
      const where = Where.top(placeOf(root), this.whole ? EVERYWHERE : this.port, EVERYWHERE);
      where.view = where.top.view = this.port;
      where.ariaDisabled = true; // not known: asked
      this.visit(root, where);
    } else {
      const where = Where.top(HERE, this.port, reachOf(document, HERE));
      where.topGround = firstGround(document);
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
    where.topCursor = parent?.nodeType === 1 && getComputedStyle(parent).cursor === "pointer";
    where.ariaHidden = parent?.closest?.("[aria-hidden=true]") != null;
    where.ariaDisabled = true; // not known: asked
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
    let box = null;
    if (!this.whole) {
      box = w.place.box(el.getBoundingClientRect());
      const hasBox = box.x2 > box.x1 && box.y2 > box.y1;
      // Boxes without area are always entered: what they hold may overflow, float or be positioned. So is the body: a
      // margin may have pushed it away from what is positioned in it.
      if (hasBox && tag !== "body" && !box.meets(this.port) && !this.overflowsIntoView(el, box)) {
        this.leaveOut(el, box);
        return;
      }
      if (!hasBox) box = null;
    }
    const style = getComputedStyle(el);
    const display = style.display;
    if (display === "none" && !this.withHidden) {
      this.left.hidden += 1 + el.getElementsByTagName("*").length;
      return;
    }
    if (display === "") {
      // Not in the tree a person sees: its parent has a shadow root without a slot for it.
      if (el.parentElement) this.suspect(el.parentElement, true);
      return;
    }
    const here = (this.heres[w.level] ??= new Here()).meet(el, tag, style, display, w, box);
    if (!this.whole && here.hasBox && here.position !== "fixed" && tag !== "body" && !here.box.empty && !here.inView && !this.overflows(here)) {
      this.left.scrolled += 1 + el.getElementsByTagName("*").length;
      return;
    }
    // Gone with all that is in it: inert, or clipped to nothing.
    here.gone = display === "none" || (this.modal !== el && (w.gone || el.inert === true || isClippedAway(style, here.position)));
    const opacity = style.opacity;
    here.opacity = opacity === "1" ? w.opacity : w.opacity * parseFloat(opacity);
    const filter = style.filter;
    if (filter !== "none" && FILTERED_AWAY.test(filter)) here.opacity = 0;
    here.faded = w.faded ?? (here.opacity < OPAQUE_FROM ? el : null);
    if (!this.whole) this.entered.add(el);
    here.mirror = this.mirror.length;
    this.mirror.push(MIRROR_BASE + this.index(this.tags, tag));
    this.levels.push(MIRROR_BASE + w.level);

    const inline = display === "inline" || display === "contents";
    const apart = !inline && !display.startsWith("inline");
    if (apart) this.flush();
    else if (!inline) this.space();
    here.inline = !apart;
    this.tell(here);
    this.enter(here);
    // Text in something that is told is its own, not the beginning of what follows.
    if (apart || here.depth > w.depth) this.flush();
    else if (!inline) this.space();
  }

  enter(here) {
    const { el, tag, w } = here;
    if (tag === "select" || tag === "textarea" || tag === "canvas" || tag === "video" || tag === "audio" || isSecret(el)) return;
    if (tag === "object" && !isFrame(el)) return;
    if (isFrame(el)) {
      this.frame(here);
      return;
    }
    if (tag === "svg" && !entersSvg(el, here.box)) return;
    const root = rootOf(el);
    const first = el.firstChild;
    if (!root) this.maybeHost(here, first);
    if (root === null && first === null && tag !== "slot") return;
    const locked = here.display !== "inline" && here.style.contentVisibility === "hidden";
    if (locked && !this.withHidden) return;
    const inside = (this.wheres[w.level] ??= new Where()).inside(here);
    if (locked) inside.gone = true;
    if (root) {
      meetRoot(root);
      inside.shadow = root === el.shadowRoot ? Math.max(1, w.shadow) : 2;
    }
    this.clip(here, inside);
    if (this.recursion >= MAX_RECURSION) {
      // Deeper than a stack can be trusted with.
      this.left.deep += el.getElementsByTagName("*").length;
      return;
    }
    this.recursion++;
    if (tag === "details" && !el.open) {
      for (const child of el.children) if (isSummary(child)) this.visit(child, inside);
      inside.gone = inside.isHidden = true;
      if (this.withHidden) for (const child of el.childNodes) if (!isSummary(child)) this.node(child, here, inside);
    } else if (root) this.siblings(root.firstChild, here, inside);
    else if (tag === "slot") {
      const assigned = el.assignedNodes();
      if (assigned.length) for (const node of assigned) this.node(node, here, inside);
      else this.siblings(first, here, inside);
    } else this.siblings(first, here, inside);
    this.recursion--;
  }

  siblings(first, here, inside) {
    for (let node = first; node; node = node.nextSibling) this.node(node, here, inside);
  }

  node(node, here, inside) {
    const kind = node.nodeType;
    if (kind === 1) this.visit(node, inside);
    else if (kind === 3 && !this.silences(inside)) this.say(node, here, inside);
  }

  silences(inside) {
    return inside.named || (!this.withHidden && inside.hides(this.whole));
  }

  // One of UNREADABLE, FAINT, LEGIBLE.
  legibility(here) {
    if (here.legibility < 0) here.legibility = legibility(here);
    return here.legibility;
  }

  clip(here, inside) {
    const { el, tag, overflow } = here;
    if (overflow === "visible" || here.display === "contents" || here.display === "inline" || takesViewport(el, tag)) return;
    const { style, box, view, reach } = here;
    const clipsX = style.overflowX !== "visible";
    const clipsY = style.overflowY !== "visible";
    const edges = new Box(clipsX ? box.x1 : -Infinity, clipsY ? box.y1 : -Infinity, clipsX ? box.x2 : Infinity, clipsY ? box.y2 : Infinity);
    inside.view = view.cut(edges);
    if (!/auto|scroll/.test(overflow)) inside.reach = reach.cut(edges);
    else inside.reach = here.hasBox && box.showsIn(reach) ? EVERYWHERE : inside.view.cut(reach);
  }

  frame(here) {
    const inner = frameDocument(here.el);
    if (!inner || !here.shown || here.opacity < OPAQUE_FROM) return;
    const place = placeInside(here.el, here.w.place);
    const port = contentBox(here.el, here.w.place);
    const view = port.cut(here.view);
    const where = Where.top(place, view, reachOf(inner, place));
    where.top.reach = this.whole ? port : view;
    where.depth = here.depth;
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

  overflows({ el, overflow }) {
    return overflow === "visible" && (el.scrollHeight > el.clientHeight + 1 || el.scrollWidth > el.clientWidth + 1);
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
