// Role, states and value as the browser's accessibility computes them.
// Source: HTML-AAM 1.0 and WAI-ARIA 1.2; role names beyond ARIA's are Chromium's own (Iframe, Date, ColorWell, …).

function explicitRole(element) {
  const given = element.getAttribute("role");
  if (!given) return "";
  for (const token of given.trim().toLowerCase().split(/\s+/)) {
    if (!ARIA_ROLES.has(token)) continue;
    if ((token === "none" || token === "presentation") && (isFocusable(element) || hasGlobalAria(element))) continue;
    if (token === "img") return "image";
    if (token === "presentation") return "none";
    if (token === "directory") return "list";
    if (token === "option" && !isInListbox(element)) return "";
    return token;
  }
  return "";
}

// An option that nothing lists is none.
function isInListbox(element) {
  for (let up = parentOf(element); up?.nodeType === 1; up = parentOf(up)) {
    const role = up.getAttribute("role");
    if (up.localName === "select" || role === "listbox") return true;
    if (role && !/^(group|none|presentation|generic)$/.test(role)) return false;
  }
  return false;
}

// What an element is because it can be clicked. Source: as Chromium does it.
function clickableRole(element, tag) {
  if (element.namespaceURI === SVG_NS) return tag === "g" ? "group" : SHAPES.has(tag) ? "graphics-symbol" : "";
  return tag === "a" ? "link" : tag === "img" ? "image" : "";
}

const hasGlobalAria = (element) => element.hasAttribute("aria-label") || element.hasAttribute("aria-labelledby")
  || element.hasAttribute("aria-describedby") || element.hasAttribute("aria-live") || element.hasAttribute("aria-owns")
  || element.hasAttribute("aria-controls");

function isFocusable(element) {
  if (element.hasAttribute("tabindex")) return true;
  switch (element.localName) {
    case "a": case "area": return element.hasAttribute("href");
    case "button": case "select": case "textarea": return !element.disabled;
    case "input": return !element.disabled && element.type !== "hidden";
    case "summary": return isSummary(element);
    default: return false;
  }
}

function isNative(el, tag) {
  switch (tag) {
    case "a": case "area": return el.hasAttribute("href") || (el.namespaceURI === SVG_NS && el.hasAttribute("xlink:href"));
    case "button": case "select": case "textarea": return el.namespaceURI === HTML_NS;
    case "input": return el.type !== "hidden";
    case "summary": return isSummary(el);
    case "audio": case "video": return el.controls;
    default: return false;
  }
}

const isSummary = (element) => element.parentElement?.localName === "details"
  && element.parentElement.querySelector(":scope > summary") === element;

function implicitRole(element) {
  const tag = element.localName;
  if (element.namespaceURI === SVG_NS) {
    if (tag === "a") return element.hasAttribute("href") || element.hasAttribute("xlink:href") ? "link" : "group";
    return tag === "svg" ? "image" : "";
  }
  switch (tag) {
    case "a": case "area": return element.hasAttribute("href") ? "link" : "";
    case "input": {
      const type = element.type;
      if (type === "hidden") return "";
      if (type === "button" && element.hasAttribute("aria-pressed")) return "button";
      if (element.hasAttribute("list") && TEXT_INPUTS.has(type) && element.list) return "combobox";
      return INPUT_ROLES[type] || "textbox";
    }
    case "select": return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "img": return element.getAttribute("alt") === "" && !element.hasAttribute("title") && !hasGlobalAria(element) ? "none" : "image";
    case "summary":
      if (!isSummary(element)) return "";
      return element.parentElement.getAttribute("name") ? "DisclosureTriangleGrouped" : "DisclosureTriangle";
    case "header": return isPageLevel(element) ? "banner" : "";
    case "footer": return isPageLevel(element) ? "contentinfo" : "";
    case "section": return hasAuthorName(element) ? "region" : "";
    case "form": return "form";
    case "th": return headerRole(element);
    case "td": {
      const table = element.closest("table");
      const role = table ? explicitRole(table) : "";
      return role === "grid" || role === "treegrid" ? "gridcell" : "cell";
    }
    default: return TAG_ROLES[tag] || "";
  }
}

const isPageLevel = (element) => !element.closest("article,aside,main,nav,section,[role=article],[role=complementary],"
  + "[role=main],[role=navigation],[role=region]");
const hasAuthorName = (element) => !!(element.getAttribute("aria-label")?.trim()
  || element.hasAttribute("aria-labelledby") || element.getAttribute("title")?.trim());

function headerRole(cell) {
  const scope = cell.getAttribute("scope");
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  if (scope === "col" || scope === "colgroup") return "columnheader";
  const row = cell.parentElement;
  if (row?.parentElement?.localName === "thead") return "columnheader";
  const only = row && [...row.children].every((c) => c.localName === "th");
  return only ? "columnheader" : row && row.firstElementChild === cell ? "rowheader" : "columnheader";
}

function roleOf(element) {
  return explicitRole(element) || implicitRole(element);
}

const CONTROLS = words("button input select textarea");
const CHECKABLE = words("checkbox radio switch menuitemcheckbox menuitemradio");
const RANGES = words("slider spinbutton progressbar meter scrollbar");

// States, only those that are not at their default. Keys are those of browserx/inpage/facts.py.
// `hasAria`: whether any aria-* attribute is written on it.
function statesOf(element, role, hasAria, disabled) {
  const s = {};
  const tag = element.localName;
  const isControl = CONTROLS.has(tag);
  const aria = hasAria ? (name) => element.getAttribute("aria-" + name) : () => null;
  if (tag === "input" && (element.type === "checkbox" || element.type === "radio")) {
    if (element.indeterminate) s.checked = "mixed";
    else s.checked = element.checked;
  } else if (CHECKABLE.has(role)) {
    s.checked = aria("checked") === "mixed" ? "mixed" : aria("checked") === "true";
  } else if (aria("checked") !== null && (role === "option" || role === "treeitem")) {
    s.checked = aria("checked") === "mixed" ? "mixed" : aria("checked") === "true";
  }
  if (tag === "details") s.expanded = element.open;
  else if (tag === "summary" && isSummary(element)) s.expanded = element.parentElement.open;
  else if (isControl && element.popoverTargetElement) s.expanded = element.popoverTargetElement.matches(":popover-open");
  else if (aria("expanded") === "true" || aria("expanded") === "false") s.expanded = aria("expanded") === "true";
  if (tag === "option") s.selected = element.selected;
  else if (aria("selected") !== null) s.selected = aria("selected") === "true";
  if (aria("pressed") !== null) s.pressed = aria("pressed") === "mixed" ? "mixed" : aria("pressed") === "true";
  if (disabled) s.disabled = true;
  if ((isControl && element.required === true) || aria("required") === "true") s.required = true;
  if ((isControl && element.readOnly === true && (tag === "textarea" || TEXT_INPUTS.has(element.type))) || aria("readonly") === "true") s.readonly = true;
  const invalid = aria("invalid");
  if (invalid !== null && invalid !== "" && invalid !== "false") s.invalid = true;
  else if (isControl && tag !== "button" && element.willValidate && isInvalid(element)) s.invalid = true;
  if (s.invalid) {
    const id = aria("errormessage");
    const message = id ? squeeze(element.getRootNode().getElementById?.(id)?.textContent || "") : element.validationMessage;
    if (message) s.invalidBecause = message.slice(0, 120);
  }
  const current = aria("current");
  if (current !== null && current !== "" && current !== "false") s.current = current;
  if (role === "heading") s.level = Number(aria("level")) || Number(tag[1]) || 2;
  else if (aria("level") !== null && Number(aria("level")) > 0) s.level = Number(aria("level"));
  const sort = aria("sort");
  if (sort && sort !== "none") s.sort = sort;
  if (aria("haspopup") !== null && aria("haspopup") !== "false") s.popup = aria("haspopup") === "true" ? "menu" : aria("haspopup");
  if (aria("busy") === "true") s.busy = true;
  if (aria("modal") === "true" || (tag === "dialog" && element.matches(":modal"))) s.modal = true;
  if ((tag === "select" && element.multiple) || aria("multiselectable") === "true") s.multiselectable = true;
  if (RANGES.has(role)) {
    const low = tag === "input" ? element.min : aria("valuemin") ?? element.getAttribute("min");
    const high = tag === "input" ? element.max : aria("valuemax") ?? element.getAttribute("max");
    if (low && Math.abs(low) < NO_LIMIT) s.min = low;
    if (high && Math.abs(high) < NO_LIMIT) s.max = high;
    if (tag === "input" && element.type === "range") {
      s.min ||= "0";
      s.max ||= "100";
    }
  }
  return s;
}

// Numbers that only mean "as far as numbers go".
const NO_LIMIT = 1e15;

// What is only still missing is required, and not wrong until it was left so.
const isInvalid = (element) => element.matches(":user-invalid") || (!element.validity.valid && !element.validity.valueMissing);

const MAY_BE_DISABLED = words("button input select textarea option optgroup fieldset");

function isDisabled(element) {
  return element.matches(":disabled")
    || (element.closest("[aria-disabled=true]") !== null && element.getAttribute("aria-disabled") !== "false");
}

const isSecret = (element) => (element.localName === "input" && element.type === "password")
  || (element.hasAttribute("autocomplete") && SECRETS.test(element.getAttribute("autocomplete")));
const SECRETS = /(^|\s)(one-time-code|cc-number|cc-csc|current-password|new-password)(\s|$)/;

// The value a person reads in the control; null where there is none to tell.
function valueOf(element, role) {
  switch (element.localName) {
    case "input":
      if (/^(checkbox|radio|button|submit|reset|image|hidden)$/.test(element.type)) return null;
      if (element.type === "file") return [...element.files].map((f) => f.name).join(", ") || null;
      return element.value || null;
    case "textarea": return element.value || null;
    case "select": return [...element.selectedOptions].map((o) => squeeze(o.label || o.text)).join(", ") || null;
    case "progress": return element.hasAttribute("value") ? String(element.value) : null;
    case "meter": return String(element.value);
    default: break;
  }
  if (element.isContentEditable && !element.parentElement?.isContentEditable) return squeeze(element.innerText).slice(0, 1001) || null;
  const text = element.getAttribute("aria-valuetext");
  if (text) return text;
  if (RANGES.has(role)) return element.getAttribute("aria-valuenow");
  if (role === "combobox" || role === "textbox" || role === "searchbox") {
    return squeeze(contentText(element, new Set([element, ...element.querySelectorAll("[role=listbox]")]))).slice(0, 250) || null;
  }
  return null;
}

// The attributes that say something to a reader.
function attributesOf(el, tag) {
  if (!el.hasAttributes()) return null;
  const a = {};
  if (tag === "a" || tag === "area") {
    const href = el.getAttribute("href") ?? el.getAttribute("xlink:href");
    if (href) a.href = href.slice(0, 500);
  }
  if (tag === "input") a.type = el.type;
  const placeholder = el.getAttribute("placeholder") ?? el.getAttribute("aria-placeholder")
    ?? (el.isContentEditable ? el.getAttribute("data-placeholder") : null);
  if (placeholder) a.placeholder = placeholder.slice(0, 120);
  for (const name of TEST_IDS) {
    const id = el.getAttribute(name);
    if (id) {
      a.testid = id.slice(0, 80);
      break;
    }
  }
  for (const _ in a) return a;
  return null;
}
