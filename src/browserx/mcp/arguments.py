"""What each tool takes, and which ``DOMTool`` call that is."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from browserx.errors import InvalidArgumentError

Ref = Annotated[str | int, Meta(description="number of an element on the page")]
Expect = Annotated[str | UnsetType, Meta(description="text that should be there after: checked")]
Modifier = Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]

_HELD: dict[str, str] = {"Alt": "alt", "Control": "ctrl", "ControlOrMeta": "ctrl", "Meta": "meta", "Shift": "shift"}


class Arguments(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """The arguments of a tool. Fields that are not given are ``UNSET``.

    ``action`` is the ``DOMTool`` action they become. ``options`` holds, by field, the option of the action that the
    field needs, where it needs one: a field whose option is not there is not offered. ``shows_page`` says whether the
    client is told afterwards what changed on the page.
    """

    action: ClassVar[str]
    options: ClassVar[dict[str, str]] = {}
    shows_page: ClassVar[bool] = True

    def call(self) -> dict[str, Any]:
        """The ``DOMTool`` call, without its tab."""
        return _call(self.action, options=self._options())

    def files(self) -> list[str]:
        """What may be names of files to send."""
        return []

    def _options(self) -> dict[str, Any]:
        """The options whose fields were given."""
        given = {option: getattr(self, field) for field, option in self.options.items()}
        return {option: value for option, value in given.items() if value is not UNSET}


def _call(action: str, *, options: dict[str, Any] | None = None, **fields: Any) -> dict[str, Any]:
    told = {name: value for name, value in fields.items() if value is not UNSET}
    return {"action": action, **told, "options": options or {}}


def _expecting(text: str | UnsetType) -> dict[str, Any]:
    return {} if text is UNSET else {"expect": {"text": text}}


class OnElement(Arguments):
    """Arguments that name an element, and otherwise only options."""

    ref: Ref

    def call(self) -> dict[str, Any]:  # noqa: D102 - told above
        return _call(self.action, nodeId=self.ref, options=self._options())


class Navigate(Arguments):
    """Where to go."""

    action = "navigate"
    options: ClassVar[dict[str, str]] = {"url": "url"}
    url: str


class Back(Arguments):
    """Nothing to say."""

    action = "back"


class Forward(Arguments):
    """Nothing to say."""

    action = "forward"


class Reload(Arguments):
    """Nothing to say."""

    action = "reload"


class Snapshot(Arguments):
    """How to look."""

    action = "get_dom"
    options: ClassVar[dict[str, str]] = {
        "full_page": "fullPage",
        "ref": "scope",
        "query": "query",
        "max_tokens": "maxTokens",
    }
    full_page: bool | UnsetType = UNSET
    ref: Annotated[str | int | UnsetType, Meta(description="only inside this element")] = UNSET
    query: Annotated[str | UnsetType, Meta(description="only what is about this, anywhere on the page")] = UNSET
    max_tokens: Annotated[int, Meta(ge=100)] | UnsetType = UNSET


class Click(Arguments):
    """What to click, and how."""

    action = "click"
    ref: Ref
    double_click: bool = False
    button: Literal["left", "right", "middle"] = "left"
    modifiers: list[Modifier] = []
    expect: Expect = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        options: dict[str, Any] = {"button": self.button, "clickCount": 2 if self.double_click else 1}
        if self.modifiers:
            options["modifiers"] = {_HELD[modifier]: True for modifier in self.modifiers}
        options |= _expecting(self.expect)
        return _call("click", nodeId=self.ref, options=options)


class Type(Arguments):
    """What to type, and where."""

    action = "type"
    text: str
    ref: Annotated[str | int | UnsetType, Meta(description="without: what has the focus, at its caret")] = UNSET
    submit: Annotated[bool, Meta(description="press Enter after")] = False
    append: Annotated[bool, Meta(description="keep what is there")] = False
    slowly: Annotated[bool, Meta(description="key by key")] = False
    expect: Expect = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        text = self.text + "\n" if self.submit and not self.text.endswith("\n") else self.text
        options: dict[str, Any] = {"charByChar": self.slowly, **_expecting(self.expect)}
        if self.ref is not UNSET:
            options["clear"] = not self.append
        return _call("type", nodeId=self.ref, text=text, options=options)


class PressKey(Arguments):
    """Which key."""

    action = "keypress"
    key: Annotated[str, Meta(description="Enter, ArrowDown, a, Control+A")]
    expect: Expect = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("keypress", key=self.key, options=_expecting(self.expect))


class Hover(OnElement):
    """What to hover over."""

    action = "hover"


class SelectOption(Arguments):
    """Which options."""

    action = "select"
    ref: Ref
    values: Annotated[list[str], Meta(min_length=1, description="as they read")]

    def call(self) -> dict[str, Any]:  # noqa: D102
        if len(self.values) == 1:
            return _call("choose", nodeId=self.ref, text=self.values[0])
        return _call("select", nodeId=self.ref, options={"label": self.values})


class Check(OnElement):
    """What to check."""

    action = "check"


class Uncheck(OnElement):
    """What to uncheck."""

    action = "uncheck"


class PickDate(Arguments):
    """Which date, in which field."""

    action = "pick_date"
    ref: Ref
    date: Annotated[str, Meta(description="2026-11-22")]

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("pick_date", nodeId=self.ref, text=self.date)


class FormField(msgspec.Struct, forbid_unknown_fields=True):
    """One field of a form."""

    ref: str | int
    value: str | bool


class FillForm(Arguments):
    """All the fields."""

    action = "fill_form"
    fields: Annotated[list[FormField], Meta(min_length=1, description="value: text, option, or true/false")]

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("fill_form", options={"fields": {str(field.ref): field.value for field in self.fields}})

    def files(self) -> list[str]:  # noqa: D102
        return [field.value for field in self.fields if isinstance(field.value, str)]


class Drag(Arguments):
    """From where to where."""

    action = "drag"
    start_ref: Ref
    end_ref: Ref

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("drag", nodeId=self.start_ref, options={"to": self.end_ref})


class FileUpload(Arguments):
    """Which files, into which field."""

    action = "upload"
    ref: Ref
    paths: Annotated[list[str], Meta(min_length=1)]

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("upload", nodeId=self.ref, options={"files": self.paths})

    def files(self) -> list[str]:  # noqa: D102
        return self.paths


class Scroll(Arguments):
    """Where to scroll."""

    action = "scroll"
    options: ClassVar[dict[str, str]] = {"direction": "direction", "amount": "amount", "to": "to"}
    ref: Annotated[str | int | UnsetType, Meta(description="scroll the box it is in")] = UNSET
    direction: Literal["up", "down", "left", "right"] | UnsetType = UNSET
    amount: Annotated[float, Meta(gt=0, le=1000)] | UnsetType = UNSET
    to: Literal["start", "end"] | UnsetType = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("scroll", nodeId=self.ref, options=self._options())


class WaitFor(Arguments):
    """What to wait for."""

    action = "wait"
    options: ClassVar[dict[str, str]] = {"text_gone": "gone", "url": "url", "timeout": "timeoutMs"}
    text: str | UnsetType = UNSET
    text_gone: str | UnsetType = UNSET
    url: Annotated[str | UnsetType, Meta(description="part of it")] = UNSET
    timeout: Annotated[float, Meta(ge=0.1, le=120, description="seconds; 10")] | UnsetType = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        if self.text is UNSET and self.text_gone is UNSET and self.url is UNSET:
            raise InvalidArgumentError("say what to wait for: text, textGone or url")
        options = self._options()
        if "timeoutMs" in options:
            options["timeoutMs"] = round(options["timeoutMs"] * 1000)
        return _call("wait", text=self.text, options=options)


class Find(Arguments):
    """What to look for."""

    action = "find"
    options: ClassVar[dict[str, str]] = {"role": "role"}
    shows_page = False
    text: str | UnsetType = UNSET
    role: Annotated[str | UnsetType, Meta(description="like link")] = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("find", text=self.text, options=self._options())


class Read(Arguments):
    """What to read."""

    action = "read"
    shows_page = False
    ref: Annotated[str | int | UnsetType, Meta(description="only this element")] = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("read", nodeId=self.ref)


class Extract(Arguments):
    """In which shape, and from where."""

    action = "extract"
    options: ClassVar[dict[str, str]] = {"schema": "schema"}
    shows_page = False
    schema: Annotated[dict[str, Any] | UnsetType, Meta(description="JSON schema; tables without")] = UNSET
    ref: Annotated[str | int | UnsetType, Meta(description="only this element")] = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("extract", nodeId=self.ref, options=self._options())


class Evaluate(Arguments):
    """Which script."""

    action = "evaluate"
    options: ClassVar[dict[str, str]] = {"script": "script"}
    script: str


class Tabs(Arguments):
    """What to do with the tabs."""

    action = "tabs"
    what: Literal["list", "new", "select", "close"] = msgspec.field(name="action")
    tab: Annotated[int | UnsetType, Meta(description="its number")] = UNSET
    url: Annotated[str | UnsetType, Meta(description="for new")] = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        if self.what == "new":
            return _call("new_tab", options={} if self.url is UNSET else {"url": self.url})
        if self.what == "list":
            return _call("tabs")
        if self.what == "select" and self.tab is UNSET:
            raise InvalidArgumentError('select needs a tab; {"action": "list"} names them')
        return _call("switch_tab" if self.what == "select" else "close_tab", tabId=self.tab)


class HandleDialog(Arguments):
    """How to answer the dialog."""

    action = "dialog"
    accept: bool
    prompt_text: str | UnsetType = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("dialog", text=self.prompt_text, options={"accept": self.accept})


class TakeScreenshot(Arguments):
    """Which part."""

    action = "screenshot"
    options: ClassVar[dict[str, str]] = {"full_page": "fullPage", "annotated": "annotated"}
    shows_page = False
    ref: Annotated[str | int | UnsetType, Meta(description="only this element")] = UNSET
    full_page: bool | UnsetType = UNSET
    annotated: Annotated[bool | UnsetType, Meta(description="with refs on it")] = UNSET

    def call(self) -> dict[str, Any]:  # noqa: D102
        return _call("screenshot", nodeId=self.ref, options=self._options())


class SavePdf(Arguments):
    """What to call it."""

    action = "pdf"
    options: ClassVar[dict[str, str]] = {"filename": "file"}
    shows_page = False
    filename: str | UnsetType = UNSET


class Downloads(Arguments):
    """How long to wait for those under way."""

    action = "downloads"
    options: ClassVar[dict[str, str]] = {"wait": "waitS"}
    shows_page = False
    wait: Annotated[float, Meta(ge=0, le=300, description="seconds, for those under way")] | UnsetType = UNSET


class Resize(Arguments):
    """How large, or as what."""

    action = "emulate"
    options: ClassVar[dict[str, str]] = {"width": "width", "height": "height", "device": "device"}
    width: Annotated[int, Meta(ge=1, description="CSS px")] | UnsetType = UNSET
    height: Annotated[int, Meta(ge=1)] | UnsetType = UNSET
    device: Annotated[str | UnsetType, Meta(description="like iPhone 15")] = UNSET
