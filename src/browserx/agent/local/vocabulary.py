"""The words instructions are made of, in one table per language."""

from collections.abc import Mapping

import msgspec

from browserx.agent.local.intents import Relation


class Vocabulary(msgspec.Struct, frozen=True, kw_only=True):
    """The words of a language, in lower case.

    Attributes:
        verbs: what a clause begins with, for each way of reading the rest of it.
        fillers: what may stand before a verb and says nothing.
        courtesies: what may stand at the end and says nothing.
        joints: what stands between two clauses.
        articles: what may stand before a noun.
        nouns: kinds of elements, and the roles of a tree they stand for; the first is the name of the kind.
        leading: nouns that stand before a name without more: "button OK".
        called: what stands between a noun and a name.
        ordinals: numbers of place; negative ones count from the end.
        relations: where something is, seen from something else.
        into, out_of, onto, with_, to: prepositions, the likeliest first.
        forms, dialogs, tabs, pages: nouns that are no elements.
        keys: what keys are called.
        either: keys that are names of buttons as well.
        months: of the year, in order.
        here, gone: how it is said that a text is there, or not any more.
        closing: names of what closes something that covers the page, the likeliest first.
        searching: names of a field to search with.
        sending: names of buttons that send a form.
        skipping: answers that say to leave a step out.
        on, off: values of a box.
        prices: what an amount of money is called.
        abbreviations: words whose point ends no sentence.
    """

    verbs: Mapping[str, tuple[str, ...]]
    fillers: tuple[str, ...]
    courtesies: tuple[str, ...]
    joints: tuple[str, ...]
    articles: tuple[str, ...]
    nouns: Mapping[tuple[str, ...], frozenset[str]]
    leading: tuple[str, ...]
    called: tuple[str, ...]
    ordinals: Mapping[str, int]
    relations: Mapping[str, Relation]
    into: tuple[str, ...]
    out_of: tuple[str, ...]
    onto: tuple[str, ...]
    with_: tuple[str, ...]
    to: tuple[str, ...]
    forms: tuple[str, ...]
    dialogs: tuple[str, ...]
    tabs: tuple[str, ...]
    pages: tuple[str, ...]
    keys: Mapping[str, str]
    either: frozenset[str]
    months: tuple[str, ...]
    here: tuple[str, ...]
    gone: tuple[str, ...]
    closing: tuple[str, ...]
    searching: tuple[str, ...]
    sending: tuple[str, ...]
    skipping: frozenset[str]
    on: frozenset[str]
    off: frozenset[str]
    prices: frozenset[str]
    abbreviations: frozenset[str]

    def roles(self, noun: str) -> frozenset[str]:
        """The roles a kind of element stands for; none for one that is not known."""
        return next((roles for words, roles in self.nouns.items() if noun == words[0]), frozenset())


_FIELDS = frozenset(("inp", "txt", "cmb", "date", "clr"))

ENGLISH = Vocabulary(
    verbs={
        "go": ("go to", "goto", "navigate to", "navigate", "visit", "browse to", "load", "head to"),
        "open": ("open up", "open", "launch"),
        "click": ("click on", "click", "tap on", "tap", "press on", "activate", "follow", "expand", "collapse"),
        "press": ("press", "hit", "push"),
        "doubleClick": ("double-click on", "double click on", "double-click", "double click", "doubleclick"),
        "rightClick": ("right-click on", "right click on", "right-click", "right click", "rightclick"),
        "type": ("type in", "type", "enter", "write", "input", "put", "insert", "key in", "paste"),
        "fill": ("fill in", "fill out", "fill", "complete"),
        "set": ("set", "change", "update"),
        "clear": ("clear out", "clear", "empty", "erase"),
        "select": ("select", "choose", "pick"),
        "check": ("check", "tick", "switch on", "turn on", "enable"),
        "uncheck": ("uncheck", "untick", "switch off", "turn off", "disable", "deselect", "unselect"),
        "scroll": ("scroll",),
        "hover": ("hover over", "hover on", "hover", "mouse over", "move the mouse over", "move the mouse to"),
        "focus": ("focus on", "focus"),
        "drag": ("drag and drop", "drag"),
        "upload": ("upload", "attach"),
        "wait": ("wait for", "wait until", "wait till", "wait"),
        "back": ("go back", "navigate back"),
        "forward": ("go forward", "navigate forward"),
        "reload": ("reload", "refresh"),
        "read": (
            *("read out", "read", "tell me", "report", "what is", "what's", "what are", "what does", "what was"),
            *("how much is", "how much does", "how much are", "how many", "get", "find out", "extract", "give me"),
            *("show me", "return", "look up", "which", "who is", "when is", "where is"),
        ),
        "see": (
            *("verify that", "check that", "check if", "check whether", "make sure that", "ensure that"),
            *("confirm that", "assert that", "verify", "make sure", "ensure", "assert"),
        ),
        "search": ("search for", "search"),
        "switchTab": ("switch to", "go to tab", "go to the tab", "change to tab"),
        "newTab": ("open a new tab", "open new tab", "open another tab", "new tab"),
        "close": ("close",),
        "accept": ("accept", "confirm"),
        "dismiss": ("dismiss", "cancel"),
        "answer": ("answer",),
        "submit": ("submit", "send the form", "send in the form"),
        "login": ("log in with", "login with", "sign in with", "log in using", "sign in using"),
    },
    fillers=(
        *("please", "now", "then", "and", "next", "finally", "lastly", "first", "firstly", "also", "after that"),
        *("afterwards", "can you", "could you", "would you", "i want you to", "i'd like you to", "you should"),
        *("kindly", "once done", "secondly", "thirdly", "let's", "just", "try to"),
    ),
    courtesies=("please", "for me", "now", "on the page", "on this page", "on the current page"),
    joints=("and then", "then", "and after that", "and"),
    articles=("the", "a", "an", "this", "that", "its", "my", "your"),
    nouns={
        ("button", "buttons"): frozenset(("btn",)),
        ("link", "links", "hyperlink"): frozenset(("link",)),
        (
            *("field", "text field", "input field", "text box", "textbox", "input box", "input", "text area"),
            *("textarea", "editor", "fields", "entry", "bar", "spinner", "spin button", "number field"),
        ): _FIELDS,
        ("checkbox", "check box", "checkboxes", "tick box", "tickbox"): frozenset(("chk", "swt")),
        ("radio", "radio button", "radio option"): frozenset(("rad",)),
        ("switch", "toggle", "toggle switch"): frozenset(("swt", "chk", "btn")),
        (
            "list",
            "dropdown",
            "drop-down",
            "drop down",
            "dropdown list",
            "select",
            "select box",
            "combobox",
            "combo box",
        ): frozenset(("sel", "cmb")),
        ("menu",): frozenset(("menu", "btn", "sel", "link", "tog")),
        ("menu item", "menu entry"): frozenset(("menu", "link", "btn")),
        ("tab", "tabs"): frozenset(("tab",)),
        ("option", "choice"): frozenset(("opt", "rad", "chk", "menu")),
        ("slider",): frozenset(("sld",)),
        ("date", "date field", "date picker", "datepicker"): frozenset(("date", "inp", "cmb")),
        ("image", "picture", "photo", "icon", "logo"): frozenset(("img", "btn", "link")),
        ("cell",): frozenset(("cell",)),
        ("box",): _FIELDS | {"chk", "swt"},
        ("item", "element", "result", "row item"): frozenset(),
    },
    leading=("button", "link", "checkbox", "radio button", "radio", "tab", "option", "field", "element"),
    called=(
        "labelled",
        "labeled",
        "named",
        "called",
        "titled",
        "with the text",
        "with text",
        "that says",
        "saying",
        "with the label",
        "with label",
        "with the name",
        "marked",
    ),
    ordinals={
        **{
            word: i + 1
            for i, word in enumerate(
                ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
            )
        },
        **{f"{i}{'st' if i == 1 else 'nd' if i == 2 else 'rd' if i == 3 else 'th'}": i for i in range(1, 21)},
        "last": -1,
        "only": 1,
        "second to last": -2,
        "second-to-last": -2,
    },
    relations={
        "in the same row as": "row",
        "in the row of": "row",
        "in the row with": "row",
        "in the row for": "row",
        "in the row containing": "row",
        "in row": "row",
        "on the row of": "row",
        "in the line of": "row",
        "in the line with": "row",
        "on the line of": "row",
        "next to": "near",
        "beside": "near",
        "near": "near",
        "close to": "near",
        "below": "below",
        "under": "below",
        "underneath": "below",
        "beneath": "below",
        "above": "above",
        "to the right of": "right",
        "right of": "right",
        "to the left of": "left",
        "left of": "left",
    },
    into=("into", "in to", "inside", "in", "as", "for", "to", "on", "under"),
    out_of=("out of", "from", "in", "as", "for", "under", "on", "of"),
    onto=("onto", "on to", "into", "to", "over", "on"),
    with_=("with", "using", "by"),
    to=("to", "=", "as"),
    forms=("form", "fields", "form fields", "following", "following fields", "following form", "details"),
    dialogs=(
        "dialog",
        "dialogue",
        "alert",
        "prompt",
        "confirmation",
        "confirm",
        "popup",
        "pop-up",
        "message box",
        "confirm dialog",
        "alert dialog",
        "confirmation dialog",
        "javascript dialog",
        "it",
    ),
    tabs=("tab", "browser tab", "current tab", "window"),
    pages=(
        "page",
        "whole page",
        "text",
        "page text",
        "content",
        "everything",
        "text of the page",
        "content of the page",
        "contents of the page",
        "webpage",
    ),
    keys={
        "enter": "Enter",
        "return": "Enter",
        "escape": "Escape",
        "esc": "Escape",
        "tab": "Tab",
        "space": "Space",
        "spacebar": "Space",
        "space bar": "Space",
        "backspace": "Backspace",
        "delete": "Delete",
        "del": "Delete",
        "insert": "Insert",
        "home": "Home",
        "end": "End",
        "page up": "PageUp",
        "pageup": "PageUp",
        "page down": "PageDown",
        "pagedown": "PageDown",
        **{
            f"{arrow}{way}": f"Arrow{way.strip().title()}"
            for arrow in ("arrow", "arrow ")
            for way in ("up", "down", "left", "right")
        },
        **{f"{way} arrow": f"Arrow{way.title()}" for way in ("up", "down", "left", "right")},
        **{f"f{i}": f"F{i}" for i in range(1, 13)},
        "ctrl": "Control",
        "control": "Control",
        "shift": "Shift",
        "alt": "Alt",
        "option": "Alt",
        "cmd": "Meta",
        "command": "Meta",
        "meta": "Meta",
        "win": "Meta",
        "super": "Meta",
    },
    either=frozenset(("Delete", "Insert", "Home", "End", "Space")),
    months=(
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ),
    here=(
        "is visible",
        "is shown",
        "is displayed",
        "is there",
        "is present",
        "is on the page",
        "appears",
        "shows up",
        "shows",
        "appear",
        "to appear",
        "to show up",
        "to be visible",
        "to be shown",
        "to load",
        "has appeared",
        "comes up",
    ),
    gone=(
        "is gone",
        "disappears",
        "has disappeared",
        "is not visible",
        "is hidden",
        "is no longer visible",
        "to disappear",
        "to be gone",
        "goes away",
        "vanishes",
        "is not shown",
        "is not there",
        "to go away",
        "is no longer there",
        "is no longer shown",
    ),
    closing=(
        "close",
        "×",
        "✕",
        "✖",
        "x",
        "dismiss",
        "close dialog",
        "close popup",
        "no thanks",
        "not now",
        "got it",
        "accept all",
        "accept",
        "accept cookies",
        "reject all",
        "ok",
        "okay",
        "i agree",
        "agree",
    ),
    searching=("search", "find", "query", "q", "search for", "look up"),
    sending=(
        "submit",
        "send",
        "save",
        "search",
        "log in",
        "login",
        "sign in",
        "sign up",
        "register",
        "continue",
        "next",
        "go",
        "ok",
        "apply",
        "confirm",
        "done",
    ),
    skipping=frozenset(("skip", "skip it", "skip that", "leave it out", "never mind", "ignore it", "go on", "none")),
    on=frozenset(("on", "yes", "true", "checked", "ticked", "enabled")),
    off=frozenset(("off", "no", "false", "unchecked", "unticked", "disabled")),
    prices=frozenset(("price", "cost", "amount")),
    abbreviations=frozenset(("mr", "mrs", "ms", "dr", "st", "no", "vs", "e.g", "i.e", "etc", "inc", "jr", "sr")),
)
