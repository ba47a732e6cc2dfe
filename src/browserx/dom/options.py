"""What a reader may ask of a serialization, and what it gets when it does not."""

from typing import Any, Literal

import msgspec

from browserx.errors import InvalidArgumentError

Format = Literal["outline", "nodes", "page", "v3", "v2", "skeleton", "html"]
FORMATS: tuple[Format, ...] = ("outline", "nodes", "page", "v3", "v2", "skeleton", "html")

MAX_TOKENS = 4000
MAX_BYTES = 50_000
MAX_NODES = 1500
#: Of ``html``, when nothing is said, and at most.
MAX_CHARS = 50_000
MOST_CHARS = 200_000
MAX_TREE_DEPTH = 100
DEADLINE_MS = 10_000


class SerializationOptions(msgspec.Struct, frozen=True, kw_only=True):
    """How a page is written down.

    Args:
        format: ``outline`` (text for models), ``nodes``, ``page``, ``v3``, ``v2`` (JSON), ``skeleton`` or ``html``.
        viewport_only: only what is in the viewport, with counts of the rest.
        include_layout: boxes too.
        include_hidden: what nobody can see too, marked as such; of ``outline``, ``nodes`` and ``page``.
        scope: a node id: only its subtree.
        query: what to look for: only the parts of the page that are about it.
        diff_from: the id of an earlier snapshot: only what changed since the text of it (``outline``); all of it when
            that text is no longer known, or the change is no shorter.
        max_tokens: the budget, of all formats but ``html``; None for no limit of any kind (``skeleton`` keeps its own,
            100 KB).
        max_depth: deepest level written.
        max_chars: of ``html``, at most 200,000.
    """

    format: Format = "nodes"
    viewport_only: bool = False
    include_layout: bool = False
    include_hidden: bool = False
    scope: str | None = None
    query: str | None = None
    diff_from: str | None = None
    max_tokens: int | None = MAX_TOKENS
    max_depth: int = MAX_TREE_DEPTH
    max_chars: int = MAX_CHARS

    @classmethod
    def of(cls, **given: Any) -> "SerializationOptions":
        """Check what was given.

        Raises:
            InvalidArgumentError: an unknown option, or a value that makes no sense; names the option.
        """
        known = cls.__struct_fields__
        for name in given:
            if name not in known:
                raise InvalidArgumentError(f"there is no option {name!r}; the options are {', '.join(known)}")
        options = cls(**given)
        options.check()
        return options

    def check(self) -> None:
        """Raises InvalidArgumentError when a value makes no sense; names the option."""
        if self.format not in FORMATS:
            raise InvalidArgumentError(f"format {self.format!r} is unknown; it is one of {', '.join(FORMATS)}")
        if self.max_tokens is not None and (not isinstance(self.max_tokens, int) or self.max_tokens < 100):
            raise InvalidArgumentError("max_tokens is at least 100, or None for no limit")
        if self.query is not None and not self.query.strip():
            raise InvalidArgumentError("query says what to look for; leave it out for the whole page")
        if self.include_hidden and self.format not in ("outline", "nodes", "page"):
            raise InvalidArgumentError("include_hidden is for the formats outline, nodes and page")
        if self.diff_from is not None and self.format != "outline":
            raise InvalidArgumentError("diff_from is for the format outline")
        if not isinstance(self.max_depth, int) or self.max_depth < 1:
            raise InvalidArgumentError("max_depth is at least 1")
        if not isinstance(self.max_chars, int) or not 100 <= self.max_chars <= MOST_CHARS:
            raise InvalidArgumentError(f"max_chars is a number from 100 to {MOST_CHARS}")
