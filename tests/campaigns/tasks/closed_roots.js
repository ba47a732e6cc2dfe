// Before the page's own scripts: keeps closed roots, closed as they are, for the witness.
window.__closedRoots = new WeakMap();
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (options) {
  const root = attach.call(this, options);
  window.__closedRoots.set(this, root);
  return root;
};
