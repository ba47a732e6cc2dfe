"""One step of a plan on the page as it is: the call for it, or what has to come before."""

from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from browserx.agent.local import answers, phrases
from browserx.agent.local.ground import SAME_WORDS, closer, elements, exact, ground, matching
from browserx.agent.local.intents import Intent, Kind, Target
from browserx.agent.local.moves import Act, Ask, At, First, Move, Need, Passed, Stuck
from browserx.agent.local.progress import Part, Progress
from browserx.agent.local.seek import element, scrolling
from browserx.agent.local.vocabulary import Vocabulary
from browserx.agent.view import PageView, short_role
from browserx.semantic.call import call
from browserx.semantic.request import TreeNode

_FIELDS = frozenset(("inp", "txt", "cmb", "date", "clr"))
_BOXES = frozenset(("chk", "rad", "swt"))
_TOLD_BY_TITLE = frozenset(("title", "page title", "title of the page", "page's title"))
_TOLD_BY_URL = frozenset(("url", "address", "current url", "page url", "address of the page", "url of the page"))


class Scene(msgspec.Struct, frozen=True):
    """A step, the page it is on, and how far it is."""

    intent: Intent
    view: PageView
    progress: Progress
    words: Vocabulary

    def find(
        self, target: Target, kind: Kind | None = None, part: Part = "target"
    ) -> "At | First | Need | Ask | Stuck":
        """The element that is meant."""
        return element(self.view, target, kind or self.intent.kind, self.progress, self.words, part)

    def only(self, roles: frozenset[str]) -> TreeNode | None:
        """The one element of some roles, if there is but one."""
        nodes = [node for node in elements(self.view) if short_role(node.r) in roles]
        return nodes[0] if len(nodes) == 1 else None


def move(scene: Scene) -> Move:
    """What to do for a step now."""
    return _MOVES[scene.intent.kind](scene)


def another_way(scene: Scene, was: Move) -> Move:
    """After the action of a step failed once: the same end by other means, or the same again on the page as it is."""
    kind = scene.intent.kind
    if kind == "submit" or (kind == "click" and _sends(scene, was)):
        return Act(call=call("press", key="Enter"))
    if kind == "type" and isinstance(was, Act) and was.call.name == "pickDate":
        # It was no date picker: a list one may write in.
        return Act(call=call("setValue", was.call.element_id, value=scene.intent.text), field=was.field)
    if kind in ("select", "type") and isinstance(was, Act) and was.call.name == "select":
        return _by_hand(scene, was)
    return was


def _sends(scene: Scene, was: Move) -> bool:
    """Whether it is a click on what sends the form that was filled."""
    node = scene.view.node(was.call.element_id) if isinstance(was, Act) else None
    name = node.n.casefold().strip() if node is not None else ""
    return scene.progress.field is not None and name in scene.words.sending


def _by_hand(scene: Scene, was: Act) -> Move:
    """Open the list, then click what is to be chosen."""
    option = exact(scene.view, scene.intent.text or "", frozenset(("opt", "menu", "btn", "link", "el")))
    if option is not None:
        return Act(call=call("click", option.i))
    if not scene.progress.opened:
        scene.progress.opened = True
        return First(call("click", was.call.element_id), "choosing did not work; I open the list")
    return was


# going


def _go(scene: Scene) -> Move:
    url = scene.intent.text or ""
    if scene.intent.bare and scene.intent.target is not None:
        node = exact(scene.view, scene.intent.target.name)
        if node is not None:
            return Act(call=call("click", node.i))
    host = (urlsplit(url).hostname or url).removeprefix("www.")
    return Act(call=call("navigate", url=url), expected={"urlContains": host})


def _plain(scene: Scene) -> Move:
    return Act(call=call(scene.intent.kind))


def _switch_tab(scene: Scene) -> Move:
    name = scene.intent.text or ""
    # A tab in the page goes before one of the browser.
    tabs = [n for n in elements(scene.view) if short_role(n.r) == "tab" and matching(n.n, name) >= SAME_WORDS]
    if len(tabs) == 1:
        return Act(call=call("click", tabs[0].i))
    return Act(call=call("switchTab", tab=int(name) if name.isdecimal() else name))


def _new_tab(scene: Scene) -> Move:
    return Act(call=call("newTab", url=scene.intent.text))


def _close_tab(scene: Scene) -> Move:
    text = scene.intent.text
    return Act(call=call("closeTab", tab=int(text) if text is not None and text.isdecimal() else text))


def _dialog(scene: Scene) -> Move:
    if scene.intent.text == "close":
        # One of the page's own has a button for it; one of the browser's holds the page, which then shows nothing.
        button = closer(scene.view, scene.words)
        return Act(call=call("click", button.i)) if button is not None else Act(call=call("dialog", answer="dismiss"))
    return Act(call=call("dialog", answer=scene.intent.text, text=scene.intent.until))


# pointing and keys


def _on(scene: Scene) -> Move:
    assert scene.intent.target is not None
    found = scene.find(scene.intent.target)
    return Act(call=call(scene.intent.kind, found.node.i)) if isinstance(found, At) else found


def _press(scene: Scene) -> Move:
    key, target = scene.intent.text or "", scene.intent.target
    if key in scene.words.either and target is not None:
        node = exact(scene.view, target.name or target.said, frozenset(("btn", "link", "menu", "tab")))
        if node is not None:
            return Act(call=call("click", node.i))
    return Act(call=call("press", key=key))


def _drag(scene: Scene) -> Move:
    assert scene.intent.target is not None
    assert scene.intent.onto is not None
    found = scene.find(scene.intent.target)
    if not isinstance(found, At):
        return found
    onto = scene.find(scene.intent.onto, part="onto")
    return Act(call=call("drag", found.node.i, targetId=onto.node.i)) if isinstance(onto, At) else onto


def _scroll(scene: Scene) -> Move:
    intent, view = scene.intent, scene.view
    way = intent.text or "down"
    if intent.until is not None:
        if any(intent.until.casefold() in f"{node.n} {node.v or ''}".casefold() for node in elements(view)):
            return Passed()
        on = scrolling(view, scene.progress, way)
        if on is not None:
            return First(on, f"I scroll until {intent.until!r} is in view")
        if view.dom is None and "full" not in scene.progress.asked:
            return Need("full", f"whether {intent.until!r} is on the page cannot be told from what can be acted on")
        if view.dom is not None and answers.says(view.dom, intent.until):
            return Passed()
        return Stuck(f"I scrolled {way} as far as it goes, and {intent.until!r} did not come")
    if intent.to_end:
        on = scrolling(view, scene.progress, way)
        return First(on, f"I scroll {way} to the end") if on is not None else Passed()
    if intent.target is None:
        return Act(call=call("scroll", direction=way))
    found = scene.find(intent.target)
    return Act(call=call("scroll", found.node.i, direction=way)) if isinstance(found, At) else found


# filling


def _type(scene: Scene) -> Move:
    text = scene.intent.text or ""
    target = scene.intent.target
    if target is not None:
        found = scene.find(target)
        return _filled(scene, found.node, text) if isinstance(found, At) else found
    node = scene.view.node(scene.progress.field) or scene.only(_FIELDS)
    if node is None:
        return _which(scene, _FIELDS, "Into which field?")
    return _filled(scene, node, text)


def _filled(scene: Scene, node: TreeNode, text: str) -> Move:
    """Put a text into whatever it is: a field, a list, a date, a box."""
    role = short_role(node.r)
    if role == "sel":
        return Act(call=call("select", node.i, option=text))
    if role in _BOXES:
        wanted = text.casefold()
        if wanted in scene.words.on | scene.words.off:
            return Act(call=call("check" if wanted in scene.words.on else "uncheck", node.i))
        return Stuck(f"{node.n!r} is a box that is on or off; it does not take {text!r}")
    if role in ("date", "cmb") and (chosen := phrases.day(text, scene.words)) is not None:
        return Act(call=call("pickDate", node.i, date=chosen), field=node.i)
    expected = {"fields": {node.i: text}} if role in ("inp", "txt") else None
    return Act(call=call("setValue", node.i, value=text), expected=expected, field=node.i)


def _clear(scene: Scene) -> Move:
    return _type(msgspec.structs.replace(scene, intent=msgspec.structs.replace(scene.intent, text="")))


def _check(scene: Scene) -> Move:
    assert scene.intent.target is not None
    found = scene.find(scene.intent.target)
    if not isinstance(found, At):
        return found
    # What is no box of any kind is switched by a click, whichever way it is.
    name = scene.intent.kind if short_role(found.node.r) in (*_BOXES, "opt", "menu", "el") else "click"
    return Act(call=call(name, found.node.i))


def _select(scene: Scene) -> Move:
    option, target = scene.intent.text or "", scene.intent.target
    if target is not None:
        found = scene.find(target)
        several = option.split("\n")
        options = several if len(several) > 1 else option
        return Act(call=call("select", found.node.i, option=options)) if isinstance(found, At) else found
    named = Target(said=option, name=option)
    hits = ground(scene.view, named, "click", scene.words)
    only_list = scene.only(frozenset(("sel",)))
    if only_list is not None and not (hits.nodes and hits.certain):
        return Act(call=call("select", only_list.i, option=option))
    found = scene.find(named, "click")
    if not isinstance(found, At):
        return found
    return Act(call=call("check" if short_role(found.node.r) in _BOXES else "click", found.node.i))


def _pick_date(scene: Scene) -> Move:
    chosen, target = scene.intent.text or "", scene.intent.target
    if target is not None:
        found = scene.find(target)
        return (
            Act(call=call("pickDate", found.node.i, date=chosen), field=found.node.i)
            if isinstance(found, At)
            else found
        )
    dates = frozenset(("date",))
    node = scene.only(dates)
    if node is None:
        return _which(scene, dates, "In which field is the date to be set?")
    return Act(call=call("pickDate", node.i, date=chosen), field=node.i)


def _upload(scene: Scene) -> Move:
    files = (scene.intent.text or "").split("\n")
    if scene.intent.target is None:
        hits = ground(scene.view, Target(said="file", name="file"), "upload", scene.words)
        if len(hits.nodes) != 1:
            return _which(scene, frozenset(("btn", "inp")), "Which field takes the file?")
        return Act(call=call("upload", hits.nodes[0].i, files=files))
    found = scene.find(scene.intent.target)
    return Act(call=call("upload", found.node.i, files=files)) if isinstance(found, At) else found


def _submit(scene: Scene) -> Move:
    """Send the form of the field that was filled last; else press the one button that sends."""
    if scene.view.node(scene.progress.field) is not None:
        return Act(call=call("submit", scene.progress.field))
    buttons = [node for node in elements(scene.view) if short_role(node.r) == "btn"]
    for name in scene.words.sending:
        named = [node for node in buttons if matching(node.n, name) >= SAME_WORDS]
        if len(named) == 1:
            return Act(call=call("click", named[0].i))
    return _which(scene, frozenset(("btn",)), "Which button sends the form?")


def _which(scene: Scene, roles: frozenset[str], question: str) -> Move:
    nodes = [node for node in elements(scene.view) if short_role(node.r) in roles]
    told = "; ".join(f"{node.i}: {node.n!r}" for node in nodes[:8])
    return Ask(
        question=f"{question} There are: {told}." if told else f"{question} I see none.",
        missing=question,
        choices=[node.i for node in nodes[:8]],
    )


# reading and waiting


def _wait(scene: Scene) -> Move:
    intent = scene.intent
    if intent.seconds is not None:
        return Act(call=call("wait", for_=intent.seconds))
    text = intent.text or ""
    if intent.gone:
        return Act(call=call("wait", for_=text, gone=True), expected={"textGone": text})
    return Act(call=call("wait", for_=text), expected={"textAppears": text})


def _see(scene: Scene) -> Move:
    view, text = scene.view, scene.intent.text or ""
    if view.dom is None:
        if "full" not in scene.progress.asked:
            return Need("full", f"whether {text!r} is on the page is to be seen")
        return Stuck(f"the text of the page was not sent, so nobody can tell whether {text!r} is on it")
    there = answers.says(view.dom, text) or any(text.casefold() in (node.v or "").casefold() for node in view.nodes)
    if there == scene.intent.gone:
        return Stuck(f"{text!r} is {'still' if there else 'not'} on the page")
    return Passed(f"{text!r} is {'not on the page any more' if scene.intent.gone else 'on the page'}")


def _read(scene: Scene) -> Move:
    view, asked = scene.view, scene.intent.text or ""
    wanted = asked.casefold()
    if wanted in _TOLD_BY_TITLE:
        return Passed(view.title) if view.title else Stuck("the page has no title")
    if wanted in _TOLD_BY_URL:
        return Passed(view.url)
    field = answers.of_field(asked)
    held = _held(scene, field or asked, is_field=field is not None)
    if held is not None:
        return Passed(held)
    if view.dom is None and "full" not in scene.progress.asked:
        return Need("full", f"{asked!r} is to be read from the text of the page")
    found = answers.answer(view.dom, asked, scene.words) if view.dom is not None else None
    if found is not None:
        return Passed(found)
    if view.dom is None:
        return Stuck(f"the text of the page was not sent, so {asked!r} cannot be read")
    return Stuck(f"the page says nothing of {asked!r}")


def _held(scene: Scene, name: str, *, is_field: bool) -> str | None:
    """What a field of that name holds."""
    quotes = phrases.Quotes(name)
    target = phrases.target(quotes.masked, quotes, scene.words)
    pool = [node for node in elements(scene.view) if short_role(node.r) in _FIELDS | {"sel", "sld"}]
    hits = [node for node in pool if matching(node.n, target.name) >= SAME_WORDS]
    if len(hits) != 1 or not (is_field or target.noun or hits[0].v):
        return None
    return hits[0].v or ("" if is_field or target.noun else None)


def _unknown(scene: Scene) -> Move:
    said = scene.intent.said
    example = 'Say it as in: type "Ann" into Name, then click Save, then read Total.'
    return Ask(question=f"I did not understand {said!r}. {example}", missing=said)


_MOVES: dict[Kind, Callable[[Scene], Move]] = {
    "go": _go,
    "click": _on,
    "doubleClick": _on,
    "rightClick": _on,
    "type": _type,
    "clear": _clear,
    "select": _select,
    "pickDate": _pick_date,
    "check": _check,
    "uncheck": _check,
    "press": _press,
    "scroll": _scroll,
    "hover": _on,
    "focus": _on,
    "drag": _drag,
    "upload": _upload,
    "wait": _wait,
    "back": _plain,
    "forward": _plain,
    "reload": _plain,
    "read": _read,
    "see": _see,
    "switchTab": _switch_tab,
    "newTab": _new_tab,
    "closeTab": _close_tab,
    "dialog": _dialog,
    "submit": _submit,
    "unknown": _unknown,
}
