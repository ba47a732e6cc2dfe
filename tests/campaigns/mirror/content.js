// Kinds: text, attributes, and the tree.

const LEAVES = "h1, h2, h3, p, li, td, th, a, button, label, summary, legend, caption, option, b, span, dt, dd, text, .plain";

function textNodes() {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    if (/\S/.test(node.data) && node.parentElement.matches(":not(script, style)")) found.push(node);
  }
  return found;
}

function pickText() {
  const there = textNodes();
  const shown = there.filter((node) => isInView(node.parentElement));
  if (!there.length) throw new Nothing("text");
  const node = oneOf(shown.length ? shown : there);
  note(`text of ${called(node.parentElement)}`);
  return node;
}

kinds["text data"] = () => setProperty(pickText(), "data", phrase());
kinds["text appended to"] = () => void pickText().appendData(` ${phrase()}`);
kinds["text split"] = () => {
  const node = pickText();
  node.splitText(int(node.length));
  return () => node.parentNode?.normalize();
};
kinds["text content"] = () => setProperty(pick(`:is(${LEAVES}):not(:has(*))`), "textContent", phrase());
kinds["text inserted"] = () => {
  const node = document.createTextNode(` ${phrase()} `);
  pickPlain(LEAVES).append(node);
  return () => node.remove();
};
kinds["text removed"] = () => {
  const node = pickText();
  const { parentNode } = node;
  node.remove();
  return () => parentNode.append(node);
};
kinds["comment"] = () => void pickPlain("section, p, ul").append(document.createComment(phrase()));

// attributes

const flag = () => oneOf(["true", "false"]);
const three = () => oneOf(["true", "false", "mixed"]);
const SHOWN = "section *";
const PRESENT = () => "";
const ATTRIBUTES = {
  "aria-label": ["button, a, input, select, section, [role], img, svg, rect", phrase],
  "aria-labelledby": ["button, input, [role]", () => oneOf(["lname", "name", "texts", "gone"])],
  "aria-expanded": ["button, a, [role=treeitem]", flag],
  "aria-pressed": ["button", three],
  "aria-selected": ["[role=option], [role=tab]", flag],
  "aria-checked": ["[role=switch], [role=menuitemcheckbox]", three],
  "aria-current": ["a, button", flag],
  "aria-disabled": ["button, a, [role], section", flag],
  "aria-hidden": ["button *, label *", flag],
  "aria-invalid": ["input, select, textarea", flag],
  "aria-level": ["h1, h2, h3", () => String(1 + int(5))],
  "aria-valuenow": ["[role=slider]", () => String(int(10))],
  "aria-haspopup": ["button", () => oneOf(["true", "menu", "dialog"])],
  "aria-modal": ["dialog, section", flag],
  "role": ["div, span, p, li, ul, b, section, [role]", () => oneOf(["button", "link", "checkbox", "list", "heading", "none", "img", "tab", "alert", "option"])],
  "href": ["a, area", () => `/${oneOf(WORDS)}`],
  "title": [".icon, iframe, [role=img], .nameless, section", phrase],
  "alt": ["img, area", phrase],
  "hidden": [`:is(${LEAVES}, ul, table, input, form, .box, .plain)`, PRESENT],
  "class": [SHOWN, () => oneOf(["hidden", "ghost", "faint", "small", "away", "pinned", "upper", "pointer", "said", "second", `k${int(8)}`])],
  "style": [SHOWN, () => oneOf(["display: none", "visibility: hidden", "opacity: 0", "cursor: pointer", "position: fixed; top: 100px; left: 300px", "font-size: 0.5px", "text-transform: uppercase", "height: 300px", "transform: translate(-200px, 30px)", "pointer-events: none"])],
  "id": ["#name, #lname, #town, .nameless, p.plain", () => oneOf(["name", "lname", "town", "i"])],
  "for": ["label", () => oneOf(["name", "town", "news"])],
  "tabindex": ["div, span, p, li, svg *", () => oneOf(["0", "0", "-1"])],
  "disabled": ["button, input, select, textarea, fieldset, option", PRESENT],
  "readonly": ["input, textarea", PRESENT],
  "required": ["input, select, textarea", PRESENT],
  "inert": [`:is(section, form, ul, p, .box)${FRAMELESS}`, PRESENT],
  "data-testid": ["div, p, span, li", phrase],
  "placeholder": ["input, textarea", phrase],
  "type": ["input", () => oneOf(["text", "search", "checkbox", "number", "password", "hidden", "button", "range", "radio"])],
  "value": ["input, progress, meter", () => oneOf(["0.5", "7", "1"])],
  "checked": ["input[type=checkbox], input[type=radio]", PRESENT],
  "max": ["input[type=number], input[type=range]", () => String(1 + int(20))],
  "open": ["details, dialog", PRESENT],
  "contenteditable": ["div, p, [contenteditable]", () => oneOf(["true", "false"])],
  "draggable": ["div, p, li", () => "true"],
  "dir": ["section, body, .box", () => "rtl"],
  "onclick": ["div, span, p, li, svg *", () => "0"],
  "multiple": ["select, input[type=file]", PRESENT],
  "size": ["select, input:not([type])", () => String(1 + int(4))],
  "list": ["input", () => "teas"],
  "autocomplete": ["input:not([type]), input[type=search]", () => oneOf(["cc-number", "name"])],
  "label": ["option, optgroup", phrase],
  "name": ["input, details", () => oneOf(["one", "size"])],
  "popover": ["p, div.plain, [popover]", () => "manual"],
  "popovertarget": ["button", () => "pop"],
  "coords": ["area", () => `0,0,${10 + int(90)},39`],
  "scope": ["th, td", () => "row"],
  "slot": ["x-open *, x-closed *", () => "named"],
};
for (const [name, [selector, value]] of Object.entries(ATTRIBUTES)) {
  kinds[`attribute ${name}`] = () => {
    const el = pick(selector);
    return setAttribute(el, name, el.hasAttribute(name) && chance(value === PRESENT ? 0.9 : 0.3) ? null : value());
  };
}
kinds["attribute of a size"] = () => setAttribute(pick("svg, img, canvas"), oneOf(["width", "height"]), String(5 + int(300)));
kinds["attribute in a drawing"] = () => setAttribute(pick("svg rect, svg text"), ...oneOf([["transform", "translate(900 0)"], ["display", "none"], ["visibility", "hidden"]]));

// the tree

const PARTS = "p, li, tr, button, a, label, input, ul, form, table, h2, h3, .box, .plain, b, x-open, x-closed";
const PLACES = "section, ul, td, .box, form, .plain, p, details, blockquote";

function put(node, parent) {
  parent.insertBefore(node, oneOf([...parent.childNodes, null]));
}

function backWhereItWas(node) {
  const { parentNode, nextSibling } = node;
  return () => {
    if (nextSibling?.parentNode === parentNode) parentNode.insertBefore(node, nextSibling);
    else parentNode.append(node);
  };
}

kinds["insert"] = () => {
  const fragment = built(markup());
  const nodes = [...fragment.childNodes];
  put(fragment, pickPlain(PLACES));
  return () => nodes.forEach((node) => node.remove());
};
kinds["insert many"] = () => {
  const list = built(`<ul>${Array.from({ length: 30 + int(40) }, () => `<li>${phrase()} <a href="/m">${phrase()}</a>`).join("")}</ul>`).firstChild;
  put(list, pickPlain("section, .box"));
  return () => list.remove();
};
kinds["remove"] = () => {
  const el = pickPlain(PARTS);
  const back = backWhereItWas(el);
  el.remove();
  return back;
};
kinds["move"] = () => {
  const el = pickPlain(PARTS);
  const back = backWhereItWas(el);
  put(el, pickPlain(PLACES));
  return back;
};
kinds["move with its state"] = () => {
  const el = pickPlain(PARTS);
  const back = backWhereItWas(el);
  const place = pickPlain(PLACES);
  place.moveBefore?.(el, oneOf([...place.childNodes, null]));
  return back;
};
kinds["replace with a clone"] = () => {
  const el = pickPlain(PARTS);
  el.replaceWith(el.cloneNode(true));
};
kinds["replace"] = () => {
  const el = pickPlain(PARTS);
  const other = built(`<div>${markup()}</div>`).firstChild;
  el.replaceWith(other);
  return () => other.replaceWith(el);
};
kinds["reorder"] = () => {
  const list = pickPlain("ul, tbody, select, [role=listbox], form");
  for (const child of shuffled([...list.children])) list.append(child);
};
kinds["reverse"] = () => {
  const list = pickPlain("ul, tbody, [role=tablist], svg");
  list.replaceChildren(...[...list.children].reverse());
};
kinds["inner html"] = () => {
  const el = pickPlain("ul, p, td, .box, .plain, fieldset, label, tbody");
  const old = el.innerHTML;
  el.innerHTML = chance(0.4) ? old : chance(0.5) ? old + markup() : markup();
  return () => { el.innerHTML = old; };
};
kinds["outer html"] = () => {
  const el = pickPlain(PARTS);
  el.outerHTML = chance(0.5) ? el.outerHTML : `${el.outerHTML}${markup()}`;
};
kinds["adjacent html"] = () => pickPlain(PARTS).insertAdjacentHTML(oneOf(["beforebegin", "afterend"]), markup());
kinds["wrap"] = () => {
  const el = pickPlain(PARTS);
  const wrapper = document.createElement(oneOf(["div", "span", "section", "a", "button"]));
  el.replaceWith(wrapper);
  wrapper.append(el);
  return () => wrapper.replaceWith(...wrapper.childNodes);
};
kinds["table row"] = () => {
  const table = pick("table");
  if (table.rows.length > 2 && chance(0.4)) table.deleteRow(1 + int(table.rows.length - 1));
  else table.insertRow().append(...built(`<td>${phrase()}<td>${int(9)}<td><a href="/t">${phrase()}</a>`).childNodes);
};
kinds["table cell"] = () => {
  const row = pick("tr");
  if (row.cells.length > 1 && chance(0.4)) row.deleteCell(int(row.cells.length));
  else row.insertCell().textContent = phrase();
};
kinds["drawing"] = () => {
  const svg = pick("svg");
  const shape = document.createElementNS(svg.namespaceURI, oneOf(["rect", "text", "a"]));
  for (const [name, value] of Object.entries({ x: int(90), y: 30, width: 20, height: 20, href: "#x", tabindex: 0 })) shape.setAttribute(name, value);
  shape.append(shape.localName === "a" ? built(`<svg><text y="30">${phrase()}</text></svg>`).firstChild.firstChild : phrase());
  svg.append(shape);
  return () => shape.remove();
};
