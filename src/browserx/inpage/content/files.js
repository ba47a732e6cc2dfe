// Files for the fields that ask for them. Only real input opens the browser's file dialog, and nobody could answer it
// from here: who asks for it is noted instead, and given the files.

const ASKED_WITHIN = 2000;

function setFiles(field, files) {
  const { DataTransfer, File, Event } = field.ownerDocument.defaultView ?? globalThis;
  const held = new DataTransfer();
  for (const { name, type, modified, data } of files) held.items.add(new File([bytesOf(data)], name, { type, lastModified: modified }));
  field.files = held.files;
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function bytesOf(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// -> {done, field}: the key of the field, where it is one that can be asked later what it holds
async function giveFiles(el, point, { files }) {
  const told = fileField(key(el));
  const field = told ? lookUp(told.key) : await fieldAskedBy(el, point);
  if (!field) return "no_file_field";
  if (files.length > 1 && !(field.multiple || field.webkitdirectory)) return "one_file";
  // What a click did to make the field ask is over; what the files do begins.
  startWatch(told ? told.key : 0);
  setFiles(field, files);
  return { done: "", field: told ? told.key : 0 };
}

// Press what asks for files. -> the field it asks by, which may be in no document; null if it asks for none in time
async function fieldAskedBy(el, point) {
  const view = el.ownerDocument.defaultView;
  const { prototype } = view.HTMLInputElement;
  const { click, showPicker } = prototype;
  const isField = (one) => one?.localName === "input" && one.type === "file";
  let found;
  const asked = new Promise((resolve) => {
    found = resolve;
  });
  const hear = (event) => {
    const field = event.composedPath()[0];
    if (!isField(field)) return;
    event.preventDefault();
    found(field);
  };
  const timer = setTimeout(found, ASKED_WITHIN, null);
  view.addEventListener("click", hear, true);
  // A field in no document is heard of nowhere else.
  prototype.click = function () {
    if (isField(this)) this.addEventListener("click", hear, { capture: true, once: true });
    click.call(this);
    this.removeEventListener("click", hear, true);
  };
  if (showPicker) {
    prototype.showPicker = function () {
      if (isField(this)) found(this);
      else showPicker.call(this);
    };
  }
  try {
    clickOn(el, point, {});
    return await asked;
  } finally {
    clearTimeout(timer);
    view.removeEventListener("click", hear, true);
    // The page may have put something of its own there meanwhile, and what was inherited is not to be left as its own.
    delete prototype.click;
    if (showPicker) prototype.showPicker = showPicker;
  }
}
