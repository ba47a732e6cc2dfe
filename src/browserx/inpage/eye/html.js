// The page as HTML again: what a person can see of it, and nothing that runs.
//
// A look that writes tags where other looks write rows: what is hidden is decided in one place. It follows the composed
// tree: a shadow root is a template in its host, what is slotted stands in its slot, the document of a frame stands in
// its frame element. An element is written when it is shown itself or holds something that is; never otherwise.

const VOID = words("area br col embed hr img input wbr");
// Elements whose content a parser takes as it stands, so that it would swallow what comes after.
const SWALLOWING = words("plaintext xmp noembed noframes");
const KEPT = words("abbr accept action align alt autocomplete checked cite class colspan contenteditable controls coords data "
  + "datetime dir disabled download draggable enctype for form formaction formmethod formtarget headers height high href "
  + "hreflang id inputmode is itemprop itemscope itemtype kind label lang loading low max maxlength method min minlength "
  + "multiple name open optimum part pattern placeholder popovertarget poster readonly rel required reversed role rowspan "
  + "scope selected shape size slot span src start step tabindex target title type usemap value width xlink:href");
const ADDRESSES = words("action cite data formaction href poster src xlink:href");
const SAFE_NAME = /^[a-z][\w.:-]*$/i;
const RUNS = /^(javascript|vbscript):/i;
const ATTRIBUTE_LIMIT = 1000;
const ADDRESS_LIMIT = 2000;
// Kept free in every frame that is written elsewhere, for saying why it could not be.
const APART_ROOM = 80;
// A level takes more of the stack than in other looks; a parser nests no deeper than 512.
const DEPTH_LIMIT = 600;

const escapeHtml = (text) => text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);

// The beginning of a text, cut between characters.
function beginning(text, length) {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

// An address as it may be passed on: none that runs script, and of those that carry their content only the kind.
function safeAddress(given) {
  // Blanks and control characters in an address are ignored by browsers.
  const address = given.replace(/[\u0000-\u0020\u007f-\u00a0]/g, "");
  if (RUNS.test(address)) return null;
  if (/^data:/i.test(address)) return /^data:[^,;]{0,60}/i.exec(address)[0] + ",…";
  return given.length > ADDRESS_LIMIT ? beginning(given, ADDRESS_LIMIT) + "…" : given;
}

const tagName = (el) => !SAFE_NAME.test(el.localName) ? "unknown-element" : SWALLOWING.has(el.localName) ? "pre" : el.localName;

// Inputs whose value is what a person edits; of the others it is a word of the form's.
const holdsText = (el) => el.localName === "input" && !/^(checkbox|radio|submit|button|reset|image|file|hidden)$/.test(el.type);

function startTag(el, close = ">") {
  const secret = isSecret(el);
  const live = el.namespaceURI === HTML_NS;
  let tag = "<" + tagName(el);
  const add = (name, value) => { tag += value === "" ? ` ${name}` : ` ${name}="${escapeHtml(value)}"`; };
  for (const { name, value } of el.attributes) {
    if (!SAFE_NAME.test(name) || !(KEPT.has(name) || name.startsWith("aria-") || TEST_IDS.includes(name))) continue;
    if (live && (name === "checked" || name === "selected" || (name === "value" && (secret || holdsText(el))))) continue;
    const given = ADDRESSES.has(name) ? safeAddress(value) : beginning(value, ATTRIBUTE_LIMIT);
    if (given !== null) add(name, given);
  }
  if (live && holdsText(el) && !secret && el.value) add("value", beginning(el.value, ATTRIBUTE_LIMIT));
  if (live && el.localName === "input" && el.checked) add("checked", "");
  return tag + close;
}

class HtmlLook extends Look {
  constructor({ maxChars, budgetMs }) {
    super({ whole: true, budgetMs, fresh: 0, anew: false });
    this.room = maxChars;
    this.full = false;
    this.parts = [];
    this.segments = [];
    // The elements that are open, outermost first; those that are written come before those that may never be.
    this.open = [];
    this.written = 0;
  }

  // -> strings, and between them the keys of frame elements whose documents are written elsewhere
  result() {
    this.cutSegment();
    return { segments: this.segments, cut: this.full, late: this.late, deep: this.left.deep };
  }

  // writing

  put(text) {
    this.parts.push(text);
  }

  cutSegment() {
    this.segments.push(this.parts.join(""));
    this.parts = [];
  }

  begin(start, end, spare = 0) {
    this.open.push({ start, end, cost: start.length + end.length + spare });
  }

  end() {
    const { end } = this.open.pop();
    if (this.written > this.open.length) {
      this.written--;
      this.put(end);
    }
  }

  // Whatever is open is really there. -> false when there is no room for it
  insist() {
    const waiting = this.open.slice(this.written);
    const needed = waiting.reduce((sum, { cost }) => sum + cost, 0);
    if (this.full || needed > this.room) {
      this.full = true;
      return false;
    }
    this.room -= needed;
    for (const { start } of waiting) this.put(start);
    this.written = this.open.length;
    return true;
  }

  write(text) {
    if (!this.insist()) return;
    if (text.length > this.room) {
      this.full = true;
      return;
    }
    this.room -= text.length;
    this.put(text);
  }

  // As much of a text as there is room for.
  writeText(text) {
    if (!this.insist()) return;
    let safe = escapeHtml(text);
    if (safe.length > this.room) {
      this.full = true;
      let end = text.length;
      while (end > 0 && safe.length + 1 > this.room) {
        end = Math.floor(end * Math.min(0.98, this.room / safe.length));
        safe = escapeHtml(beginning(text, end));
      }
      if (this.room < 1) return;
      safe += "…";
    }
    this.room -= safe.length;
    this.put(safe);
  }

  // what a look does where

  node(node, here, inside) {
    if (this.full) return;
    const tag = node.localName;
    if (node.nodeType === 3) {
      if (!this.silences(inside)) this.say(node, here);
    } else if (tag === "head") this.head(node);
    else if (tag === "br") {
      if (this.written === this.open.length) this.write("<br>");
    } else if ((tag === "input" || tag === "select") && !inside.gone && hasStandIn(node)) this.control(node);
    else if (node.nodeType === 1) this.visit(node, inside);
  }

  // Of all that is in a head a person sees the title, of the page's own document.
  head(el) {
    const doc = el.ownerDocument;
    if (doc.defaultView === window.top && doc.title) this.write(`<head><title>${escapeHtml(beginning(doc.title, ATTRIBUTE_LIMIT))}</title></head>`);
  }

  tell(here) {
    const { el, tag } = here;
    if (tag === "select" || tag === "textarea" || VOID.has(tag)) {
      if (this.shows(here)) this.control(el);
      this.begin("", "");
      return;
    }
    const apart = isFrame(el) && !frameDocument(el);
    this.begin(startTag(el, apart ? "" : ">"), `</${tagName(el)}>`, apart ? APART_ROOM : 0);
    const drawing = el.namespaceURI === SVG_NS;
    if (this.shows(here) && (!drawing || tag === "svg")) {
      this.insist();
      const title = drawing && el.querySelector(":scope > title");
      if (title) this.write(`<title>${escapeHtml(beginning(squeeze(title.textContent), ATTRIBUTE_LIMIT))}</title>`);
    }
  }

  shows(here) {
    return here.shown && (here.opacity >= OPAQUE_FROM || (isNative(here.el, here.tag) && isOverDrawing(here)));
  }

  enter(here) {
    const root = rootOf(here.el);
    if (root) this.begin(`<template shadowrootmode="${root.mode}">`, "</template>");
    if (this.recursion >= DEPTH_LIMIT) this.left.deep += here.el.getElementsByTagName("*").length;
    else if (!this.full && !isSecret(here.el)) super.enter(here);
    if (root) this.end();
    this.end();
  }

  frame(here) {
    if (frameDocument(here.el)) super.frame(here);
    else if (this.written === this.open.length) {
      this.cutSegment();
      this.segments.push(key(here.el));
    }
  }

  say(node, here) {
    if (this.legibility(here) === UNREADABLE) return;
    const text = /^(pre|break)/.test(here.style.whiteSpace) ? node.data : node.data.replace(/\s+/g, " ");
    if (/\S/.test(text)) this.writeText(text);
    else if (text && this.written === this.open.length && !/\s$/.test(this.parts[this.parts.length - 1] ?? " ")) this.write(" ");
  }

  // Everything in it is its value, or nothing.
  control(el) {
    if (VOID.has(el.localName)) {
      this.write(startTag(el));
      return;
    }
    this.begin(startTag(el), `</${tagName(el)}>`);
    if (this.insist() && !isSecret(el)) {
      if (el.localName === "textarea") this.writeText(el.value);
      else for (const option of el.options) this.option(option);
    }
    this.end();
  }

  option(option) {
    if (option.hidden || this.full) return;
    const value = option.hasAttribute("value") ? ` value="${escapeHtml(beginning(option.value, ATTRIBUTE_LIMIT))}"` : "";
    this.write(`<option${value}${option.selected ? " selected" : ""}>${escapeHtml(beginning(squeeze(option.label), ATTRIBUTE_LIMIT))}</option>`);
  }

  flush() {}
  space() {}
  // Closed roots that nobody knows yet are for the next look to ask for.
  suspect() {}
}

// Whether a control that cannot be seen itself has a label that can.
function hasStandIn(el) {
  const label = standIn(el);
  if (!label) return false;
  const rect = label.getBoundingClientRect();
  const view = label.ownerDocument.defaultView;
  return rect.right + view.scrollX > 0 && rect.bottom + view.scrollY > 0;
}

// -> MarkupFacts of browserx/inpage/facts.py as one JSON string
function html(options) {
  forgetLabels();
  const root = options.root ? lookUp(options.root) : null;
  if (options.root && !root?.isConnected) return told({ gone: true });
  const look = new HtmlLook(options);
  look.run(root);
  return told(look.result());
}

const WRITTEN = ["id", "name", "type", "role", "aria-label", ...TEST_IDS];

// What is written on elements that a skeleton passes on, null for those that are gone. -> one JSON string
function written(keys) {
  return told(keys.map((k) => {
    const el = lookUp(k);
    if (!el?.isConnected) return null;
    const attributes = {};
    const add = (name, value) => { if (value) attributes[name] = beginning(value, ATTRIBUTE_LIMIT); };
    for (const name of WRITTEN) add(name, el.getAttribute(name));
    add("href", safeAddress(el.getAttribute("href") ?? el.getAttribute("xlink:href") ?? ""));
    if (/^(submit|button|reset)$/.test(el.type) && el.localName === "input" && !isSecret(el)) add("value", el.value);
    return attributes;
  }));
}
