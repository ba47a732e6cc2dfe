// What the eye can be asked. It lives in an isolated world: the page cannot see, reach or change it.

let fresh = [];
let later = [];

// As JSON. Half a character (of a text that was cut, or that a page made so) is one nobody can read, not an error.
function told(value) {
  const text = JSON.stringify(value);
  return text.includes("\\ud") ? text.replace(/(?<!\\)((?:\\\\)*)\\ud[0-9a-f]{3}/g, "$1\ufffd") : text;
}

globalThis.__browserx ??= {
  // -> LookFacts of browserx/inpage/facts.py as one JSON string: ten times cheaper than an object over the wire.
  look(options) {
    forgetLabels();
    forgetReaders();
    const root = options.root ? lookUp(options.root) : null;
    if (options.root && !root?.isConnected) return told({ gone: true });
    if (options.again && !root && isStill(options)) return '{"still":true}';
    const started = performance.now();
    const look = new Look(options);
    look.run(root);
    [fresh, later] = [look.fresh, look.later];
    tellFirstChange();
    leaveTrace(look, options);
    const result = look.result();
    result.ms = performance.now() - started;
    return told(result);
  },
  // The elements of the last look that are new, for the browser to tell its own ids of, in the order of `fresh` there,
  // and those of `later`.
  fresh() {
    const elements = fresh;
    fresh = [];
    return elements;
  },
  later() {
    const elements = later;
    later = [];
    return elements;
  },
  closedRoot(host, root) {
    closedRoots.set(host, root);
    trace = null;
    meetRoot(root);
  },
  hits(k, points) {
    const el = lookUp(k);
    return points.map(([x, y]) => {
      const hit = el && hitAt(x, y);
      return !hit || hit === el ? null : [key(hit), describe(hit)];
    });
  },
  // Verify, and if the element is fit, watch from now on.
  async ready(k, options) {
    const prepared = await prepare(k, options);
    if (prepared.ok) beginWatch(k, options.hover);
    return prepared;
  },
  readyFocused,
  focusOn,
  setValue,
  scrollBy,
  moreComes,
  attributes,
  selectorOf,
  select,
  html,
  written,
  beginWatch,
  endWatch,
  dropWatch,
  isPointed,
  isDragging,
  selectOptions,
  selectedValues,
  checkedState,
  shows,
  isRadio,
  submitter,
  fileField,
  filesHeld,
  leave,
  spot,
  focusedFrame,
  tellMove,
  quiet,
  element: lookUp,
};
