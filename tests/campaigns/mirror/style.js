// Kinds: style sheets, mostly by way of their objects, which no observer of the tree hears of; and what moves by itself.

const CLASSES = 8;
function sheetOf(id) {
  const sheet = document.getElementById(id)?.sheet;
  if (!sheet) throw new Nothing(`sheet ${id}`);
  return sheet;
}

const live = () => sheetOf("live");

// Everything in the page has a class whose rule is empty until it is changed in place.
addEventListener("DOMContentLoaded", () => {
  const sheet = live();
  for (let i = 0; i < CLASSES; i++) sheet.insertRule(`.k${i} {}`, i);
  for (let i = 0; i < CLASSES; i++) sheet.insertRule(`.k${i}::before {}`, CLASSES + i);
  let n = 0;
  for (const el of document.querySelectorAll("section, section *:not(option, br, thead, tbody, tr), #badge, #overlay")) {
    // Sections of the page hold too much to be hidden often.
    if (el.localName !== "section" || n % 5 === 0) el.classList.add(`k${n % CLASSES}`);
    n += 3;
  }
});

// The rule of a class that something in view has.
function pickRule(from = 0) {
  const rules = [...live().cssRules].slice(from, from + CLASSES);
  const shown = rules.filter((rule) => [...document.querySelectorAll(rule.selectorText.split("::")[0])].some(isInView));
  if (!rules.length) throw new Nothing("rule");
  const rule = oneOf(shown.length ? shown : rules);
  note(rule.selectorText);
  return rule;
}

function setStyle(style, name, value) {
  const old = style.getPropertyValue(name);
  style.setProperty(name, old && chance(0.5) ? "" : value);
  note(`${name}: ${style.getPropertyValue(name)}`);
  return () => style.setProperty(name, old);
}

const PROPERTIES = {
  "display": ["none", "inline", "block", "contents", "flex"],
  "visibility": ["hidden", "collapse"],
  "opacity": ["0", "0.01", "0.5"],
  "color": ["rgb(255, 255, 255)", "transparent", "red"],
  "background": ["rgb(17, 34, 51)", "white"],
  "z-index": ["5", "-1"],
  "pointer-events": ["none", "auto"],
  "position": ["absolute", "fixed", "relative"],
  "transform": ["translateX(900px)", "translateY(-60px)", "scale(0)", "rotate(90deg)"],
  "overflow": ["hidden", "auto", "scroll"],
  "height": ["0", "12px", "200px"],
  "width": ["0", "30px", "300px"],
  "max-height": ["0", "10px"],
  "font-size": ["0", "2px", "30px"],
  "text-indent": ["-9999px"],
  "text-transform": ["uppercase", "capitalize"],
  "cursor": ["pointer", "default"],
  "clip-path": ["inset(50%)", "circle(0)"],
  "filter": ["opacity(0)", "blur(1px)"],
  "content-visibility": ["hidden"],
  "margin": ["-40px 0 0", "0 0 90px"],
  "top": ["-400px", "300px"],
  "float": ["left", "right"],
  "order": ["-1", "1"],
  "-webkit-text-fill-color": ["transparent", "white"],
};
for (const [name, values] of Object.entries(PROPERTIES)) {
  kinds[`rule ${name}`] = () => setStyle(pickRule().style, name, oneOf(values));
}
kinds["rule content"] = () => setStyle(pickRule(CLASSES).style, "content", `"${phrase()} "`);
kinds["rule of two"] = () => {
  const { style } = pickRule();
  const undo = [setStyle(style, "position", "fixed"), setStyle(style, "top", `${int(600)}px`), setStyle(style, "background", "white")];
  return () => undo.forEach((one) => one());
};
kinds["rule text"] = () => {
  const { style } = pickRule();
  const old = style.cssText;
  style.cssText = oneOf(["", "display: none", "text-transform: uppercase", "opacity: 0; position: absolute"]);
  return () => { style.cssText = old; };
};
kinds["rule selector"] = () => {
  const rule = [...live().cssRules].find((one) => one.selectorText === ".extra") ?? live().cssRules[live().insertRule(".extra { display: none }", live().cssRules.length)];
  rule.selectorText = oneOf([".extra", "h2", "p.plain", ".k3", "li > a", "label"]);
  note(rule.selectorText);
  return () => { rule.selectorText = ".extra"; };
};
kinds["rule inserted"] = () => {
  const sheet = live();
  const text = `:is(${oneOf(["p", "li", "button", "a", "h2", `.k${int(CLASSES)}`, "label", ".box"])}) { ${oneOf(["display: none", "opacity: 0", "text-transform: uppercase", "visibility: hidden", "cursor: pointer", "height: 3px; overflow: hidden"])} }`;
  const rule = sheet.cssRules[sheet.insertRule(text, sheet.cssRules.length)];
  note(text);
  return () => {
    const at = [...sheet.cssRules].indexOf(rule);
    if (at >= 0) sheet.deleteRule(at);
  };
};
kinds["rule in a group"] = () => {
  const media = [...sheetOf("second").cssRules].find((rule) => rule.media);
  if (!media) throw new Nothing("group of rules");
  const old = media.media.mediaText;
  media.media.mediaText = old.includes("5000") ? "(min-width: 10px)" : "(min-width: 5000px)";
  return () => { media.media.mediaText = old; };
};
kinds["rule deleted"] = () => {
  const sheet = sheetOf("first");
  const at = int(sheet.cssRules.length);
  const text = sheet.cssRules[at].cssText;
  // Without this one pages would move by themselves.
  if (text.startsWith("*")) throw new Nothing("rule to delete");
  sheet.deleteRule(at);
  note(text);
  return () => sheet.insertRule(text, Math.min(at, sheet.cssRules.length));
};
kinds["sheet disabled"] = () => {
  const sheet = sheetOf("second");
  return setProperty(sheet, "disabled", !sheet.disabled);
};
kinds["sheet for other media"] = () => {
  const { media } = sheetOf("second");
  const old = media.mediaText;
  media.mediaText = old ? "" : "print";
  return () => { media.mediaText = old; };
};
kinds["sheet written"] = () => {
  const style = sheetOf("second").ownerNode;
  return setProperty(style, "textContent", `${oneOf(["h2", ".plain", "li", "label", ".second"])} { ${oneOf(["display: none", "text-transform: uppercase"])} } @media (min-width: 5000px) { h3 { display: none } }`);
};

const adoptable = [];
kinds["sheet adopted"] = () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`${oneOf(["p", "li", "button", ".k1", ".k2", "h2"])} { ${oneOf(["display: none", "opacity: 0", "text-transform: uppercase"])} }`);
  note(sheet.cssRules[0].cssText);
  adoptable.push(sheet);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return () => { document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet); };
};
kinds["adopted sheet replaced"] = () => {
  if (!adoptable.length) return kinds["sheet adopted"]();
  const sheet = oneOf(adoptable);
  sheet.replaceSync(sheet.cssRules.length && chance(0.7) ? "" : `.k${int(CLASSES)} { ${oneOf(["display: none", "text-transform: uppercase"])} }`);
  note(sheet.cssRules[0]?.cssText ?? "empty");
};
kinds["adopted rule"] = () => {
  const sheets = adoptable.filter((sheet) => sheet.cssRules.length);
  if (!sheets.length) return kinds["sheet adopted"]();
  return setStyle(oneOf(sheets).cssRules[0].style, "display", oneOf(["block", "none", "inline"]));
};

kinds["custom property"] = () => setStyle(document.documentElement.style, "--shown", oneOf(["none", "inline"]));
kinds["custom property of a rule"] = () => {
  const rule = [...sheetOf("first").cssRules].find((one) => one.selectorText === ":root");
  if (!rule) throw new Nothing(":root");
  return setStyle(rule.style, "--shown", oneOf(["none", "inline"]));
};
kinds["inline style"] = () => {
  const name = oneOf(Object.keys(PROPERTIES));
  return setStyle(pick(SHOWN).style, name, oneOf(PROPERTIES[name]));
};
kinds["inline style typed"] = () => {
  const map = pick("p, button, a, .plain").attributeStyleMap;
  map.set("opacity", oneOf(["0", "0", "1"]));
  return () => map.clear();
};
kinds["width of a container"] = () => setStyle(pick(".container").style, "width", oneOf(["100px", "220px"]));
kinds["class list"] = () => {
  const { classList } = pick(SHOWN);
  const name = oneOf(["hidden", "ghost", "faint", "pinned", "upper", "second", "pointer", "away"]);
  classList.toggle(name);
  note(name);
  return () => classList.toggle(name);
};

// over everything

kinds["overlay by style"] = () => setStyle(pick("#overlay").style, "top", oneOf(["0px", "100px", "300px"]));
kinds["overlay by rule"] = () => {
  const rule = [...sheetOf("first").cssRules].find((one) => one.selectorText === "#overlay");
  if (!rule) throw new Nothing("#overlay");
  const name = oneOf(["top", "left", "width", "pointer-events", "z-index", "display"]);
  const old = rule.style.getPropertyValue(name);
  const value = { top: `${int(600) - 200}px`, left: `${int(900)}px`, width: "100%", "pointer-events": "none", "z-index": "-1", display: "none" }[name];
  rule.style.setProperty(name, value);
  rule.style.setProperty(oneOf(["top", name]), name === "top" ? value : "60px");
  note(`${name}: ${value}`);
  return () => rule.style.setProperty(name, old);
};

// what moves by itself, at a standstill

const FRAMES = [{ opacity: 0 }, { visibility: "hidden" }, { transform: "translateY(-900px)" }, { color: "white" }, { display: "none" }, { height: "0px", overflow: "hidden" }];
kinds["animation finished"] = () => {
  const animation = pick(SHOWN).animate([{}, oneOf(FRAMES)], { duration: 10, fill: "forwards" });
  animation.finish();
  return () => animation.cancel();
};
kinds["animation held"] = () => {
  const animation = pick("p, li, button, a, .plain").animate([{ opacity: 1 }, { opacity: 0 }], { duration: 1000, fill: "both" });
  animation.pause();
  animation.currentTime = oneOf([0, 1000, 1000]);
  return () => animation.cancel();
};
kinds["animation moved on"] = () => {
  const all = document.getAnimations();
  if (!all.length) return kinds["animation held"]();
  const animation = oneOf(all);
  animation.pause();
  return setProperty(animation, "currentTime", animation.currentTime ? 0 : 1000);
};
