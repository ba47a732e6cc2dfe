"""HTML as text: nothing a page says gets out of where it is written."""

from html.parser import HTMLParser

import pytest

from browserx.dom.html import APART_CHARACTERS, Part, element, safe_address, stitch


class Read(HTMLParser):
    """What a parser makes of a text: tags with attributes, and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize(
    "evil",
    [
        '"><script>alert(1)</script>',
        "' onmouseover='alert(1)",
        "</button><img src=x onerror=alert(1)>",
        "-->",
        "&quot;&gt;<b>",
        "a\nb\r\x00c",
        "<!--",
    ],
)
def test_values_stay_in_their_attributes(evil: str) -> None:
    written = element("button", {"id": evil, "name": "ok"}, "")
    ((tag, attributes),) = Read(written).tags
    assert (tag, set(attributes)) == ("button", {"id", "name"})
    assert attributes["id"] == " ".join(evil.split())
    assert "\n" not in written


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("my-tag", "my-tag"),
        ('a"onload=x', "unknown-element"),
        ("x<script", "unknown-element"),
        ("", "unknown-element"),
        ("plaintext", "pre"),
    ],
)
def test_tags_are_only_names(given: str, written: str) -> None:
    assert element(given, {}, "x") == f"<{written}>x</{written}>"


def test_empty_attributes_and_void_elements() -> None:
    assert element("input", {"id": "", "name": "a"}, "never") == '<input name="a">'


@pytest.mark.parametrize(
    "address", ["javascript:x()", "JavaScript:x()", " java\nscript:x()", "\x01javascript\t:x", "vbscript:x"]
)
def test_addresses_that_run_script_are_no_addresses(address: str) -> None:
    assert safe_address(address) == ""


@pytest.mark.parametrize("address", ["/javascript:x", "https://a/?javascript:", "#javascript", "mailto:a@b", "x"])
def test_other_addresses_stay(address: str) -> None:
    assert safe_address(address) == address


TOP = Part(["<p>a</p><iframe", 1, "</iframe><iframe", 2, "</iframe>"], {1: "A", 2: "B"})


def test_frames_are_put_where_they_are() -> None:
    parts = {"T": TOP, "A": Part(["<i>", "x</i>"], {}), "B": Part(["<iframe", 7, "</iframe>"], {7: "C"})}
    parts["C"] = Part(["deep"], {})
    assert stitch("T", parts, {}) == ("<p>a</p><iframe><i>x</i></iframe><iframe><iframe>deep</iframe></iframe>")


def test_a_frame_that_is_missing_says_why() -> None:
    html = stitch("T", {"T": TOP}, {"A": 'was "busy" <b>'})
    assert Read(html).tags[1:] == [
        ("iframe", {"data-unreadable": 'was "busy" <b>'}),
        ("iframe", {"data-unreadable": "not loaded yet"}),
    ]


def test_a_reason_takes_no_more_than_was_kept_free_for_it() -> None:
    part = Part(["<iframe", 1, "</iframe>"], {1: "A"})
    html = stitch("T", {"T": part}, {"A": "w" * 500})
    assert len(html) == part.size == len("<iframe</iframe>") + APART_CHARACTERS


def test_what_a_part_writes_is_never_read_again() -> None:
    text = Part(["<p>1 {1} data-unreadable <iframe</p>"], {})
    assert stitch("T", {"T": text}, {}) == "<p>1 {1} data-unreadable <iframe</p>"


def test_a_frame_in_itself_ends() -> None:
    part = Part(["<iframe", 1, "</iframe>"], {1: "T"})
    assert stitch("T", {"T": part}, {}) == '<iframe data-unreadable="not loaded yet"></iframe>'
