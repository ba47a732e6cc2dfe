// Kinds: what is written nowhere in the tree: what fields hold, what is scrolled, focused, open, and what listens.

kinds["value of a field"] = () => setProperty(pick("input:not([type=file], [type=checkbox], [type=radio], [type=range], [type=date], [type=color], [type=number])"), "value", phrase());
kinds["value of a number"] = () => setProperty(pick("input[type=range], input[type=number]"), "valueAsNumber", int(10));
kinds["value of a date"] = () => setProperty(pick("input[type=date]"), "value", `2024-0${1 + int(9)}-11`);
kinds["value of a colour"] = () => setProperty(pick("input[type=color]"), "value", oneOf(["#ff0000", "#00ff00"]));
kinds["value of lines"] = () => setProperty(pick("textarea"), "value", `${phrase()}\n${phrase()}`);
kinds["value typed over"] = () => pick("input:is([type=search], :not([type])), textarea").setRangeText(phrase(), 0, 2, "end");
kinds["value of a file field"] = () => {
  const files = new DataTransfer();
  if (chance(0.7)) files.items.add(new File(["x"], `${oneOf(WORDS)}.txt`));
  pick("input[type=file]").files = files.files;
};
kinds["checked"] = () => {
  const box = pick("input[type=checkbox], input[type=radio]");
  return setProperty(box, "checked", !box.checked);
};
kinds["indeterminate"] = () => {
  const box = pick("input[type=checkbox]");
  return setProperty(box, "indeterminate", !box.indeterminate);
};
kinds["selected index"] = () => {
  const select = pick("select");
  return setProperty(select, "selectedIndex", int(select.options.length + 1) - 1);
};
kinds["option selected"] = () => {
  const option = pick("select[multiple] option");
  return setProperty(option, "selected", !option.selected);
};
kinds["option added"] = () => {
  const option = new Option(phrase());
  pick("select").add(option, 0);
  return () => option.remove();
};
kinds["option removed"] = () => void pick("select").options[0]?.remove();
kinds["option text"] = () => setProperty(pick("option"), "text", phrase());
kinds["custom validity"] = () => {
  const field = pick("input, select, textarea");
  field.setCustomValidity(field.validationMessage && chance(0.5) ? "" : phrase());
  return () => field.setCustomValidity("");
};
kinds["required"] = () => {
  const field = pick("input, select, textarea");
  return setProperty(field, "required", !field.required);
};
kinds["disabled"] = () => {
  const field = pick("input, button, select, fieldset");
  return setProperty(field, "disabled", !field.disabled);
};
kinds["form reset"] = () => {
  const form = pick("form");
  if ([...form.querySelectorAll("input:not([type])")].some((field) => field.value !== field.defaultValue)) form.reset();
  else pick("input:not([type])", form).value = phrase();
};
kinds["gauge"] = () => setProperty(pick("progress, meter"), "value", int(10) / 10);
kinds["text of an editor"] = () => setProperty(pick("[contenteditable]"), "textContent", phrase());

// places

kinds["window scrolled"] = () => {
  const y = scrollY;
  scrollTo(0, oneOf([0, 0, 40, 200, 1e6]));
  note(`y ${scrollY}`);
  return () => scrollTo(0, y);
};
kinds["box scrolled"] = () => {
  const box = pick(".box");
  const name = chance(0.7) ? "scrollTop" : "scrollLeft";
  return setProperty(box, name, int(120));
};
kinds["scrolled into view"] = () => pick("a, button, p").scrollIntoView({ block: oneOf(["center", "start", "nearest"]) });
const FOCUSABLE = "input, select, textarea, button, a[href], [tabindex]";
const HINTED = "input:has(+ .hint), .group input";
kinds["focus"] = () => pick(chance(0.3) ? HINTED : FOCUSABLE).focus({ preventScroll: true });
kinds["focus and scroll"] = () => pick(chance(0.3) ? HINTED : FOCUSABLE).focus();
kinds["blur"] = () => {
  if (document.activeElement && document.activeElement !== document.body) document.activeElement.blur();
  else pick(HINTED).focus();
};

// what opens

kinds["details"] = () => {
  const details = pick("details");
  return setProperty(details, "open", !details.open);
};
kinds["dialog"] = () => {
  const dialog = oneOf([...document.querySelectorAll("dialog")]);
  if (!dialog?.isConnected) throw new Nothing("dialog");
  if (dialog.open) dialog.close();
  else if (chance(0.5)) dialog.show();
  else dialog.showModal();
  note(`${called(dialog)} ${dialog.open ? dialog.matches(":modal") ? "modal" : "open" : "closed"}`);
  return () => dialog.close();
};
kinds["popover"] = () => {
  const popover = oneOf([...document.querySelectorAll("[popover]")]);
  if (!popover) throw new Nothing("popover");
  note(called(popover));
  popover.togglePopover();
  return () => popover.isConnected && popover.popover !== null && popover.hidePopover();
};

// the document

kinds["title"] = () => setProperty(document, "title", phrase());
kinds["address pushed"] = () => history.pushState(null, "", `?at=${oneOf(WORDS)}`);
kinds["address replaced"] = () => history.replaceState(null, "", `?at=${oneOf(WORDS)}#${oneOf(["texts", "ends", ""])}`);
kinds["target"] = () => { location.hash = oneOf(["texts", "fields", "", "boxes"]); };
kinds["label moved"] = () => {
  const label = pick("label");
  return setProperty(label, "htmlFor", oneOf(["name", "town", "news"]));
};

// what listens

const LISTENERS = ".plain, p, li, svg *, b, dd, blockquote, td";
const listening = [];
kinds["listener added"] = () => {
  const el = pick(LISTENERS);
  const type = oneOf(["click", "mousedown", "pointerdown", "dblclick", "keydown", "touchstart"]);
  const abort = new AbortController();
  el.addEventListener(type, () => 0, { signal: abort.signal, once: chance(0.3) });
  note(type);
  listening.push({ el, type, abort });
  return () => abort.abort();
};
kinds["listener removed"] = () => {
  if (!listening.length) return kinds["listener added"]();
  const { el, type, abort } = listening.splice(int(listening.length), 1)[0];
  note(`${type} ${called(el)}`);
  abort.abort();
};
kinds["listener served once"] = () => {
  const el = pick(LISTENERS);
  if (el.heard) el.dispatchEvent(new Event("click"));
  else el.addEventListener("click", () => { el.heard = false; }, { once: true });
  el.heard = !el.heard;
};
kinds["handler"] = () => {
  const el = pick(LISTENERS);
  return setProperty(el, "onclick", el.onclick ? null : () => 0);
};
kinds["props given"] = () => {
  const el = pick(LISTENERS);
  el.__reactProps$x = { onClick: () => 0 };
  return () => delete el.__reactProps$x;
};
kinds["props changed in place"] = () => {
  const el = pickOf([...document.body.querySelectorAll(LISTENERS)].filter((one) => one.__reactProps$x || isInView(one)), "props");
  const props = el.__reactProps$x ??= {};
  if (props.onClick) delete props.onClick;
  else props.onClick = () => 0;
  return () => delete props.onClick;
};
kinds["handler of a framework"] = () => {
  const el = pick(LISTENERS);
  const name = oneOf(["__click", "$$click", Symbol.for("events")]);
  if (el[name]) delete el[name];
  else el[name] = typeof name === "symbol" ? { click() {} } : () => 0;
  return () => delete el[name];
};

// pictures

kinds["canvas drawn on"] = () => pick("canvas").getContext("2d").fillRect(int(9), int(9), 20, 9);
kinds["canvas resized"] = () => setProperty(pick("canvas"), "height", int(500));
kinds["picture"] = async () => {
  const img = pick("img:not([src*='/held/'])");
  const old = img.src;
  const size = 4 + int(120);
  const show = (src) => {
    const done = loaded(img);
    img.src = src;
    return done;
  };
  await show(`data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='${size}' height='${size}'/%3E`);
  note(`${size} px`);
  return () => show(old);
};

// What was asked for earlier and comes now: nothing in the tree changes when it does.
const held = [];
let holds = 0;
async function release() {
  const { url, el } = held.shift();
  const done = loaded(el);
  await fetch(url.replace("/held/", "/release/"));
  await done;
  note("came");
}
kinds["picture that comes later"] = () => {
  const i = held.findIndex(({ el }) => el.localName === "img");
  if (i >= 0) {
    held.unshift(...held.splice(i, 1));
    return release();
  }
  const url = `/held/${Math.floor(performance.timeOrigin)}-${++holds}.svg?${20 + int(200)}`;
  const el = document.createElement("img");
  el.alt = phrase();
  el.src = url;
  put(el, pickPlain("section, .plain"));
  held.push({ url, el });
  note("asked for");
  return undefined;
};
kinds["sheet that comes later"] = () => {
  const i = held.findIndex(({ el }) => el.localName === "link");
  if (i >= 0) {
    held.unshift(...held.splice(i, 1));
    return release();
  }
  const url = `/held/${Math.floor(performance.timeOrigin)}-${++holds}.css?${int(CLASSES)}`;
  const el = document.createElement("link");
  el.rel = "stylesheet";
  el.href = url;
  // In the body, and from a script: it blocks nothing.
  document.body.append(el);
  held.push({ url, el });
  note("asked for");
  return undefined;
};
