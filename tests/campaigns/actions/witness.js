// What really happened, as the page itself sees it: which element each trusted event reached, by a number that is written
// on every element. Installed in the page's own world, and asked there.
(() => {
  if (window.__witness) return;
  const NUMBER = "data-witness";
  let last = 0;
  const heard = [];
  const number = (element) => element?.getAttribute?.(NUMBER) ?? "";
  const mark = (root) => {
    for (const element of root.querySelectorAll("*")) {
      if (!element.hasAttribute(NUMBER)) element.setAttribute(NUMBER, String(++last));
      if (element.shadowRoot) {
        mark(element.shadowRoot);
        listen(element.shadowRoot);
      }
    }
  };
  const take = (event) => {
    if (!event.isTrusted && !/^(input|change)$/.test(event.type)) return;
    // The same event passes the window and each root: the deepest path it shows is the true one.
    const path = event.composedPath().map(number).filter(Boolean);
    const known = heard.find((one) => one.event === event);
    if (!known) heard.push({ event, type: event.type, path });
    else if (path.length > known.path.length) known.path = path;
  };
  const TYPES = ["pointerdown", "click", "pointermove", "input", "change", "keydown", "focusin"];
  const listened = new WeakSet();
  const listen = (target) => {
    if (listened.has(target)) return;
    listened.add(target);
    for (const type of TYPES) target.addEventListener(type, take, true);
  };
  listen(window);
  const labels = (element) => [...(element.labels ?? [])].map(number);
  const find = (n, root = document) => {
    for (const element of root.querySelectorAll("*")) {
      if (number(element) === n) return element;
      const inner = element.shadowRoot && find(n, element.shadowRoot);
      if (inner) return inner;
    }
    return null;
  };
  window.__witness = {
    mark: () => mark(document) ?? last,
    forget: () => void (heard.length = 0),
    heard: () => heard.map(({ type, path }) => ({ type, path })),
    // All that counts as the element: itself, its labels, and what it labels.
    counts: (n) => {
      const element = find(n);
      if (!element) return [n];
      // What lets the pointer through is pressed by way of what is around it.
      const around = getComputedStyle(element).pointerEvents === "none" ? number(element.parentElement) : "";
      // A slider whose own control is hidden is what is drawn around it.
      const drawn = element.type === "range" ? number(element.parentElement) : "";
      return [n, ...labels(element), number(element.control), around, drawn].filter(Boolean);
    },
    state: (n) => {
      const element = find(n);
      if (!element) return null;
      return { value: element.isContentEditable ? element.innerText : element.value ?? null, checked: element.checked ?? null,
        focused: element.getRootNode().activeElement === element };
    },
  };
})();
