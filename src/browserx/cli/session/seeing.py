"""The commands that go somewhere and look at what is there."""

import argparse
import json
from typing import Any

from browserx.cli.session.command import Command, Given, Params, Tells, action, arg, node_id
from browserx.dom.options import FORMATS, MAX_CHARS, MAX_TOKENS, MOST_CHARS


def tokens(text: str) -> int | None:
    """A number of tokens, or ``none`` for no limit."""
    if text.lower() in ("none", "unlimited"):
        return None
    if not text.isdigit() or int(text) < 100:
        raise argparse.ArgumentTypeError(f"{text!r}: a budget is a number from 100 up, or none")
    return int(text)


def _size(text: str) -> dict[str, int]:
    width, _, height = text.partition("x")
    if not width.isdigit() or not height.isdigit():
        raise argparse.ArgumentTypeError(f"{text!r} is no size like 390x844")
    return {"width": int(width), "height": int(height)}


def _schema(text: str) -> dict[str, Any]:
    try:
        schema = json.loads(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"that is no JSON: {error}") from error
    if not isinstance(schema, dict):
        raise argparse.ArgumentTypeError("a schema is a JSON object")
    return schema


def _look(given: Given) -> Params:
    params = action(
        "get_dom",
        format=given.format,
        fullPage=given.full_page,
        scope=given.scope,
        query=given.query,
        includeHidden=given.hidden,
        includeLayout=given.layout,
        maxChars=given.max_chars,
    )
    params.setdefault("options", {})["maxTokens"] = given.max_tokens
    return params


_WHOLE = arg("--full-page", action="store_true", help="the whole page, not only what is in the viewport")
_INTO = "the file to write (default: %(default)s)"

GOING = (
    Command(
        "Going",
        "open",
        "open an address in the session's tab; begins the session",
        (
            "browserx open example.com",
            "browserx open localhost:8000 --session shop --headed",
            "browserx open example.com --headed --show-ids",
        ),
        (
            arg("url", metavar="URL", help="where to; https:// may be left out"),
            arg("--new-tab", action="store_true", help="in a tab of its own"),
            arg("--show-ids", action="store_true", help="from now on, draw the ids over the page, for you to see"),
        ),
        begins=True,
    ),
    Command("Going", "back", "go back", ("browserx back",), call=lambda given: action("back")),
    Command("Going", "forward", "go forward", ("browserx forward",), call=lambda given: action("forward")),
    Command("Going", "reload", "load the page anew", ("browserx reload",), call=lambda given: action("reload")),
    Command("Going", "tabs", "list the tabs; * is the one commands go to", ("browserx tabs",)),
    Command(
        "Going",
        "tab",
        "go on in another tab, open or close one",
        ("browserx tab 2", "browserx tab new example.com", "browserx tab close 2"),
        (
            arg("which", metavar="N|new|close", help="the number of a tab, or what to do"),
            arg("what", metavar="URL|N", nargs="?", help="what to open, or which to close (the present one)"),
        ),
    ),
    Command("Going", "close", "end the session, and its browser", ("browserx close", "browserx close -s shop")),
)
LOOKING = (
    Command(
        "Looking",
        "snapshot",
        "look at the page of the session; with an address: open it, look, and be gone",
        ("browserx snapshot", "browserx snapshot --full-page --max-tokens none", "browserx snapshot --scope 12"),
        (
            arg("--format", choices=FORMATS, help="outline (text, the default), nodes, page, v3, v2, skeleton, html"),
            arg(
                "--max-tokens",
                type=tokens,
                metavar="N",
                default=MAX_TOKENS,
                help="budget, or none (default: %(default)s)",
            ),
            arg("--max-chars", type=int, metavar="N", help=f"limit of html (default: {MAX_CHARS}; most: {MOST_CHARS})"),
            _WHOLE,
            arg("--scope", type=node_id, metavar="ID", help="only what is inside this node"),
            arg("--query", metavar="TEXT", help="only the parts of the whole page that are about this"),
            arg("--hidden", action="store_true", help="what nobody can see too"),
            arg("--layout", action="store_true", help="with boxes"),
        ),
        _look,
        Tells.ANSWER,
    ),
    Command(
        "Looking",
        "find",
        "find elements by their text or role",
        ('browserx find "Add to basket"', "browserx find --role button"),
        (
            arg("text", metavar="TEXT", nargs="?", help="what they say"),
            arg("--role", help="what they are, like button"),
            arg("--limit", type=int, metavar="N", help="so many at most (default: 20)"),
        ),
        lambda given: action("find", text=given.text, role=given.role, limit=given.limit),
        Tells.ANSWER,
    ),
    Command(
        "Looking",
        "read",
        "read the text of the page, or of an element",
        ("browserx read", "browserx read 12"),
        (arg("id", type=node_id, metavar="ID", nargs="?", help="of an element"),),
        lambda given: action("read", nodeId=given.id),
        Tells.ANSWER,
    ),
    Command(
        "Looking",
        "extract",
        "take data out of the page: its tables, or what a JSON schema asks for",
        ("browserx extract", "browserx extract --scope 12", """browserx extract --schema '{"type": "object"}'"""),
        (
            arg("--schema", type=_schema, metavar="JSON", help="the shape of the data, as a JSON schema"),
            arg("--scope", type=node_id, metavar="ID", help="only what is inside this node"),
        ),
        lambda given: action("extract", nodeId=given.scope, schema=given.schema),
        Tells.ANSWER,
    ),
    Command(
        "Looking",
        "screenshot",
        "save a picture of the page",
        ("browserx screenshot", "browserx screenshot page.png --full-page"),
        (
            arg("file", metavar="FILE", nargs="?", default="screenshot.png", help=_INTO),
            _WHOLE,
            arg("--id", type=node_id, metavar="ID", help="of this element alone"),
            arg("--annotated", action="store_true", help="with a box and the id on each control"),
        ),
        lambda given: action("screenshot", nodeId=given.id, fullPage=given.full_page, annotated=given.annotated),
        Tells.FILE,
    ),
    Command(
        "Looking",
        "pdf",
        "save the page as PDF",
        ("browserx pdf", "browserx pdf page.pdf"),
        (
            arg("file", metavar="FILE", nargs="?", default="page.pdf", help=_INTO),
            arg("--landscape", action="store_true", help="the long side at the top"),
            arg("--background", action="store_true", help="print backgrounds too"),
        ),
        tells=Tells.FILE,
    ),
)
INSIDE = (
    Command(
        "Looking inside",
        "eval",
        "run JavaScript in the page, and print its result as JSON",
        ("browserx eval document.title", "browserx eval < script.js"),
        (arg("script", metavar="JS", nargs="?", help="what to run; read from standard input when left out"),),
        tells=Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "storage",
        "read or change what the page's site keeps in the browser",
        ("browserx storage", "browserx storage theme dark", "browserx storage --kind session --clear"),
        (
            arg("key", metavar="KEY", nargs="?", help="only this one"),
            arg("value", metavar="VALUE", nargs="?", help="what to set it to"),
            arg("--kind", choices=("local", "session"), default="local", help="which (default: %(default)s)"),
            arg("--clear", action="store_true", help="remove KEY, or all"),
        ),
        tells=Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "cookies",
        "read or change the cookies that the page's address is sent",
        ("browserx cookies", "browserx cookies set theme dark", "browserx cookies clear", "browserx cookies --all"),
        (
            arg("what", choices=("list", "set", "clear"), nargs="?", default="list", help="what to do (default: list)"),
            arg("name", metavar="NAME", nargs="?", help="only this one"),
            arg("value", metavar="VALUE", nargs="?", help="what to set it to"),
            arg("--all", action="store_true", help="of all addresses"),
            arg("--domain", help="set, clear: for this domain, not the page's"),
            arg("--http-only", action="store_true", help="set: out of reach of scripts"),
            arg("--secure", action="store_true", help="set: for https only"),
        ),
        tells=Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "console",
        "what the page said to the console, and its script errors",
        ("browserx console", "browserx console --errors --json"),
        (
            arg("--errors", action="store_true", help="errors only"),
            arg("--limit", type=int, metavar="N", help="the newest only (default: 30)"),
        ),
        lambda given: action("console", errorsOnly=given.errors, limit=given.limit),
        Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "network",
        "which requests the page made, and how they were answered",
        ("browserx network", "browserx network --failed --limit 5"),
        (
            arg("--failed", action="store_true", help="only those without an answer, or with a status from 400"),
            arg("--limit", type=int, metavar="N", help="the newest only (default: 30)"),
        ),
        lambda given: action("network", failedOnly=given.failed, limit=given.limit),
        Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "downloads",
        "list what was downloaded, and where it is",
        ("browserx downloads", "browserx downloads --wait 60"),
        (arg("--wait", type=float, metavar="S", help="for those under way, so many seconds at most"),),
        lambda given: action("downloads", waitS=given.wait),
        Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "state",
        "save what makes the session logged in (cookies, localStorage), or bring it back",
        ("browserx state save login.json", "browserx state load login.json"),
        (
            arg("what", choices=("save", "load"), help="which of the two"),
            arg("file", metavar="FILE", help="in Playwright's format; only you can read it"),
        ),
        tells=Tells.ANSWER,
    ),
    Command(
        "Looking inside",
        "emulate",
        "behave like another device",
        ("browserx emulate --viewport 390x844",),
        (
            arg("--device", metavar="NAME", help="a known device"),
            arg("--viewport", type=_size, metavar="WxH", help="width and height in CSS px"),
            arg("--locale", help="like de-AT"),
            arg("--timezone", help="like Europe/Vienna"),
            arg("--clear", action="store_true", help="take back what was emulated before"),
            arg("--color-scheme", choices=("light", "dark"), help="which one pages should show"),
        ),
        lambda given: action(
            "emulate",
            device=given.device,
            clear=given.clear,
            **(given.viewport or {}),
            locale=given.locale,
            timezone=given.timezone,
            colorScheme=given.color_scheme,
        ),
    ),
)
