"""What the eye answers, as types. The wire format is written by ``eye/look.js`` and ``eye/tables.js``: change both
together. Lengths are CSS px of the viewport of the frame that was asked.
"""

from enum import IntFlag

import msgspec


class Fact(IntFlag):
    """One bit each for what was found about an element (``F`` in ``eye/tables.js``, where each is explained)."""

    NATIVE = 1 << 0
    ROLE = 1 << 1
    FOCUSABLE = 1 << 2
    EDITABLE = 1 << 3
    HANDLER = 1 << 4
    LISTENER = 1 << 5
    WEAK_LISTENER = 1 << 6
    CURSOR_EDGE = 1 << 7
    CURSOR = 1 << 8
    TEST_ID = 1 << 9
    DRAGGABLE = 1 << 10
    VISIBLE = 1 << 11
    IN_VIEW = 1 << 12
    OCCLUDED = 1 << 13
    DISABLED = 1 << 14
    IN_SHADOW = 1 << 15
    SCROLLER = 1 << 16
    NO_POINTER = 1 << 17
    ARIA_HIDDEN = 1 << 18
    INLINE = 1 << 19
    NAMED_BY_CONTENT = 1 << 20
    PROXIED = 1 << 21
    PROTECTED = 1 << 22
    CLOSED_SHADOW = 1 << 23
    TRANSPARENT = 1 << 24
    HIDDEN = 1 << 25
    #: Of text, set while rows are merged.
    FAINT = 1 << 26
    DOUBTFUL = 1 << 27


class FrameFact(msgspec.Struct, gc=False):
    """A frame element: ``inside`` says whether the eye went in; ``box`` is where its document is drawn."""

    url: str = ""
    inside: int = 0
    box: tuple[int, int, int, int] = (0, 0, 0, 0)


class Extra(msgspec.Struct, gc=False):
    """What only some elements have."""

    value: str | None = msgspec.field(name="v", default=None)
    value_cut: int = msgspec.field(name="vx", default=0)
    filled: bool | None = None
    #: States that are not at their default: checked, expanded, selected, pressed, disabled, required, readonly,
    #: invalid, invalidBecause, current, level, sort, popup, busy, modal, multiselectable, min, max.
    states: dict[str, bool | int | str] = msgspec.field(name="s", default_factory=dict)
    #: The useful attributes: href, type, placeholder, testid.
    attributes: dict[str, str] = msgspec.field(name="a", default_factory=dict)
    #: Of unnamed controls: what may tell what their icon shows, as "label …", "class …", "use …", "name …" or
    #: "src …".
    hints: list[str] = msgspec.field(name="h", default_factory=list)
    options: list[str] = msgspec.field(name="o", default_factory=list)
    option_count: int = msgspec.field(name="on", default=0)
    #: scrollLeft, scrollTop, clientWidth, clientHeight, scrollWidth, scrollHeight
    scroll: tuple[int, int, int, int, int, int] | None = msgspec.field(name="sc", default=None)
    frame: FrameFact | None = msgspec.field(name="fr", default=None)
    #: Where to click when the centre of the visible part does not reach the element.
    click_at: tuple[int, int] | None = msgspec.field(name="at", default=None)
    covered_by: int = msgspec.field(name="oc", default=0)
    covered_by_text: str = msgspec.field(name="od", default="")


class ElementRow(msgspec.Struct, array_like=True, tag=1, gc=False):
    """An element with something to tell. ``depth`` is its depth among rows, ``mirror`` its place in the mirror."""

    depth: int
    mirror: int
    key: int
    tag: int
    flags: int
    role: int
    name: str
    x: int
    y: int
    width: int
    height: int
    extra: Extra | None = None


class TextRow(msgspec.Struct, array_like=True, tag=2, gc=False):
    """Text that flows together; ``owner`` is the place of its first piece's element in the mirror.

    ``in_view`` is 1 in the viewport, 0 outside of it, and 2 for what nobody can see, told only when asked for.
    """

    depth: int
    owner: int
    text: str
    in_view: int = 1
    #: It can hardly be read: tiny, or almost in the colour of what it stands on.
    faint: int = 0


class LeftOut(msgspec.Struct, gc=False):
    """How many elements the look did not enter, and why."""

    above: int = 0
    below: int = 0
    beside: int = 0
    scrolled: int = 0
    hidden: int = 0
    deep: int = 0


class LookFacts(msgspec.Struct, rename="camel"):
    """One look of one eye. The mirror is one character a node: its tag, and its depth."""

    gone: bool = False
    #: All is as the last look of the same kind told it, for all that can be seen from inside the page.
    still: bool = False
    url: str = ""
    title: str = ""
    viewport: tuple[int, int] = (0, 0)
    #: scrollX, scrollY, scrollWidth, scrollHeight
    scroll: tuple[int, int, int, int] = (0, 0, 0, 0)
    total: int = 0
    body: bool = True
    #: Whether more of the document is still to come.
    loading: bool = False
    opted_out: bool = False
    tags: list[str] = []
    roles: list[str] = []
    rows: list[ElementRow | TextRow] = []
    mirror: str = ""
    levels: str = ""
    #: What was met first and may lead on: frames, and what may hold closed roots or know its role itself.
    fresh: list[int] = []
    #: What else was met first.
    later: list[int] = []
    #: Controls told of before that are gone from documents that are still there; told when there are new ones.
    vanished: list[int] = []
    left: LeftOut = msgspec.field(default_factory=LeftOut)
    late: bool = False
    ms: float = 0.0


#: Added to each number of ``mirror`` and ``levels`` to make it a printable character.
MIRROR_BASE = 0x20


class MarkupFacts(msgspec.Struct):
    """A document as HTML (``eye/html.js``): pieces, and between them the keys of frame elements written elsewhere.

    Each key stands at the end of its element's start tag, before the ``>``.
    """

    gone: bool = False
    segments: list[str | int] = []
    cut: bool = False
    late: bool = False
    deep: int = 0


class Prepared(msgspec.Struct, rename="camel"):
    """Whether an element is fit to be acted on: ``point`` is where, ``why`` is why not."""

    ok: bool
    why: str = ""
    point: tuple[float, float] = (0.0, 0.0)
    box: tuple[int, int, int, int] = (0, 0, 0, 0)
    scrolled: bool = False
    by: int = 0
    by_text: str = ""
    tag: str = ""
    type: str = ""
    by_value: bool = False
    empty: bool = False
    #: Of what has the focus, where that takes text; 0 otherwise.
    key: int = 0
    #: For an editor that takes its keys in a field out of sight: that field.
    keys_in: int = 0


class ActionFacts(msgspec.Struct, rename="camel"):
    """What the page did while an action ran. ``reached``: 0 nothing was heard, 1 the element, 2 another one."""

    quiet: bool = True
    holds: bool | None = None
    #: A field that was to be cleared holds what it held, and the text beside it.
    kept: bool = False
    mutations: int = 0
    added: list[str] = []
    removed: list[str] = []
    #: What was added to regions that are announced: at once, and when there is time.
    alerts: list[str] = []
    statuses: list[str] = []
    reached: int = 0
    reached_by: int = 0
    reached_text: str = ""
    focus_moved: bool = False
    focused: int = 0
    #: The item that what has the focus points at as the present one (aria-activedescendant).
    active_changed: bool = False
    active: int = 0
    selection_changed: bool = False
    value_changed: bool = False
    value: str | None = None
    scrolled: bool = False
    url_changed: bool = False
    url: str = ""
    #: Whether what was pressed is a link that the browser saves by itself: the page hears nothing of that.
    fetches: bool = False
    #: The address of a link that was pressed so that the browser opens it in a tab of its own.
    opens: str = ""
    alive: bool = True


class Scrolled(msgspec.Struct):
    """What scrolling did: ``at`` is the new position, ``size`` the whole content, ``window`` what shows of it."""

    ok: bool
    why: str = ""
    moved: bool = False
    at: tuple[int, int] = (0, 0)
    size: tuple[int, int] = (0, 0)
    window: tuple[int, int] = (0, 0)


__all__ = [
    "MIRROR_BASE",
    "ActionFacts",
    "ElementRow",
    "Extra",
    "Fact",
    "FrameFact",
    "LeftOut",
    "LookFacts",
    "MarkupFacts",
    "Prepared",
    "Scrolled",
    "TextRow",
]
