// What people do with a control besides pressing it, and what it holds.

// The options of a list, as a person would pick them: by value, by label, by place. A label that is written otherwise
// counts when it is the only one like it.
// -> {ok: true, chosen: values} or {ok: false, why, options: labels}
function selectOptions(k, { values = null, labels = null, indexes = null }) {
  const el = lookUp(k);
  if (!el?.isConnected) return { ok: false, why: "detached" };
  const select = listOf(el);
  if (!select) return { ok: false, why: "no_list" };
  const options = [...select.options];
  const told = () => options.slice(0, 30).map((option) => squeeze(option.label || option.text));
  if (isDisabled(select)) return { ok: false, why: "disabled" };
  const wanted = el.localName === "option" && !values && !labels && !indexes ? [el]
    : values ? values.map((value) => options.find((option) => option.value === value))
      : labels ? labels.map((label) => byLabel(options, label))
        : indexes ? indexes.map((i) => options[i]) : [undefined];
  if (wanted.some((option) => !option)) return { ok: false, why: "no_option", options: told() };
  if (wanted.some((option) => option.disabled || option.parentElement.disabled)) return { ok: false, why: "option_disabled", options: told() };
  if (wanted.length > 1 && !select.multiple) return { ok: false, why: "not_multiple" };
  const chosen = wanted.map((option) => option.value);
  if (options.some((option) => option.selected !== wanted.includes(option))) {
    select.focus({ preventScroll: true });
    for (const option of options) option.selected = wanted.includes(option);
    select.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  }
  return { ok: true, chosen };
}

const listOf = (el) => el.localName === "select" ? el : el.localName === "option" ? el.closest("select") : null;

function byLabel(options, label) {
  const wanted = squeeze(label);
  const said = (option) => squeeze(option.label || option.text);
  const low = (text) => text.toLowerCase();
  const only = (like) => {
    const found = options.filter(like);
    return found.length === 1 ? found[0] : undefined;
  };
  return options.find((option) => said(option) === wanted) ?? only((option) => low(said(option)) === low(wanted))
    ?? options.find((option) => option.value === label) ?? only((option) => low(said(option)).includes(low(wanted)));
}

const selectedValues = (k) => {
  const select = listOf(lookUp(k) ?? {});
  return select ? [...select.selectedOptions].map((option) => option.value) : null;
};

// "true", "false" or "mixed" of what can be checked, switched or pressed; null of anything else.
function checkedState(k) {
  let el = lookUp(k);
  if (el?.localName === "label" && el.control) el = el.control;
  if (!el) return null;
  if (el.localName === "input" && /^(checkbox|radio)$/.test(el.type)) return el.indeterminate ? "mixed" : String(el.checked);
  for (const name of ["aria-checked", "aria-pressed", "aria-selected"]) {
    const state = el.getAttribute(name);
    if (state !== null) return state;
  }
  const told = statesOf(el, roleOf(el), true, false).checked;
  return told === undefined ? null : String(told);
}

const isRadio = (k) => {
  const el = lookUp(k);
  return el ? roleOf(el.control ?? el) === "radio" || roleOf(el) === "menuitemradio" : false;
};

// The form of an element, or of the component that it is a part of: a field in a shadow root is in no form by itself.
function formOf(el) {
  for (let at = el; at; at = at.getRootNode().host) {
    const form = at.localName === "form" ? at : at.form ?? at.closest("form");
    if (form) return form;
  }
  return null;
}

// Of the form that an element is in: its button that submits, 0 if it has none that could be pressed.
// -> null when it is in no form
function submitter(k) {
  const el = lookUp(k);
  if (/^(submit|image)$/.test(el?.type) && el.form) return { button: k, field: 0 };
  const form = el?.closest ? formOf(el) : null;
  if (!form) return null;
  // Components that are buttons are not among its elements, and say what they are as a button does.
  const buttons = [...new Set([...form.elements, ...form.querySelectorAll("[type=image],[type=submit]")])];
  // What a component has set on itself is not to be seen from this world.
  const typeOf = (button) => button.localName.includes("-") ? button.getAttribute("type") : button.type;
  const fit = buttons.find((button) => /^(submit|image)$/.test(typeOf(button)) && !isDisabled(button)
    && button.checkVisibility({ visibilityProperty: true }) && !boxOf(button).empty);
  const field = [el, ...form.elements].find((input) => input.localName === "input" && TEXT_INPUTS.has(input.type) && !isDisabled(input));
  return { button: fit ? key(fit) : 0, field: field ? key(field) : 0 };
}

// The field behind what a person presses to give files: itself, that of a label, one inside or beside it.
// -> {key, many} or null
function fileField(k) {
  const el = lookUp(k);
  if (!el?.isConnected) return null;
  const isField = (field) => field?.localName === "input" && field.type === "file";
  const field = isField(el) ? el : isField(el.control) ? el.control : (rootOf(el) ?? el).querySelector?.("input[type=file]");
  return field ? { key: key(field), many: field.multiple || field.webkitdirectory, disabled: isDisabled(field) } : null;
}

const filesHeld = (k) => [...(lookUp(k)?.files ?? [])].map((file) => file.name);

function leave(k) {
  const el = lookUp(k);
  if (!el?.isConnected) return false;
  const had = deepFocus() === el || el.contains(deepFocus());
  deepFocus()?.blur();
  return had;
}

// Where the middle of what shows of an element is, without a look at what lies over it.
// -> [x, y], or null when nothing of it shows
function spot(k) {
  const el = lookUp(k);
  if (!el?.isConnected) return null;
  const part = visiblePart(standIn(el) ?? el);
  return part.empty ? null : [(part.x1 + part.x2) / 2, (part.y1 + part.y2) / 2];
}
