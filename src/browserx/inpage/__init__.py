"""The JavaScript that runs in pages, and the types of what it answers.

Knows JavaScript and its result types; does not know who runs it. The *eye* runs in an isolated world and tells facts;
the *reader* is the one audited script in the page's own world (what listens where). Both are plain files beside this
module, joined when first asked for.
"""

import secrets
from functools import cache
from pathlib import Path

#: Name of the isolated world the eye lives in.
WORLD = "browserx"

#: Called on the reader, with a closed shadow root: listen there too.
READ_ROOT = "function(root) { this(root); }"

#: Called by the eye, in its own world only: with nothing at the first change of the page after a look; with the number
#: of a look, a blank and some of its rows, while it is still looking.
BINDING = "browserxTell"

_EYE_PARTS = (
    "tables",
    "registry",
    "geometry",
    "names",
    "roles",
    "reader",
    "shown",
    "legible",
    "reach",
    "where",
    "walk",
    "look",
    "act",
    "control",
    "html",
    "watch",
    "still",
    "main",
)


@cache
def _ask() -> str:
    # The name of the event by which the eye asks the reader; random, so that no page can know it.
    return f"browserx-{secrets.token_hex(8)}"


@cache
def eye_source() -> str:
    """The eye, as one script to run in an isolated world of every document. Running it again does nothing."""
    folder = Path(__file__).with_name("eye")
    parts = "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in _EYE_PARTS)
    return f'if (!globalThis.__browserx) {{ (() => {{ "use strict";\n{parts}\n}})(); }}'.replace(
        "__BROWSERX_ASK__", _ask()
    )


@cache
def reader_source() -> str:
    """The reader, as one script to run once in a page's own world, with the command-line API switched on."""
    script = Path(__file__).with_name("reader.js")
    return script.read_text(encoding="utf-8").replace("__BROWSERX_ASK__", _ask())


__all__ = ["BINDING", "READ_ROOT", "WORLD", "eye_source", "reader_source"]
