// Synthetic key input: per character keydown, keypress, input, keyup, then change. No browser acts on a key that was not
// pressed, so what it would have done is done here, unless the page prevented it.

const VALUES = { input: setterOf(HTMLInputElement), textarea: setterOf(HTMLTextAreaElement) };
// Frameworks that control a field put a setter of their own on it and take what goes through that for their own doing.
function setterOf({ prototype }) {
  return Object.getOwnPropertyDescriptor(prototype, "value").set;
}
const write = (el, value) => VALUES[el.localName].call(el, value);

const inputEvent = (el, inputType, data = null) => el.dispatchEvent(new (el.ownerDocument.defaultView.InputEvent)("input",
  { bubbles: true, composed: true, inputType, data }));
const changeEvent = (el) => el.dispatchEvent(new (el.ownerDocument.defaultView.Event)("change", { bubbles: true }));

// `stroke`: {key, code, keyCode, text, held}, as browserx/actions/keys.py has them.
function fireKey(el, type, { key: name, code, keyCode, text, held }) {
  const isPress = type === "keypress";
  const number = isPress ? (text === "\r" ? 13 : text.codePointAt(0)) : keyCode;
  return el.dispatchEvent(new (el.ownerDocument.defaultView.KeyboardEvent)(type, { key: name, code, keyCode: number, which: number,
    charCode: isPress ? number : 0, bubbles: true, cancelable: true, composed: true, view: el.ownerDocument.defaultView, ...heldKeys(held) }));
}

const takesText = (el) => (el.localName === "textarea" || (el.localName === "input" && TEXT_INPUTS.has(el.type))) && !el.readOnly && !isDisabled(el);
const mayInsert = (el) => takesText(el) || el.isContentEditable;
const selectionIn = (el) => el.selectionStart ?? null;
// What was typed into a number so far, where the field itself cannot hold it yet ("1." on the way to "1.5").
let unfinished = { el: null, text: "" };

function selectAllOf(el) {
  if (el.isContentEditable) el.ownerDocument.getSelection().selectAllChildren(el);
  else if (selectionIn(el) !== null) el.select();
  else return false;
  return true;
}

// Replace what is selected by `text`, as the browser would.
function insert(el, text, inputType) {
  if (el.isContentEditable) return el.ownerDocument.execCommand(text === "\n" ? "insertParagraph" : text ? "insertText" : "delete", false, text);
  const from = selectionIn(el);
  if (from === null) {
    const before = unfinished.el === el ? unfinished.text : el.value;
    unfinished = { el, text: before + text };
    write(el, unfinished.text);
    if (el.value === "" && before !== "") write(el, before.replace(/[^0-9]+$/, ""));
  } else {
    const rest = el.value.slice(el.selectionEnd);
    const start = el.value.slice(0, from);
    const room = el.maxLength >= 0 ? Math.max(0, el.maxLength - start.length - rest.length) : Infinity;
    const fits = [...text].reduce((made, c) => made.length + c.length <= room ? made + c : made, "");
    if (text && !fits) return false;
    write(el, start + fits + rest);
    el.setSelectionRange(start.length + fits.length, start.length + fits.length);
  }
  inputEvent(el, inputType, text === "\n" ? null : text || null);
  return true;
}

function erase(el, forward = false) {
  const inputType = forward ? "deleteContentForward" : "deleteContentBackward";
  if (el.isContentEditable) return el.ownerDocument.execCommand(forward ? "forwardDelete" : "delete");
  const from = selectionIn(el);
  if (from === null) {
    if (el.value === "") return false;
    unfinished = { el, text: el.value.slice(0, -1) };
    write(el, unfinished.text);
  } else {
    const to = el.selectionEnd;
    const value = el.value;
    const [a, b] = from !== to ? [from, to] : forward ? [from, Math.min(value.length, from + 1)] : [Math.max(0, from - 1), from];
    if (a === b) return false;
    write(el, value.slice(0, a) + value.slice(b));
    el.setSelectionRange(a, a);
  }
  return inputEvent(el, inputType);
}

function clear(el) {
  unfinished = { el: null, text: "" };
  if (el.isContentEditable ? el.textContent === "" : el.value === "") return;
  if (selectAllOf(el)) erase(el);
  else {
    write(el, "");
    inputEvent(el, "deleteContentBackward");
  }
}

// One key, down and up, and what it does in between. -> whether the element is still there
function strike(el, stroke) {
  const types = stroke.text !== "" && !(stroke.held & 7);
  let goesOn = fireKey(el, "keydown", stroke);
  if (goesOn && types) goesOn = fireKey(el, "keypress", stroke);
  if (goesOn && el.isConnected) act(el, stroke, types);
  const after = deepFocus() ?? el;
  if (el.isConnected) fireKey(after.isConnected && !mayInsert(el) ? after : el, "keyup", stroke);
  return el.isConnected;
}

function act(el, stroke, types) {
  const isCommand = (stroke.held & 7) === 2 || (stroke.held & 7) === 4;
  const name = stroke.key;
  if (isCommand && stroke.code === "KeyA") mayInsert(el) ? selectAllOf(el) : el.ownerDocument.getSelection().selectAllChildren(el.ownerDocument.body);
  else if (stroke.held & 7) return;
  else if (name === "Enter") enterOn(el);
  else if (name === "Tab") moveFocus(el, stroke.held & 8 ? -1 : 1);
  else if (name === "Backspace" || name === "Delete") mayInsert(el) && erase(el, name === "Delete");
  else if (name === "Escape") el.closest("dialog:modal")?.requestClose?.();
  else if (types && mayInsert(el)) insert(el, stroke.text, "insertText");
  else if (name === " " && isPressable(el)) el.click();
  else if (!mayInsert(el)) STEPS[name] && stepWith(el, STEPS[name]);
}

const isPressable = (el) => el.matches("button,summary,input:is([type=button],[type=submit],[type=reset],[type=checkbox],[type=radio])");

function enterOn(el) {
  if (el.isContentEditable || el.localName === "textarea") {
    if (mayInsert(el)) insert(el, "\n", "insertLineBreak");
  } else if (el.localName === "input" && !isPressable(el)) {
    tellChange(el);
    submitFrom(el);
  } else if (el.matches("a[href],button,summary,input:not([type=checkbox],[type=radio])")) el.click();
}

// As a form does by itself: by its first submit button, or without one if it has a single field.
function submitFrom(el) {
  const form = el.form;
  if (!form) return;
  const button = [...form.elements].find((e) => e.matches("button:not([type]),[type=submit],[type=image]"));
  if (button) {
    if (!isDisabled(button)) button.click();
  } else if ([...form.elements].filter((e) => e.localName === "input" && TEXT_INPUTS.has(e.type)).length === 1) form.requestSubmit();
}

function moveFocus(el, step) {
  const all = [...el.ownerDocument.querySelectorAll(FOCUSABLE)].filter((e) => e.tabIndex >= 0 && !isDisabled(e) && e.checkVisibility({ visibilityProperty: true }));
  const at = all.indexOf(el);
  const next = all[at < 0 ? (step > 0 ? 0 : all.length - 1) : at + step];
  if (next) giveFocus(next);
  else dropFocus(el);
}

// Lists and radio buttons by one; the page by a line, a window, or all of it.
const STEPS = { ArrowUp: [0, -40, -1], ArrowDown: [0, 40, 1], ArrowLeft: [-40, 0, -1], ArrowRight: [40, 0, 1],
  PageUp: [0, "-window", 0], PageDown: [0, "window", 0], " ": [0, "window", 0], Home: [0, "-all", 0], End: [0, "all", 0] };

function stepWith(el, [dx, dy, by]) {
  if (el.localName === "select" && by) {
    const next = el.options[el.selectedIndex + by];
    if (next && !isDisabled(next)) {
      el.selectedIndex += by;
      inputEvent(el, "");
      changeEvent(el);
    }
  } else if (el.matches("input[type=radio]") && by) {
    const group = [...(el.form ?? el.ownerDocument).querySelectorAll(`input[type=radio][name="${CSS.escape(el.name)}"]`)].filter((e) => !isDisabled(e));
    const next = group[(group.indexOf(el) + by + group.length) % group.length];
    giveFocus(next);
    next.click();
  } else if (!el.matches("input,select")) {
    let box = el;
    while (box && !(box.nodeType === 1 && canScroll(box))) box = parentOf(box);
    box ??= el.ownerDocument.scrollingElement;
    const far = { window: 0.9 * box.clientHeight, "-window": -0.9 * box.clientHeight, all: box.scrollHeight, "-all": -box.scrollHeight };
    box.scrollBy({ left: dx, top: far[dy] ?? dy, behavior: "instant" });
  }
}

// What a field held when it was last told to have changed.
const toldValues = new WeakMap();

function tellChange(el) {
  if (!("value" in el) || toldValues.get(el) === el.value) return;
  toldValues.set(el, el.value);
  changeEvent(el);
}

// Instead of what the element holds, or after it, or (`atEnd` false) at its caret.
// -> how many strokes the element was there for
function typeInto(el, strokes, clearFirst, atEnd = true) {
  if ("value" in el) toldValues.set(el, el.value);
  if (clearFirst) clear(el);
  else if (!atEnd) {
    // It stays where it is.
  } else if (el.isContentEditable) {
    selectAllOf(el);
    el.ownerDocument.getSelection().collapseToEnd();
  } else if (selectionIn(el) !== null) el.setSelectionRange(el.value.length, el.value.length);
  let struck = 0;
  for (const stroke of strokes) {
    if (!el.isConnected || !strike(el, stroke)) break;
    struck++;
  }
  if (el.isConnected) tellChange(el);
  unfinished = { el: null, text: "" };
  return struck;
}
