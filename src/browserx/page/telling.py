"""Writing snapshots as text, and remembering what was told for a text that only tells what changed since."""

from typing import NamedTuple

from msgspec.structs import replace

from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.diff import Told
from browserx.dom.text import Outline, new_nonce, outline
from browserx.dom.tree import Classified
from browserx.page import describe
from browserx.page.observation import Observation

#: So many texts are remembered for those that only tell what changed.
_TEXTS_KEPT = 8


class _Written(NamedTuple):
    page: Classified
    options: SerializationOptions
    outline: Outline


class Teller:
    """The texts of one service. ``nonce`` stands in the fence around every page of it."""

    def __init__(self, max_nodes: int) -> None:
        self.nonce = new_nonce()
        self._max_nodes = max_nodes
        #: The last texts, by snapshot.
        self._texts: dict[str, _Written] = {}
        #: The last text, for a look that finds nothing changed.
        self._written: _Written | None = None

    def tell(self, snapshot: DomSnapshot, options: SerializationOptions, *, start: int) -> Observation:
        """Write a snapshot as text, and remember it for one that only tells what changed since."""
        last = self._written
        if last is None or last.page is not snapshot.page or last.options != options or options.diff_from is not None:
            written = outline(
                snapshot,
                options,
                nonce=self.nonce,
                start=start,
                max_nodes=self._max_nodes,
                before=self._earlier(options),
            )
            last = self._written = _Written(snapshot.page, options, written)
        if last.outline.is_comparable:
            self._texts.pop(snapshot.id, None)
            self._texts[snapshot.id] = last
            if len(self._texts) > _TEXTS_KEPT:
                del self._texts[next(iter(self._texts))]
        return describe.seen(snapshot, last.outline)

    def _earlier(self, options: SerializationOptions) -> list[Told] | None:
        """What the text told that this one is to tell the change from, if the same was asked for then."""
        before = self._texts.get(options.diff_from or "")
        same = before is not None and replace(before.options, diff_from=None) == replace(options, diff_from=None)
        return before.outline.told() if before is not None and same else None
