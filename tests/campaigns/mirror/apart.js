// Kinds: shadow roots, custom elements and frames.

const roots = { open: [], closed: [] };
const hosts = new WeakSet();

function attach(host, mode, html, options = {}) {
  const root = host.attachShadow({ mode, ...options });
  hosts.add(host);
  root.innerHTML = html;
  roots[mode].push(root);
  return root;
}

const SHADOW = `<style>.in { color: inherit } .w, .hint { display: none } :focus ~ .hint { display: block }</style><b class="in">from inside</b> <button type="button" class="in">Shadowed</button>
  <input class="in" aria-label="Shadow field"><slot></slot> <slot name="named"><i>nobody named</i></slot><div class="plain in">Plain in it</div><p class="hint">focused within</p>`;

customElements.define("x-open", class extends HTMLElement {
  constructor() { super(); attach(this, "open", SHADOW); }
});
customElements.define("x-closed", class extends HTMLElement {
  constructor() { super(); attach(this, "closed", SHADOW); }
});
customElements.define("x-hand", class extends HTMLElement {
  constructor() { super(); attach(this, "open", "<style>.in {}</style><slot></slot><p class='in'>by hand</p>", { slotAssignment: "manual" }); }
});
const internals = new WeakMap();
customElements.define("x-internal", class extends HTMLElement {
  constructor() {
    super();
    internals.set(this, this.attachInternals());
  }
  connectedCallback() { if (this.title) internals.get(this).role = "button"; }
});

// A root whose host is there, most often one in view.
function pickRoot(mode) {
  const there = roots[mode].filter((root) => root.host.isConnected);
  const shown = there.filter((root) => isInView(root.host));
  if (!there.length) throw new Nothing(`${mode} root`);
  const root = oneOf(shown.length ? shown : there);
  note(`in ${called(root.host)}`);
  return root;
}

for (const mode of ["open", "closed"]) {
  kinds[`attach ${mode}`] = () => {
    const host = pickOf([...document.body.querySelectorAll(".bare, .host, p, div.plain, h2, section")].filter((el) => !hosts.has(el) && el.matches(FRAMELESS)), "host");
    attach(host, mode, chance(0.3) ? SHADOW : `<p class="in">${phrase()} <a href="/s" class="in">${phrase()}</a></p>`);
  };
  kinds[`attach ${mode} to a custom element`] = () => {
    const there = [...document.body.querySelectorAll("*")].filter((el) => /^x-(late|new)/.test(el.localName) && !hosts.has(el));
    if (!there.length) {
      there.push(document.createElement(`x-new-${int(5)}`));
      pickPlain("section, .plain").append(there[0], phrase());
    }
    const host = pickOf(there, "custom element");
    attach(host, mode, chance(0.5) ? SHADOW : `<button type="button" class="in">${phrase()}</button>`);
  };
  kinds[`host with ${mode} root inserted`] = () => {
    const host = document.createElement("div");
    attach(host, mode, SHADOW);
    put(host, pickPlain("section, .box, .plain"));
    return () => host.remove();
  };
  kinds[`text in ${mode} root`] = () => setProperty(pick(".in:not(input, :has(*))", pickRoot(mode)), "textContent", phrase());
  kinds[`attribute in ${mode} root`] = () => setAttribute(pick(".in", pickRoot(mode)), ...oneOf([["hidden", ""], ["aria-label", phrase()], ["class", "in w"], ["style", "display: none"], ["disabled", ""], ["role", "button"], ["tabindex", "0"]]));
  kinds[`insert in ${mode} root`] = () => {
    const nodes = [...built(markup()).childNodes];
    pickRoot(mode).append(...nodes);
    return () => nodes.forEach((node) => node.remove());
  };
  kinds[`remove in ${mode} root`] = () => {
    const el = pick(".in", pickRoot(mode));
    const back = backWhereItWas(el);
    el.remove();
    return back;
  };
  kinds[`html of ${mode} root`] = () => setProperty(pickRoot(mode), "innerHTML", chance(0.6) ? SHADOW : `<div class="in">${markup()}</div><slot></slot>`);
  kinds[`rule in ${mode} root`] = () => {
    const sheet = pickRoot(mode).querySelector("style")?.sheet;
    if (!sheet) throw new Nothing("sheet");
    return setStyle(sheet.cssRules[0].style, ...oneOf([["display", "none"], ["visibility", "hidden"], ["text-transform", "uppercase"], ["opacity", "0"]]));
  };
  kinds[`sheet adopted in ${mode} root`] = () => {
    const root = pickRoot(mode);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`${oneOf([".in", "button", ":host", "slot"])} { ${oneOf(["display: none", "visibility: hidden", "text-transform: uppercase"])} }`);
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    return () => { root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet); };
  };
  kinds[`value in ${mode} root`] = () => setProperty(pick("input", pickRoot(mode)), "value", phrase());
  kinds[`focus in ${mode} root`] = () => {
    const root = pickRoot(mode);
    if (root.activeElement) root.activeElement.blur();
    else pick("input, button", root).focus();
  };
  kinds[`listener in ${mode} root`] = () => {
    const el = pick(".plain, b, p", pickRoot(mode));
    const abort = new AbortController();
    el.addEventListener("click", () => 0, { signal: abort.signal });
    return () => abort.abort();
  };
  kinds[`props in ${mode} root`] = () => {
    const el = pick(".plain, b, p", pickRoot(mode));
    const props = el.__reactProps$x ??= {};
    if (props.onClick) delete props.onClick;
    else props.onClick = () => 0;
  };
  kinds[`host in ${mode} root`] = () => {
    const host = document.createElement(oneOf(["div", "x-open", "x-closed"]));
    if (host.localName === "div") attach(host, oneOf(["open", "closed"]), SHADOW);
    pickRoot(mode).append(host);
    return () => host.remove();
  };
  kinds[`slot of ${mode} root renamed`] = () => {
    const slot = pickRoot(mode).querySelector("slot");
    if (!slot) throw new Nothing("slot");
    return setProperty(slot, "name", slot.name ? "" : "named");
  };
}
kinds["declarative root"] = () => {
  const el = pickPlain(".plain, p");
  el.setHTMLUnsafe(`<div><template shadowrootmode="${oneOf(["open", "closed"])}"><button type="button">${phrase()}</button></template></div>`);
};
kinds["slotted by name"] = () => setProperty(pick("x-open > *, x-closed > *"), "slot", oneOf(["", "named", "nowhere"]));
kinds["slotted by hand"] = () => {
  const host = pick("x-hand");
  host.shadowRoot.querySelector("slot")?.assign(...shuffled([...host.children]).slice(0, int(3)));
};
kinds["slotted child"] = () => {
  const child = built(chance(0.5) ? `<b slot="named">${phrase()}</b>` : `<button type="button">${phrase()}</button>`).firstChild;
  pick("x-open, x-closed").append(child);
  return () => child.remove();
};
kinds["defined late"] = () => {
  const name = oneOf(["x-late-0", "x-late-1", "x-late-2", "x-late-3", "x-late-4", "x-late-5"].filter((one) => !customElements.get(one)));
  if (!name) throw new Nothing("undefined element");
  const mode = oneOf(["open", "closed"]);
  note(`${name} ${mode}`);
  customElements.define(name, class extends HTMLElement {
    constructor() {
      super();
      const own = this.attachInternals();
      if (!own.shadowRoot) attach(this, mode, SHADOW);
    }
  });
};
kinds["internal role"] = () => setProperty(internals.get(pick("x-internal")), "role", oneOf(["button", "checkbox", "link", "heading"]));
kinds["internal label"] = () => setProperty(internals.get(pick("x-internal")), "ariaLabel", phrase());
kinds["internal state"] = () => {
  const own = internals.get(pick("x-internal"));
  return setProperty(own, "ariaExpanded", own.ariaExpanded === "true" ? "false" : "true");
};

// frames

// What may be done in frames too: all but what is about frames and addresses, and what waits for the server.
const outer = (kind) => /\bframe\b|address|target|later/.test(kind);
const within = () => oneOf(Object.keys(kinds).filter((kind) => !outer(kind)));
// The focus goes to another process on its own time.
const withinApart = () => oneOf(Object.keys(kinds).filter((kind) => !outer(kind) && !/focus|blur|dialog/.test(kind)));
const seed = () => int(2 ** 31);
const pickFrame = (frames) => pickOf(frames, "frame");
let visits = 0;
const away = () => document.querySelector("iframe.apart")?.src.split("?")[0] ?? outside;
const outside = document.currentScript.src.replace("mutations.js", "inner").replace("localhost", "127.0.0.1");

function show(frame, place = document.querySelector("#frames")) {
  if (!place?.isConnected) throw new Nothing("place for a frame");
  addresses.delete(frame);
  const done = frame.srcdoc ? loaded(frame) : arrived(frame, frame.src);
  place.append(frame);
  return done;
}

async function insertFrame(attributes) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  await show(frame);
  return () => frame.remove();
}

function removeFrame(frame) {
  const place = frame.parentNode;
  frame.remove();
  return () => show(frame, place);
}

async function go(frame, url) {
  if (!frame.isConnected) throw new Nothing("frame");
  const done = arrived(frame, url);
  if (chance(0.5)) frame.src = url;
  else frame.contentWindow.location.replace(new URL(url, document.baseURI));
  await done;
  addresses.set(frame, url);
}

kinds["frame added"] = () => framesHere().length < 6
  ? insertFrame({ class: "same", title: phrase(), src: `/inner?${++visits}` }) : removeFrame(pickFrame(same()));
kinds["frame of its own text added"] = () => framesHere().length < 6
  ? insertFrame({ class: "own", srcdoc: `<p>${phrase()} <button>${phrase()}</button>` }) : removeFrame(pickFrame(same()));
kinds["frame of another site added"] = () => framesHere().length < 6
  ? insertFrame({ class: "apart", title: phrase(), src: `${away()}?${++visits}` }) : removeFrame(pickFrame(apart()));
kinds["sandboxed frame added"] = () => framesHere().length < 6
  ? insertFrame({ class: "sandboxed", sandbox: "allow-scripts", src: `/inner?${++visits}` }) : removeFrame(pickFrame(apart()));
kinds["frame removed"] = () => removeFrame(pickFrame(framesHere()));
kinds["frame navigated"] = () => go(pickFrame(same()), `/inner?${++visits}`);
kinds["frame of another site navigated"] = () => go(pickFrame(apart().filter((frame) => frame.matches(".apart"))), `${away()}?${++visits}`);
kinds["frame leaves its site"] = async () => {
  const frame = pickFrame(same());
  await go(frame, `${away()}?${++visits}`);
  return () => go(frame, `/inner?${++visits}`);
};
kinds["frame written"] = () => {
  const doc = pickFrame(same()).contentDocument;
  doc.open();
  doc.write(`<!doctype html><title>Written</title><p>${phrase()}</p>${markup()}<script src="/mutations.js"><` + "/script><style id=live></style><style id=second></style>");
  const view = doc.defaultView;
  const done = new Promise((resolve) => view.addEventListener("load", resolve, { once: true }));
  doc.close();
  return done;
};
kinds["frame resized"] = () => setStyle(pickFrame(framesHere()).style, oneOf(["width", "height"]), `${40 + int(200)}px`);
kinds["frame hidden"] = () => setStyle(pickFrame(framesHere()).style, ...oneOf([["display", "none"], ["visibility", "hidden"], ["opacity", "0"]]));
kinds["frame moved by a transform"] = () => setStyle(pickFrame(framesHere()).style, "transform", oneOf(["scale(0.5)", "translateX(30px)", "translateY(-200px)"]));
kinds["frame scrolled"] = () => pickFrame(same()).contentWindow.scrollTo(0, int(200));
kinds["frame to be designed"] = () => {
  const { contentDocument } = pickFrame(same());
  return setProperty(contentDocument, "designMode", contentDocument.designMode === "on" ? "off" : "on");
};
kinds["in a frame"] = async () => {
  const { contentWindow } = pickFrame(same());
  if (!contentWindow.mutate) throw new Nothing("script in the frame");
  const { told } = await contentWindow.mutate([[within(), seed()]]);
  note(told[0]);
};
kinds["in a frame of another site"] = async () => {
  const { told } = await ask(pickFrame(apart()), { ask: "mutate", wanted: [[withinApart(), seed()]] });
  note(told[0]);
};
kinds["frame swaps with the page"] = () => {
  const frame = pickFrame(same());
  const theirs = frame.contentDocument.querySelector("p, ul, button");
  const ours = pickPlain("p, li, button, label");
  if (!theirs) throw new Nothing("element in the frame");
  const place = theirs.parentNode;
  put(theirs, pickPlain("section, .plain"));
  put(ours, place);
};

globalThis.kindsHere = () => Object.keys(kinds);
