"""The JavaScript that runs in pages, and the types of what it answers.

Knows JavaScript and its result types; does not know who runs it. The *eye* runs in an isolated world and tells facts;
the *reader* is the one audited script in the page's own world (what listens where). Where a driver can do nothing but
evaluate script in the page's own world, the *content* script is the same eye with actions added. All are plain files
beside this module, joined when first asked for.
"""

import hashlib
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
    "selector",
    "watch",
    "still",
    "main",
)


#: Of the eye's parts, what the content engine has instead, and what it has besides.
_CONTENT_PARTS = (
    "content/start",
    *(f"content/{part}" if part == "reader" else f"eye/{part}" for part in _EYE_PARTS),
)
#: These stand in a scope of their own: what they call something is nothing to the eye.
_CONTENT_INNER_PARTS = (
    "content/look",
    "content/stamps",
    "content/pointer",
    "content/keyboard",
    "content/drag",
    "content/files",
    "content/main",
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


@cache
def _content_body() -> str:
    folder = Path(__file__).parent
    outer, inner = (
        "\n".join((folder / f"{part}.js").read_text(encoding="utf-8") for part in parts)
        for parts in (_CONTENT_PARTS, _CONTENT_INNER_PARTS)
    )
    # The eye's own table of questions, not for everybody here.
    return outer.replace("globalThis.__browserx ??= {", "const eye = {") + f"\n{{\n{inner}\n}}"


@cache
def content_holder() -> str:
    """The property of the page's own global object that holds the content script, as an expression.

    A symbol, so that nobody meets it by going through what there is; the same for all who run the same script.
    """
    return f'Symbol.for("browserx {hashlib.sha256(_content_body().encode()).hexdigest()[:16]}")'


@cache
def content_source() -> str:
    """The content script, as one expression to evaluate in a page's own world. Running it again does nothing.

    What it holds then answers questions: ``answer(world, name, arguments)``, a promise of one JSON string.
    """
    holder = content_holder()
    return (
        f'(() => {{ "use strict";\nconst HOLDER = {holder};\nif (globalThis[HOLDER]) return true;\n'
        f"{_content_body()}\nreturn true; }})()"
    )


__all__ = ["BINDING", "READ_ROOT", "WORLD", "content_holder", "content_source", "eye_source", "reader_source"]
