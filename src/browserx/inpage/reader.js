// The one script of ours that runs in the page's own world, because listeners and framework properties can be seen
// from there only. It answers one question, "does anything listen on this element?", asked by an event whose random
// name nobody else knows, by preventing the default or not. It changes nothing and tells nothing else. It calls
// nothing of the page's: not a handler, not a getter, and none of the built-ins that a page may have replaced since
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

  const heard = (el, types) => {
    const listeners = listenersOf(el);
    for (let i = 0; i < types.length; i++) if (own(listeners, types[i]) !== undefined) return true;
    return false;
  };
  const delegated = (el, types, props) => {
    const names = keys(el);
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
    const hidden = symbols(el);
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
  const isRoot = (el) => {
    const names = keys(el);
    for (let i = 0; i < names.length; i++) {
      if (startsWith(names[i], "__reactContainer$") || startsWith(names[i], "_reactListening")) return true;
    }
    return false;
  };
  const answer = (types, props) => (event) => {
    const el = pathOf(event)[0];
    stop(event);
    if (el === document || delegated(el, types, props) || (heard(el, types) && !isRoot(el))) prevent(event);
  };
  const strong = answer(STRONG, STRONG_PROPS);
  const weak = answer(WEAK, WEAK_PROPS);
  listen(window, ask, strong, true);
  listen(window, ask + "-weak", weak, true);
  // To be called for each closed shadow root: the window cannot tell what is asked inside of one.
  return (root) => {
    listen(root, ask, strong, true);
    listen(root, ask + "-weak", weak, true);
    listen(root, ask + "-inside", strong, true);
    listen(root, ask + "-inside-weak", weak, true);
  };
})("__BROWSERX_ASK__", getEventListeners)
