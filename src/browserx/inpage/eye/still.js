// Whether anything that a look told of can have changed since. What is written in the page, the observer of its life
// hears of; what is done to styles and boxes, the browser counts, outside; what neither notices is asked again here:
// fields, scroll positions, listeners, addresses. Anything else is a reason to look.

let trace = null;

const kindOfLook = (options) => `${options.whole} ${options.hidden}`;

// To be kept of a look that told everything it could.
function leaveTrace(look, options) {
  trace = null;
  if (options.root || look.late || look.doubtful || Math.max(look.fresh.length, look.later.length) >= options.fresh) return;
  trace = {
    kind: kindOfLook(options),
    changes: changesSeen,
    fields: look.fields,
    boxes: look.boxes,
    asked: look.asked,
    surveys: look.surveys ? surveys : null,
    places: [document, ...look.documents].map((doc) => [doc, placeSign(doc)]),
    frames: look.frames,
  };
}

const placeSign = (doc) => {
  const view = doc.defaultView;
  return view && [doc.URL, doc.title, doc.readyState, view.scrollX, view.scrollY, view.innerWidth, view.innerHeight].join("\n");
};

// With a pending change of style made, so that the browser has counted it.
function isStill(options) {
  if (trace === null) return false;
  live(life.takeRecords());
  const before = trace;
  if (before === null || before.kind !== kindOfLook(options) || before.changes !== changesSeen) return false;
  for (const [doc, sign] of before.places) {
    if (!doc.defaultView || placeSign(doc) !== sign) return false;
    doc.documentElement?.getBoundingClientRect();
  }
  return before.frames.every(([frame, doc]) => frameDocument(frame) === doc)
    && before.boxes.every(([box, left, top]) => box.scrollLeft === left && box.scrollTop === top)
    && before.fields.every((field) => field.sign === fieldSign(field))
    && before.asked.every(([el, shadow, heard]) => askReader(el, shadow) === heard)
    && (before.surveys === null || before.places.every(([doc]) => isSameSurvey(before.surveys.get(doc), takeSurvey(doc))));
}

// All that is told of a field and is not written in the page.
const fieldSign = ({ el, role }) => JSON.stringify([isSecret(el) ? el.value !== "" : valueOf(el, role), statesOf(el, role, true, isDisabled(el))]);
const FIELDS = words("input select textarea option");

// A document that was not surveyed has nothing in it that was asked about that way.
function isSameSurvey(before, now) {
  if (before === undefined) return true;
  if (before.size !== now.size) return false;
  for (const [el, heard] of now) if (before.get(el) !== heard) return false;
  return true;
}
