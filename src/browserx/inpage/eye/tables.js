// Words and numbers the rest of the eye is written in. The bits of `F` and the row kinds are the wire format that
// browserx/inpage/facts.py decodes; change both together.

const F = {
  NATIVE: 1 << 0, // a control of HTML's own
  ROLE: 1 << 1, // an explicit widget role
  FOCUSABLE: 1 << 2, // tabindex >= 0 given by the author
  EDITABLE: 1 << 3, // the root of an editable region
  HANDLER: 1 << 4, // a pointer handler in an on* attribute
  LISTENER: 1 << 5, // listens for click, mousedown, pointerdown or dblclick, or its framework does so for it
  WEAK_LISTENER: 1 << 6, // listens for other input: keys, drag, context menu, touch
  CURSOR_EDGE: 1 << 7, // cursor:pointer that its parent does not have
  CURSOR: 1 << 8, // cursor:pointer, inherited or not
  TEST_ID: 1 << 9,
  DRAGGABLE: 1 << 10,
  VISIBLE: 1 << 11, // a person can see it, now or after scrolling
  IN_VIEW: 1 << 12, // some of it is inside the viewport and every clipping ancestor
  OCCLUDED: 1 << 13, // something else would get a click meant for it
  DISABLED: 1 << 14,
  IN_SHADOW: 1 << 15,
  SCROLLER: 1 << 16, // scrolls content of its own
  NO_POINTER: 1 << 17, // pointer-events: none
  ARIA_HIDDEN: 1 << 18,
  INLINE: 1 << 19, // flows with the text around it
  NAMED_BY_CONTENT: 1 << 20, // its name is its text, so its text is not sent again
  PROXIED: 1 << 21, // its own box cannot be seen; the box given is that of its label or drawing
  PROTECTED: 1 << 22, // its value is secret and is not sent
  CLOSED_SHADOW: 1 << 23, // inside a closed shadow root
  TRANSPARENT: 1 << 24, // its own opacity is nil though it takes the clicks
  DOUBTFUL: 1 << 27, // a custom element without a role: it may have one that only the browser knows
  HIDDEN: 1 << 25, // nobody can see it; told because hidden things were asked for
};
const INTERACTIVE = F.NATIVE | F.ROLE | F.FOCUSABLE | F.EDITABLE | F.HANDLER | F.LISTENER | F.WEAK_LISTENER
  | F.CURSOR_EDGE | F.DRAGGABLE;
const ROW = { ELEMENT: 1, TEXT: 2 };

const words = (text) => new Set(text.split(" "));

const NEVER_SHOWN = words("script style template noscript head meta link title base source track param datalist");
// Roles whose text is told as text: a name would only say it once more.
const READ_AS_TEXT = words("listitem list paragraph row cell gridcell columnheader rowheader heading blockquote code term "
  + "definition caption");
const WIDGET_ROLES = words("button link checkbox radio switch tab menuitem menuitemcheckbox menuitemradio option combobox "
  + "textbox searchbox slider spinbutton treeitem");
const NAME_FROM_CONTENT = words("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox "
  + "menuitemradio option radio row rowheader switch tab tooltip treeitem DisclosureTriangle DisclosureTriangleGrouped LabelText");
// Roles that are worth a row though nobody can act on them: the skeleton a reader finds his way by.
const READING_ROLES = words("heading navigation main banner contentinfo complementary region search form article list "
  + "listitem table grid treegrid row cell columnheader rowheader gridcell image figure dialog alertdialog group "
  + "radiogroup menu menubar tablist tabpanel toolbar tree listbox alert status log marquee timer progressbar meter "
  + "separator blockquote term definition caption Iframe Canvas Video Audio feed math note document application");
const ARIA_ROLES = words("alert alertdialog application article banner blockquote button caption cell checkbox code "
  + "columnheader combobox complementary contentinfo definition deletion dialog directory document emphasis feed figure "
  + "form generic grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math "
  + "menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation "
  + "progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton "
  + "status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar "
  + "tooltip tree treegrid treeitem");
const TAG_ROLES = {
  article: "article", aside: "complementary", audio: "Audio", blockquote: "blockquote", button: "button",
  canvas: "Canvas", caption: "caption", code: "code", dd: "definition", details: "group", dialog: "dialog",
  dt: "term", fieldset: "group", figure: "figure", frame: "Iframe", h1: "heading", h2: "heading", h3: "heading",
  h4: "heading", h5: "heading", h6: "heading", hr: "separator", iframe: "Iframe", label: "LabelText", li: "listitem",
  main: "main", math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group",
  option: "option", output: "status", p: "paragraph", progress: "progressbar", search: "search", table: "table",
  tbody: "rowgroup", textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", tr: "row", ul: "list", video: "Video",
};
const INPUT_ROLES = {
  button: "button", checkbox: "checkbox", color: "ColorWell", date: "Date", "datetime-local": "DateTime", file: "button",
  image: "button", month: "DateTime", number: "spinbutton", radio: "radio", range: "slider", reset: "button",
  search: "searchbox", submit: "button", time: "InputTime", week: "DateTime",
};
const SHAPES = words("circle ellipse line path polygon polyline rect");
const TEXT_INPUTS = words("text search url tel email password number date datetime-local month week time");
const POINTER_ATTRIBUTES = ["onclick", "onmousedown", "onmouseup", "onpointerdown", "onpointerup", "ondblclick",
  "oncontextmenu", "ontouchstart"];
const TEST_IDS = ["data-testid", "data-test", "data-cy", "data-test-id"];
const HTML_NS = "http://www.w3.org/1999/xhtml";
const SVG_NS = "http://www.w3.org/2000/svg";
