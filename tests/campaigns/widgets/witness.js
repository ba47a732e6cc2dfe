// What a scenario asks the page: its own elements, through open shadow roots and frames of the same site, by selector.
const all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((element) => [
  ...(element.matches(selector) ? [element] : []),
  ...(element.shadowRoot ? all(selector, element.shadowRoot) : []),
]);
const one = (selector, text) => {
  const found = all(selector).filter((element) => text === undefined || element.textContent.trim() === text);
  return found[0] ?? null;
};
const shown = (element) =>
  !!element && element.isConnected && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
  element.getBoundingClientRect().height > 0;
// The control a label with this text is for.
const labelled = (text) => {
  const labels = all("label").filter((label) => label.textContent.replace("*", "").trim() === text);
  const controls = labels.map((label) => label.control ?? label.querySelector("input") ??
    (label.id && document.querySelector(`[aria-labelledby~="${label.id}"]`)));
  return controls.find(Boolean) ?? null;
};
// From now on, which events reach what the selector finds: `heard` has their types.
const listen = (selector, ...types) => {
  window.heard = [];
  const target = typeof selector === "string" ? one(selector) : selector;
  for (const type of types) target.addEventListener(type, (event) => event.isTrusted && heard.push(type), true);
};
