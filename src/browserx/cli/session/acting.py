"""The commands that do something to the page."""

import argparse

from browserx.cli.session.command import Command, Given, Params, action, arg, node_id


def held(text: str) -> dict[str, bool]:
    """``ctrl,shift``, as the tool takes them."""
    keys = text.lower().split(",")
    if not set(keys) <= set(_KEYS):
        raise argparse.ArgumentTypeError(f"{text!r}: the keys are {', '.join(_KEYS)}")
    return dict.fromkeys(keys, True)


def _click(given: Given, count: int | None = None) -> Params:
    return action("click", nodeId=given.id, button=given.button, clickCount=count, modifiers=given.holding)


def distance(text: str) -> list[float]:
    """``100,-20``: so many CSS px to the right and down."""
    try:
        right, down = (float(number) for number in text.split(","))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no distance like 100,-20") from error
    return [right, down]


def _type(given: Given) -> Params:
    field = None if given.id == _FOCUSED else given.id
    text = given.text + "\n" if given.enter else given.text
    params = action("type", nodeId=field, text=text, charByChar=given.keys)
    if given.append or given.replace:
        params.setdefault("options", {})["clear"] = given.replace
    return params


def _field_id(text: str) -> str:
    return text if text == _FOCUSED else node_id(text)


def _scroll(given: Given) -> Params:
    to = {"top": "start", "bottom": "end"}.get(given.direction)
    return action(
        "scroll",
        nodeId=given.inside,
        direction=None if to else given.direction,
        amount=given.amount,
        to=to,
    )


def _wait(given: Given) -> Params:
    return action(
        "wait",
        nodeId=given.id,
        text=given.text,
        gone=given.gone,
        url=given.url,
        state=given.state,
        value=given.value,
        timeoutMs=round(given.timeout * 1000) if given.timeout else None,
    )


def _fields(given: Given) -> Params:
    pairs = [pair.partition("=") for pair in given.fields]
    return action("fill_form", fields={name: value for name, _, value in pairs})


def _field(text: str) -> str:
    if "=" not in text:
        raise argparse.ArgumentTypeError(f"{text!r} is no field and value like 5=Ada")
    node_id(text.partition("=")[0])
    return text


_FOCUSED = "focused"
_ID = arg("id", type=node_id, metavar="ID", help="of an element, as browserx snapshot tells it")
_KEYS = ("ctrl", "shift", "alt", "meta")
_HOLDING = arg("--holding", type=held, metavar="KEYS", help="keys held down meanwhile, like ctrl or ctrl,shift")
_BUTTON = arg("--button", choices=("left", "right", "middle"), help="of the mouse (default: left)")

ACTING = (
    Command(
        "Acting",
        "click",
        "click an element",
        ("browserx click 7", "browserx click 7 --button right --holding ctrl"),
        (_ID, _BUTTON, _HOLDING),
        _click,
        expects=True,
    ),
    Command(
        "Acting",
        "dblclick",
        "click an element twice",
        ("browserx dblclick 7",),
        (_ID, _BUTTON, _HOLDING),
        lambda given: _click(given, 2),
        expects=True,
    ),
    Command(
        "Acting",
        "type",
        "type into a field, instead of what is in it",
        (
            "browserx type 5 'earl grey' --enter --expect-url 'search?q='",
            "browserx type 5 -- --not-an-option",
            "browserx type focused 'earl grey'",
        ),
        (
            arg(
                "id",
                type=_field_id,
                metavar="ID",
                help="of a field, or the word focused: the caret of what has the focus",
            ),
            arg("text", metavar="TEXT", help="what to type"),
            arg("--append", action="store_true", help="after what is in the field"),
            arg("--replace", action="store_true", help="instead of what is in it, also with focused"),
            arg("--enter", action="store_true", help="press Enter afterwards"),
            arg("--keys", action="store_true", help="with a key press for each character"),
        ),
        _type,
        expects=True,
    ),
    Command(
        "Acting",
        "press",
        "press a key on what has the focus",
        ("browserx press Enter", "browserx press Control+A"),
        (arg("key", metavar="KEY", help="Enter, Escape, Tab, ArrowDown, a, Control+A, …"), _HOLDING),
        lambda given: action("keypress", key=given.key, modifiers=given.holding),
        expects=True,
    ),
    Command(
        "Acting",
        "select",
        "choose an option of a select box",
        ("browserx select 9 Austria", "browserx select 9 --value at"),
        (
            _ID,
            arg("label", metavar="LABEL", nargs="?", help="what the option says"),
            arg("--value", help="the option's value"),
            arg("--index", type=int, metavar="N", help="the option's place, from 0"),
        ),
        lambda given: action("select", nodeId=given.id, label=given.label, value=given.value, index=given.index),
        expects=True,
    ),
    Command(
        "Acting",
        "choose",
        "choose from a dropdown or combobox of any kind",
        ("browserx choose 9 Austria",),
        (_ID, arg("text", metavar="TEXT", help="what the choice says")),
        lambda given: action("choose", nodeId=given.id, text=given.text),
        expects=True,
    ),
    Command(
        "Acting",
        "check",
        "tick a checkbox, or choose a radio button",
        ("browserx check 8",),
        (_ID,),
        lambda given: action("check", nodeId=given.id),
        expects=True,
    ),
    Command(
        "Acting",
        "uncheck",
        "untick a checkbox",
        ("browserx uncheck 8",),
        (_ID,),
        lambda given: action("uncheck", nodeId=given.id),
        expects=True,
    ),
    Command(
        "Acting",
        "fill",
        "fill several fields of a form",
        ("browserx fill 5=Ada 6=Lovelace 8=true",),
        (arg("fields", metavar="ID=TEXT", nargs="+", type=_field, help="a field, and what goes into it"),),
        _fields,
    ),
    Command(
        "Acting",
        "submit",
        "send the form that an element is in",
        ("browserx submit 5",),
        (_ID,),
        lambda given: action("submit", nodeId=given.id),
        expects=True,
    ),
    Command(
        "Acting",
        "pick-date",
        "choose a date",
        ("browserx pick-date 5 2026-12-24",),
        (_ID, arg("date", metavar="DATE", help="like 2026-12-24")),
        lambda given: action("pick_date", nodeId=given.id, text=given.date),
        expects=True,
    ),
    Command(
        "Acting",
        "hover",
        "rest the pointer on an element",
        ("browserx hover 7",),
        (_ID,),
        lambda given: action("hover", nodeId=given.id),
        expects=True,
    ),
    Command(
        "Acting",
        "focus",
        "give an element the focus",
        ("browserx focus 5",),
        (_ID,),
        lambda given: action("focus", nodeId=given.id),
        expects=True,
    ),
    Command(
        "Acting",
        "drag",
        "drag an element onto another one, or so far",
        ("browserx drag 7 12", "browserx drag 7 --by 100,0"),
        (
            _ID,
            arg("to", type=node_id, metavar="TO", nargs="?", help="the element to drop it on"),
            arg("--by", type=distance, metavar="X,Y", help="or how far to drag it, in CSS px"),
        ),
        lambda given: action("drag", nodeId=given.id, to=given.to, by=given.by),
        expects=True,
    ),
    Command(
        "Acting",
        "upload",
        "choose files for an upload field",
        ("browserx upload 7 photo.png",),
        (_ID, arg("files", metavar="FILE", nargs="+", help="what to upload")),
        lambda given: action("upload", nodeId=given.id, files=given.files),
        expects=True,
    ),
    Command(
        "Acting",
        "scroll",
        "scroll the page, or a box in it",
        ("browserx scroll", "browserx scroll bottom", "browserx scroll down --inside 25 --amount 0.5"),
        (
            arg(
                "direction",
                nargs="?",
                choices=("up", "down", "left", "right", "top", "bottom"),
                help="where to (default: down); top, bottom: all the way",
            ),
            arg("--inside", type=node_id, metavar="ID", help="the box that this element is, or is in"),
            arg("--amount", type=float, metavar="N", help="in windows (default: 1)"),
        ),
        _scroll,
        expects=True,
    ),
    Command(
        "Acting",
        "wait",
        "wait for something to happen",
        ("browserx wait --text 'Thank you'", "browserx wait --gone Loading --timeout 20"),
        (
            arg("--text", help="until the page says this"),
            arg("--gone", metavar="TEXT", help="until it no longer says this"),
            arg("--url", help="until its address contains this"),
            arg("--id", type=node_id, metavar="ID", help="an element, for --state and --value"),
            arg("--state", help="until the element is in this state, like enabled"),
            arg("--value", metavar="TEXT", help="until the element holds this"),
            arg("--timeout", type=float, metavar="S", help="for so many seconds at most"),
        ),
        _wait,
    ),
    Command(
        "Acting",
        "dialog",
        "answer an alert, confirm or prompt",
        ("browserx dialog accept", "browserx dialog accept 'my answer'", "browserx dialog dismiss"),
        (
            arg("answer", choices=("accept", "dismiss"), help="OK or Cancel"),
            arg("text", metavar="TEXT", nargs="?", help="what to type into a prompt"),
        ),
        lambda given: {
            **action("dialog", text=given.text),
            "options": {"accept": given.answer == "accept"},
        },
    ),
    Command(
        "Acting",
        "batch",
        "run several commands, one a line; stops at the first that fails",
        ("browserx batch 'type 5 tea' 'press Enter'", "browserx batch < steps.txt"),
        (
            arg("lines", metavar="COMMAND", nargs="*", help="commands; read from standard input when left out"),
            arg("--keep-going", action="store_true", help="do not stop at those that fail"),
        ),
        begins=True,
    ),
)
