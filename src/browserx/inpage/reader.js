// The one script of ours that runs in the page's own world, because listeners and framework properties can be seen
// from there only. It answers one question, "does anything listen on this element?", asked by an event whose random
// name nobody else knows, by preventing the default or not; asked of a whole document, it answers by such an event at
// each element that something listens on. It changes nothing and tells nothing else. It calls nothing of the page's: not a handler, not a getter, and none of the built-ins that a page may have replaced since
// (those it needs are taken when it is installed, which in a new document is before any script of the page ran).
((ask, listenersOf) => {
  const STRONG = ["click", "mousedown", "pointerdown", "dblclick"];
  const WEAK = ["mouseup", "pointerup", "touchstart", "touchend", "contextmenu", "dragstart", "keydown", "keyup", "keypress"];
  const STRONG_PROPS = ["onClick", "onClickCapture", "onMouseDown", "onPointerDown", "onDoubleClick"];
  const WEAK_PROPS = ["onMouseUp", "onPointerUp", "onTouchStart", "onContextMenu", "onDragStart", "onKeyDown"];
  const method = (f) => Function.prototype.call.bind(f);
  const own = Object.getOwnPropertyDescriptor;
  const keys = Object.keys;
  const symbols = Object.getOwnPropertySymbols;
  const isArray = Array.isArray;
  const startsWith = method(String.prototype.startsWith);
  const slice = method(String.prototype.slice);
  const indexOf = method(Array.prototype.indexOf);
  const pathOf = method(Event.prototype.composedPath);
  const prevent = method(Event.prototype.preventDefault);
  const stop = method(Event.prototype.stopImmediatePropagation);
  const listen = method(EventTarget.prototype.addEventListener);
  const dispatch = method(EventTarget.prototype.dispatchEvent);
  const all = method(Document.prototype.querySelectorAll);
  const allInside = method(DocumentFragment.prototype.querySelectorAll);
  const shadowOf = method(own(Element.prototype, "shadowRoot").get);
  const Answer = Event;

  const heard = (listeners, types) => {
    for (let i = 0; i < types.length; i++) if (own(listeners, types[i]) !== undefined) return true;
    return false;
  };
  const delegated = (el, names, hidden, types, props) => {
    for (let i = 0; i < names.length; i++) {
      const name = names[i];
      const value = own(el, name).value;
      if (startsWith(name, "__reactProps$") || startsWith(name, "__reactEventHandlers$")) {
        if (value === null || typeof value !== "object") continue;
        for (let j = 0; j < props.length; j++) if (typeof own(value, props[j])?.value === "function") return true;
      } else if ((startsWith(name, "__") || startsWith(name, "$$")) && indexOf(types, slice(name, 2)) >= 0) {
        // Svelte 5 and Solid keep delegated handlers as __click and $$click.
        if (typeof value === "function" || isArray(value)) return true;
      }
    }
    // Newer ones of Svelte keep them all under one symbol.
    for (let i = 0; i < hidden.length; i++) {
      const handlers = own(el, hidden[i]).value;
      if (handlers === null || typeof handlers !== "object") continue;
      for (let j = 0; j < types.length; j++) {
        const handler = own(handlers, types[j])?.value;
        if (typeof handler === "function" || isArray(handler)) return true;
      }
    }
    return false;
  };
  // Where a framework listens for everybody, nothing is said about the element itself.
  const isRoot = (names) => {
    for (let i = 0; i < names.length; i++) {
      if (startsWith(names[i], "__reactContainer$") || startsWith(names[i], "_reactListening")) return true;
    }
    return false;
  };
  // 2: something listens for what a pointer does; 1: for other input; 0: nothing does.
  const strength = (el) => {
    const names = keys(el);
    const hidden = symbols(el);
    const given = names.length > 0 || hidden.length > 0;
    if (given && delegated(el, names, hidden, STRONG, STRONG_PROPS)) return 2;
    const listeners = listenersOf(el);
    const heeds = keys(listeners).length > 0 && !(given && isRoot(names));
    if (heeds && heard(listeners, STRONG)) return 2;
    return (given && delegated(el, names, hidden, WEAK, WEAK_PROPS)) || (heeds && heard(listeners, WEAK)) ? 1 : 0;
  };
  const answer = (from) => (event) => {
    const el = pathOf(event)[0];
    stop(event);
    if (el === document || strength(el) >= from) prevent(event);
  };
  const any = answer(1);
  const strong = answer(2);
  const survey = (elements) => {
    for (let i = 0; ; i++) {
      const el = elements[i];
      if (el === undefined) return;
      const found = strength(el);
      if (found > 0) dispatch(el, new Answer(found === 2 ? ask + "-is-strong" : ask + "-is-weak", { composed: true }));
      const root = shadowOf(el);
      if (root !== null) survey(allInside(root, ASKED));
    }
  };
  // Of these nobody needs to be told that they can be acted on, or they are never seen.
  const ASKED = ":not(a[href],button,input,select,textarea,option,optgroup,br,head,head *,script,style,template)";
  listen(window, ask, any, true);
  listen(window, ask + "-strong", strong, true);
  listen(window, ask + "-all", (event) => {
    stop(event);
    survey(all(document, ASKED));
  }, true);
  // To be called for each closed shadow root: the window cannot tell what is asked inside of one.
  return (root) => {
    listen(root, ask, any, true);
    listen(root, ask + "-strong", strong, true);
    listen(root, ask + "-inside", any, true);
    listen(root, ask + "-inside-strong", strong, true);
  };
})("__BROWSERX_ASK__", getEventListeners)
