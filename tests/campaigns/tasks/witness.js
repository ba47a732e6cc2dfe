// What is asked of a page afterwards: its own elements by selector, through shadow roots and frames of the same site.
const inside = (element) =>
  element.shadowRoot ?? window.__closedRoots?.get(element) ?? element.contentDocument ?? null;
const all = (selector, root = document) => [...root.querySelectorAll("*")].flatMap((element) => [
  ...(element.matches(selector) ? [element] : []),
  ...(inside(element) ? all(selector, inside(element)) : []),
]);
const one = (selector, text) =>
  all(selector).find((element) => text === undefined || element.textContent.trim() === text) ?? null;
