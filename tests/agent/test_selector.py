"""A selector fits its element and no other, or there is none."""

import pytest

from browserx.agent.selector import from_html, from_tree, selector_path
from tests.agent.pages import node, view


@pytest.mark.parametrize(
    ("html", "selector"),
    [
        ('<textarea name="q" data-node-id=1></textarea>', 'textarea[name="q"]'),
        ('<button data-testid="go" id=b data-node-id=1>', '[data-testid="go"]'),
        ('<button data-cy="go" data-node-id=1>', '[data-cy="go"]'),
        ('<button id="save" name=n data-node-id=1>', "#save"),
        ('<button id="1 a" data-node-id=1>', '[id="1 a"]'),
        ('<button aria-label="Save" data-node-id=1>', 'button[aria-label="Save"]'),
        ("<button data-testid=t data-node-id=1></button><i data-testid=t></i><b id=x></b>", None),
        ("<input name=a data-node-id=1><select name=a></select>", 'input[name="a"]'),
        ("<body><div><a href=1>x</a><a href=2 data-node-id=1>y</a></div>", "body > div > a:nth-of-type(2)"),
        (
            "<div id=box><p><button>x</button><button data-node-id=1>y</button></p></div>",
            "#box > p > button:nth-of-type(2)",
        ),
        ('<button id=":r1:" aria-label=A data-node-id=1>', 'button[aria-label="A"]'),
        ('<button id="ember12" aria-label=A data-node-id=1>', 'button[aria-label="A"]'),
        ('<button id="item-48213" aria-label=A data-node-id=1>', 'button[aria-label="A"]'),
        ('<button id="a1b2c3d4e5" aria-label=A data-node-id=1>', 'button[aria-label="A"]'),
        ('<button aria-label="say &quot;hi&quot; \\" data-node-id=1>', 'button[aria-label="say \\"hi\\" \\\\"]'),
        ("<button>other</button>", None),
    ],
)
def test_from_html(html: str, selector: str | None) -> None:
    assert from_html(html, "1") == selector


def test_a_shadow_root_is_pierced() -> None:
    html = """<x-app id=app><template shadowrootmode=open><y-box data-testid=in><template shadowrootmode=open>
    <button aria-label=Go data-node-id=1></button></template></y-box></template></x-app><button aria-label=Go></button>"""
    assert from_html(html, "1") == '#app >> [data-testid="in"] >> button[aria-label="Go"]'
    two = html.replace("<button aria-label=Go></button>", "<x-app id=app></x-app>")
    assert from_html(two, "1") is None


def test_a_skeleton_tells_nothing_of_structure() -> None:
    html = "<body><button data-node-id=1>x</button><button data-node-id=2>y</button>"
    assert from_html(html, "1", structure=False) is None
    assert from_html(html, "1") == "body > button:nth-of-type(1)"


@pytest.mark.parametrize(
    ("of", "selector"),
    [
        ("1", 'role=button[name="Save"]'),
        ("2", None),
        ("3", None),
        ("4", None),
        ("5", 'role=textbox[name="Say \\"hi\\""]'),
        ("6", None),
        ("7", None),
        ("8", 'role=link[name="Save"]'),
    ],
)
def test_from_a_tree(of: str, selector: str | None) -> None:
    page = view(
        node("1", "btn", "Save"),
        node("2", "btn", "Twice"),
        node("3", "btn", "Twice"),
        node("4", "btn", "A long name that was c…"),
        node("5", "inp", 'Say "hi"'),
        node("6", "el", "Card"),
        node("7", "inp", ""),
        node("8", "link", "Save"),
    )
    assert from_tree(page, of) == selector


def test_html_goes_before_the_tree() -> None:
    save = node("1", "btn", "Save")
    assert selector_path(view(save, dom="<button id=s data-node-id=1>Save"), "1") == "#s"
    assert selector_path(view(save, skeleton="<button data-node-id=1>Save"), "1") == 'role=button[name="Save"]'
    assert selector_path(view(save), "1") == 'role=button[name="Save"]'
    assert selector_path(view(save), "9") is None
    assert selector_path(view(save), None) is None


def test_a_number_counted_in_other_html_is_no_id() -> None:
    """The ids of the tree are the client's; the third button of the page need not be its 3."""
    html = "<button id=a>A</button><button id=b>B</button>"
    assert selector_path(view(node("1", "btn", "B"), dom=html), "1") == 'role=button[name="B"]'
    assert selector_path(view(node("2", "btn", "B"), dom=html), "2") == "#b"
    assert from_html("<button id=a>A</button><button id=b data-node-id=1>B</button>", "1") == "#b"
    assert from_html("<button id=a data-node-id=1>A</button><button id=b data-node-id=1>B</button>", "1") is None
