// The accessible name, and where it came from.
// Source: Accessible Name and Description Computation 1.2; HTML-AAM 1.0 for what each element contributes.

const squeeze = (text) => text.replace(/\s+/g, " ").trim();

// el.labels is O(document) after every change; one map for a whole look is not.
let labelMaps = new WeakMap();
const forgetLabels = () => { labelMaps = new WeakMap(); };

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
  if (NAME_FROM_CONTENT.has(role)) {
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
  if (LABELABLE.has(tag) && element.type !== "hidden") {
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
        default: return "";
      }
    case "img": case "area": return squeeze(element.alt || "");
    case "fieldset": return childText(element, "legend", seen);
    case "table": return childText(element, "caption", seen);
    case "figure": return childText(element, "figcaption", seen);
    case "optgroup": return squeeze(element.label || "");
    case "option": return squeeze(element.label || element.text);
    case "svg": {
      const title = element.querySelector(":scope > title");
      return title ? squeeze(title.textContent) : "";
    }
    case "iframe": case "frame": return squeeze(element.title || "");
    default: return "";
  }
}

function childText(element, tag, seen) {
  const child = element.querySelector(`:scope > ${tag}`);
  return child && !seen.has(child) ? squeeze(textAlternative(child, new Set([...seen, child]), true)) : "";
}

// What an element says inside the name of another.
function textAlternative(element, seen, referenced) {
  if (!referenced) {
    const part = referencedText(element, seen);
    if (part) return part;
  }
  const label = squeeze(element.getAttribute("aria-label") || "");
  if (label) return label;
  const role = roleOf(element);
  const embedded = embeddedValue(element, role);
  if (embedded !== null) return embedded;
  const native = nativeName(element, role, seen);
  if (native) return native;
  const content = contentText(element, seen);
  return squeeze(content) ? content : element.getAttribute("title") || "";
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
  // The common case, a control with nothing but text in it, needs no styles.
  if (!root && element.firstElementChild === null && element.localName !== "slot") return element.textContent;
  let text = "";
  for (const child of childrenOf(element, root)) {
    if (child.nodeType === 3) {
      text += child.data;
      continue;
    }
    if (child.nodeType !== 1 || seen.has(child) || NEVER_SHOWN.has(child.localName)) continue;
    if (child.localName === "br") {
      text += " ";
      continue;
    }
    if (child.getAttribute("aria-hidden") === "true") continue;
    const style = getComputedStyle(child);
    if (style.display === "none" || (style.visibility !== "visible" && style.display !== "contents")) continue;
    seen.add(child);
    const part = textAlternative(child, seen, false);
    text += style.display === "inline" || style.display === "contents" ? part : ` ${part} `;
    if (text.length > 2000) break;
  }
  return text;
}

function childrenOf(element, root) {
  if (root) return root.childNodes;
  if (element.localName === "slot" && element.assignedNodes) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  return element.childNodes;
}
