"""What ``observe`` returns."""

from functools import cached_property
from typing import Any

import msgspec

from browserx.dom.text import Omitted
from browserx.dom.tokens import count


class DialogSeen(msgspec.Struct, frozen=True, rename="camel"):
    """A dialog that holds the page. ``kind`` is ``alert``, ``confirm``, ``prompt`` or ``beforeunload``."""

    kind: str
    text: str
    default_text: str = ""


class Observation(msgspec.Struct, frozen=True, dict=True, rename="camel", kw_only=True):
    """One look, as a reader gets it.

    Attributes:
        text: the page.
        ids: what the text offers to act on, in its order.
        snapshot_id: names the snapshot behind it; empty when the page could not be seen.
        url: where the tab is.
        title: of the page.
        tokens: an upper bound of what the text costs (o200k); counted when first asked for.
        omitted: how many nodes were left out, and why.
        continuation: the calls that get the rest.
        partial: whether something could not be read in time; the text says what.
        dialog: the dialog that holds the page, if one is open.
    """

    text: str
    ids: list[str]
    snapshot_id: str
    url: str
    title: str
    omitted: Omitted
    continuation: list[str]
    partial: bool = False
    dialog: DialogSeen | None = None

    @cached_property
    def tokens(self) -> int:  # noqa: D102 - told above
        return count(self.text)

    def to_dict(self) -> dict[str, Any]:
        """As plain JSON values, camelCase names."""
        return {**msgspec.to_builtins(self), "tokens": self.tokens}
