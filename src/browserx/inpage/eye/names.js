// The accessible name, and where it came from.
// Source: Accessible Name and Description Computation 1.2; HTML-AAM 1.0 for what each element contributes.

const squeeze = (text) => UNTIDY.test(text) ? text.replace(/\s+/g, " ").trim() : text;
const UNTIDY = /^\s|\s\s|[^\S ]|\s$/;

// el.labels is O(document) after every change; one map for a whole look is not.
let labelMaps = new WeakMap();
const forgetLabels = () => {
  labelMaps = new WeakMap();
  drawing = new WeakMap();
  drawn = new WeakMap();
};

function labelsOf(element) {
  const scope = element.getRootNode();
  if (!scope.querySelectorAll) return [];
  let map = labelMaps.get(scope);
  if (map === undefined) {
    map = new Map();
    for (const label of scope.querySelectorAll("label")) {
      const control = label.control;
      if (!control) continue;
      const list = map.get(control);
      if (list) list.push(label);
      else map.set(control, [label]);
    }
    labelMaps.set(scope, map);
  }
  return map.get(element) || [];
}

const LABELABLE = words("button input meter output progress select textarea");

// -> [name, fromContent]
function nameOf(element, role) {
  const referenced = referencedText(element, new Set());
  if (referenced) return [referenced, false];
  const label = squeeze(element.getAttribute("aria-label") || "");
  if (label) return [label, false];
  const native = nativeName(element, role, new Set([element]));
  if (native) return [native, false];
  if (namesItself(element, role)) {
    const content = squeeze(contentText(element, new Set([element])));
    if (content) return [content, true];
  }
  const title = squeeze(element.getAttribute("title") || "");
  if (title) return [title, false];
  if (element.localName === "input" || element.localName === "textarea") {
    return [squeeze(element.getAttribute("placeholder") || element.getAttribute("aria-placeholder") || ""), false];
  }
  return [squeeze(element.getAttribute("aria-placeholder") || ""), false];
}

// A row of a plain table is not called by all it says; one of a grid, where rows are picked, is.
const namesItself = (element, role) => NAME_FROM_CONTENT.has(role)
  && (role !== "row" || element.closest("[role=grid],[role=treegrid]") !== null);

function referencedText(element, seen) {
  const ids = element.getAttribute("aria-labelledby");
  if (!ids) return "";
  const scope = element.getRootNode();
  const parts = [];
  for (const id of ids.trim().split(/\s+/)) {
    const target = scope.getElementById?.(id);
    if (target && !seen.has(target)) parts.push(textAlternative(target, new Set([...seen, target]), true));
  }
  return squeeze(parts.join(" "));
}

function nativeName(element, role, seen) {
  const tag = element.localName;
  if ((LABELABLE.has(tag) && element.type !== "hidden") || tag.includes("-")) {
    const text = labelsOf(element).filter((l) => !seen.has(l)).map((l) => textAlternative(l, new Set([...seen, l]), true)).join(" ");
    if (squeeze(text) && !(tag === "input" && /^(submit|reset|button|image)$/.test(element.type))) return squeeze(text);
  }
  switch (tag) {
    case "input":
      switch (element.type) {
        case "submit": return squeeze(element.value) || (element.hasAttribute("value") ? "" : "Submit");
        case "reset": return squeeze(element.value) || (element.hasAttribute("value") ? "" : "Reset");
        case "button": return squeeze(element.value);
        case "image": return squeeze(element.alt || element.getAttribute("value") || element.title || "Submit");
        case "file": return element.multiple ? "Choose Files" : "Choose File";
        default: return "";
      }
    case "img": case "area": return squeeze(element.alt || "");
    case "fieldset": return childText(element, "legend", seen);
    case "table": return childText(element, "caption", seen);
    case "optgroup": return squeeze(element.label || "");
    case "option": return squeeze(element.label || element.text);
    case "iframe": case "frame": return squeeze(element.title || "");
    default: return element.namespaceURI === SVG_NS ? squeeze(element.querySelector(":scope > title")?.textContent ?? "") : "";
  }
}

function childText(element, tag, seen) {
  const child = element.querySelector(`:scope > ${tag}`);
  return child && !seen.has(child) ? squeeze(textAlternative(child, new Set([...seen, child]), true)) : "";
}

// What an element says inside the name of another.
function textAlternative(element, seen, referenced) {
  return saidBy(element, seen, referenced)[0];
}

// -> [text, whether it was written for the element as a whole: such words stand apart from those around them]
function saidBy(element, seen, referenced) {
  if (!referenced) {
    const part = referencedText(element, seen);
    if (part) return [part, true];
  }
  const role = roleOf(element);
  const embedded = embeddedValue(element, role);
  if (embedded) return [embedded, true];
  const label = squeeze(element.getAttribute("aria-label") || "");
  if (label) return [label, true];
  if (embedded !== null) return ["", true];
  const native = nativeName(element, role, seen);
  if (native) return [native, true];
  // A picture says what was written for it, not what it is drawn with.
  const content = role === "image" ? "" : contentText(element, seen);
  return /\S/.test(content) || role === "" ? [content, false] : [element.getAttribute("title") || "", true];
}

function embeddedValue(element, role) {
  if (isSecret(element)) return "";
  switch (role) {
    case "textbox": case "searchbox":
      return "value" in element ? element.value : element.textContent;
    case "combobox": case "listbox":
      return element.localName === "select" ? valueOf(element, role) || "" : "value" in element ? element.value : null;
    case "slider": case "spinbutton": case "progressbar": case "meter":
      return element.getAttribute("aria-valuetext") ?? element.getAttribute("aria-valuenow") ?? String(element.value ?? "");
    default: return null;
  }
}

function contentText(element, seen) {
  const root = rootOf(element);
  const style = getComputedStyle(element);
  if (style.contentVisibility === "hidden" && style.display !== "inline") return "";
  const draws = mayDraw(element, root);
  const before = draws ? generated(element, "::before") : "";
  const after = draws ? generated(element, "::after") : "";
  // The common case, a control with nothing but text in it.
  if (!root && element.firstElementChild === null && element.localName !== "slot") {
    return before + transformed(element.textContent, style) + after;
  }
  let text = before;
  for (const child of childrenOf(element, root)) {
    if (child.nodeType === 3) {
      text += transformed(child.data, style);
      continue;
    }
    if (child.nodeType !== 1 || seen.has(child) || NEVER_SHOWN.has(child.localName)) continue;
    if (child.localName === "br") {
      text += " ";
      continue;
    }
    if (child.getAttribute("aria-hidden") === "true") continue;
    const { display, visibility } = getComputedStyle(child);
    if (display === "none" || (visibility !== "visible" && display !== "contents")) continue;
    // The branches of a tree and the menus of a menu are things of their own.
    if (/^(group|menu)$/.test(child.getAttribute("role") ?? "") && isBranch(child)) continue;
    seen.add(child);
    const [part, apart] = saidBy(child, seen, false);
    text += !apart && (display === "inline" || display === "contents") ? part : ` ${part} `;
    if (text.length > 2000) break;
  }
  return text + after;
}

function isBranch(group) {
  for (let up = parentOf(group); up?.nodeType === 1; up = parentOf(up)) {
    if (up.hasAttribute("role")) return /^(treeitem|menuitem)$/.test(up.getAttribute("role"));
  }
  return false;
}

// Whether any style sheet may add text to an element. Reading that of one costs as much as all else about it, and many
// documents have no such rule; those whose sheets cannot be read may have.
let drawing = new WeakMap();

function mayDraw(element, root) {
  if (root !== null || element.assignedSlot !== null) return true;
  const scope = element.ownerDocument;
  if (element.getRootNode() !== scope) return true;
  let may = drawing.get(scope);
  if (may === undefined) drawing.set(scope, may = [...scope.styleSheets, ...scope.adoptedStyleSheets].some(hasDrawingRule));
  return may;
}

function hasDrawingRule(sheet) {
  try {
    for (const rule of sheet.cssRules) {
      if (rule.selectorText !== undefined && /before|after/i.test(rule.selectorText)) return true;
      const inner = rule.styleSheet ?? rule;
      if (inner.cssRules?.length && hasDrawingRule(inner)) return true;
    }
    return false;
  } catch {
    return true;
  }
}

// What a style sheet adds to the text of an element, as far as it is text. The name of each thing that an element is in
// asks for it again.
let drawn = new WeakMap();

function generated(element, which) {
  let texts = drawn.get(element);
  if (texts === undefined) drawn.set(element, texts = {});
  return texts[which] ??= readGenerated(element, which);
}

function readGenerated(element, which) {
  const style = getComputedStyle(element, which);
  const { content } = style;
  if (content === "none" || content === "normal" || !content.includes('"') || style.display === "none") return "";
  // What follows a slash is said instead of what is drawn.
  const [, said] = /\/ *("[^]*)$/.exec(content) ?? [null, content];
  const text = transformed([...said.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((m) => m[1].replace(/\\(.)/g, "$1")).join(""), style);
  return style.display === "inline" || text === "" ? text : ` ${text} `;
}

function transformed(text, style) {
  switch (style.textTransform) {
    case "none": return text;
    case "uppercase": return text.toUpperCase();
    case "lowercase": return text.toLowerCase();
    case "capitalize": return text.replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
    default: return text;
  }
}

function childrenOf(element, root) {
  if (root) return root.childNodes;
  if (element.localName === "slot" && element.assignedNodes) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
}

// Of a control that nobody named: what may tell what it is drawn as.
const SAYS_SOMETHING = /[^\s\ue000-\uf8ff]/;
const HINTS = 6;

function hintsOf(element) {
  const hints = [];
  const add = (kind, text) => {
    if (text && hints.length < HINTS) hints.push(`${kind} ${squeeze(text).slice(0, 120)}`);
  };
  for (const which of ["::before", "::after"]) add("label", generated(element, which));
  const named = element.querySelector("[aria-label],[title],[alt]");
  if (named) add("label", named.getAttribute("aria-label") || named.getAttribute("title") || named.getAttribute("alt"));
  const drawn = [element, ...(rootOf(element) ?? element).querySelectorAll("i,span,svg,use,img,[icon],[name]")].slice(0, HINTS);
  for (const part of drawn) {
    add("use", part.localName === "use" ? part.getAttribute("href") ?? part.getAttribute("xlink:href") : "");
    add("name", part.getAttribute("data-icon") ?? part.getAttribute("icon") ?? (part.localName.endsWith("-icon") ? part.getAttribute("name") : ""));
    add("class", part.getAttribute("class"));
    if (part.localName === "img" && !/^data:/.test(part.src)) add("src", part.getAttribute("src"));
  }
  return hints;
}
