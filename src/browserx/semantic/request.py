"""What a client tells a backend of its page (SPEC 8 and 9)."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, SerializerFunctionWrapHandler, StringConstraints, model_serializer

from browserx.semantic.call import element_number
from browserx.semantic.conversation import Outcome
from browserx.semantic.wire import Wire

MAX_SKELETON_BYTES = 100_000
MAX_SCREENSHOT_BYTES = 2_000_000
MAX_SCREENSHOT_HASH = 256
MAX_DOM_CHARACTERS = 1_000_000
MAX_URL = 8192
MAX_QUERY = 20_000
_MAX_NODES = 20_000
_MAX_INT = 2**53

DomMode = Literal["semantic", "skeleton", "hybrid", "full"]
# Bounds stand with each kind of number, and lengths next to ``str``: there pydantic checks them itself. For a union, or
# around a validator of ours, it calls Python, and a tree has hundreds of both.
_BOUNDS = Field(ge=-(10**9), le=10**9)
Coordinate = Annotated[int, _BOUNDS] | Annotated[float, _BOUNDS]


def _as_text(given: Any) -> Any:
    return str(given) if isinstance(given, int) and not isinstance(given, bool) else given


#: An id of an element. A number is taken too.
NodeId = Annotated[str, StringConstraints(max_length=64), BeforeValidator(_as_text)]
Line = Annotated[str, StringConstraints(max_length=2000)]
Text = Annotated[str, StringConstraints(max_length=20_000)]
Url = Annotated[str, StringConstraints(min_length=1, max_length=MAX_URL)]
Identifier = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"^[\w.:-]+$")]


class ScrollState(Wire):
    """How far a box is scrolled ("25%"), and whether there is more below."""

    depth: Line
    h: bool = False


class TreeNode(Wire):
    """One element of an ``interactiveTree``: id, role, name, value, state, centre, box, scroll, occluded, frame."""

    i: NodeId = ""
    r: Line
    n: Line = ""
    v: Text | None = None
    s: Line | None = None
    xy: tuple[Coordinate, Coordinate] | None = None
    box: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    scr: ScrollState | None = None
    occ: bool = False
    f: Annotated[int, Field(ge=0, le=_MAX_INT)] = 0

    @model_serializer(mode="wrap")
    def _written(self, write: SerializerFunctionWrapHandler) -> dict[str, Any]:
        # There are many of them: what is as always is not told, and ids as the format ``v3`` has them.
        told = {name: value for name, value in write(self).items() if value or name in ("i", "r", "n")}
        return told | {"i": element_number(self.i)}


class Bounds(Wire):
    """In CSS px of the viewport."""

    x: Coordinate
    y: Coordinate
    width: Coordinate
    height: Coordinate


class SemanticNode(Wire):
    """One element with full keys (V2)."""

    id: NodeId = ""
    role: Line
    name: Line = ""
    value: Text | None = None
    state: Line | None = None
    type: Line | None = None
    placeholder: Line | None = None
    href: Annotated[str, StringConstraints(max_length=MAX_URL)] | None = None
    is_in_shadow: bool = False
    frame_id: Annotated[int, Field(ge=0, le=_MAX_INT)] = 0
    bounds: Bounds | None = None


class Viewport(Wire):
    """In CSS px."""

    width: Annotated[int | float, Field(ge=0, le=10**6)]
    height: Annotated[int | float, Field(ge=0, le=10**6)]


class ScrollableContainer(Wire):
    """A box with content of its own to scroll."""

    id: NodeId
    depth: Line
    has_more: bool = False


class LastActionError(Wire):
    """Why the last action was not done. ``element_id`` may be a number or, with a frame before it, text."""

    message: Text
    code: Line
    action: Line
    element_id: NodeId | None = None


class LastActionResult(Wire):
    """What the client saw of the last action."""

    success: bool
    actual_state: Text | None = None


class ClientObservations(Wire):
    """What the client witnessed of the last action."""

    did_network_occur: bool | None = None
    did_dom_mutate: bool | None = None
    did_url_change: bool | None = None


class ClientVerification(Wire):
    """Whether an element that was expected is there."""

    element_found: bool
    selector: Line | None = None
    url_changed: bool | None = None
    timestamp: Annotated[float, Field(ge=0, le=10**15)] | None = None


class InteractRequest(Wire):
    """``POST /api/agent/interact``. After the first call of a task ``task_id`` is needed.

    Some names are not camelCase: the contract has them so.
    """

    url: Url
    query: Annotated[str, StringConstraints(min_length=1, max_length=MAX_QUERY)]
    task_id: Identifier | None = None
    session_id: Identifier | None = None
    tab_id: Annotated[int, Field(ge=-_MAX_INT, le=_MAX_INT)] | None = None
    domain: Line | None = None
    title: Line | None = None

    dom_mode: DomMode | None = None
    interactive_tree: Annotated[list[TreeNode], Field(max_length=_MAX_NODES)] | None = None
    interactive_tree_hash: Annotated[str, StringConstraints(max_length=256)] | None = None
    semantic_nodes: Annotated[list[SemanticNode], Field(max_length=_MAX_NODES)] | None = None
    viewport: Viewport | None = None
    page_title: Line | None = None
    scroll_position: Line | None = None
    scrollable_containers: Annotated[list[ScrollableContainer], Field(max_length=1000)] | None = None
    recent_events: Annotated[list[Line], Field(max_length=1000)] | None = None
    has_errors: bool | None = None
    has_success: bool | None = None

    last_action_status: Outcome | None = None
    last_action_error: LastActionError | None = None
    last_action_result: LastActionResult | None = None
    previous_url: Annotated[str, StringConstraints(max_length=MAX_URL)] | None = None
    client_observations: ClientObservations | None = None
    client_verification: ClientVerification | None = None

    verification_passed: bool | None = Field(default=None, alias="verification_passed")
    verification_message: Text | None = Field(default=None, alias="verification_message")
    errors_detected: Annotated[list[Line], Field(max_length=100)] | None = Field(default=None, alias="errors_detected")
    success_messages: Annotated[list[Line], Field(max_length=100)] | None = Field(
        default=None, alias="success_messages"
    )

    dom_filtered: bool | None = Field(default=None, alias="dom_filtered")
    filter_reason: Line | None = Field(default=None, alias="filter_reason")
    original_node_count: Annotated[int, Field(ge=0, le=_MAX_INT)] | None = Field(
        default=None, alias="original_node_count"
    )
    token_reduction: Annotated[float, Field(ge=0, le=100)] | None = Field(default=None, alias="token_reduction")

    dom: Annotated[str, StringConstraints(max_length=MAX_DOM_CHARACTERS)] | None = None
    skeleton_dom: str | None = None
    screenshot: str | None = None
    screenshot_hash: str | None = None
