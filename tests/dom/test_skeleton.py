"""The skeleton: what can be acted on, as HTML."""

from typing import Any

import pytest

from browserx.dom import SerializationOptions
from browserx.dom.html import Markup
from browserx.dom.serialize import serialize
from browserx.dom.skeleton import MAX_SKELETON_BYTES
from browserx.dom.tokens import count
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, field_, link, snapshot
from tests.dom.test_html import Read


def written(*inside: El | str, attributes: dict[int, dict[str, str]] | None = None, **options: Any) -> Markup:
    markup = serialize(snapshot(*inside), SerializationOptions(format="skeleton", **options), written=attributes)
    assert isinstance(markup, Markup)
    return markup


def test_only_what_can_be_acted_on_a_line_each() -> None:
    form = El("form", "F", inside=("Words", field_("Mail", extra={"value": "a@b", "attributes": {"type": "email"}})))
    assert written(form, link("Home", extra={"attributes": {"href": "/"}}), "More words").html.splitlines() == [
        '<input data-node-id="1" type="email" value="a@b" data-name="Mail">',
        '<a data-node-id="2" href="/">Home</a>',
    ]


def test_what_is_written_on_the_element_is_passed_on() -> None:
    attributes = {"id": "m", "name": "mail", "type": "text", "aria-label": "Mail", "data-cy": "mail-field", "href": ""}
    assert written(field_("Mail"), attributes={0: attributes}).html == (
        '<input data-node-id="1" id="m" name="mail" type="text" aria-label="Mail" data-cy="mail-field">'
    )


@pytest.mark.parametrize("evil", ['"><script>alert(1)</script>', "</a><img onerror=x>", "<!--", "--><b>"])
def test_a_page_cannot_write_tags(evil: str) -> None:
    html = written(
        link(evil, extra={"attributes": {"href": evil, "placeholder": evil}}),
        El("combobox", evil, Fact.NATIVE, tag="select", extra={"value": evil, "options": [evil, "b"]}),
        El("textbox", evil, Fact.NATIVE, tag="textarea", extra={"value": evil}),
        El("button", evil, tag=f"x{evil}", facts=Fact.NATIVE | Fact.NAMED_BY_CONTENT),
        attributes={0: {"id": evil, "role": evil}},
    ).html
    assert [tag for tag, _ in Read(html).tags] == ["a", "select", "option", "option", "textarea", "unknown-element"]
    assert len(html.splitlines()) == 4


def test_addresses_that_run_script_are_left_out() -> None:
    told = link("a", extra={"attributes": {"href": "javascript:a()"}})
    assert written(told).html == '<a data-node-id="1">a</a>'
    assert "javascript" not in written(told, attributes={0: {"href": " JavaScript:b()"}}).html


def test_protected_values_never_appear() -> None:
    """Whatever a look told by mistake."""
    secret = Fact.NATIVE | Fact.PROTECTED
    told = {"value": "hunter2", "filled": True, "options": ["hunter2"]}
    html = written(
        field_("Password", facts=secret, extra=told),
        El("textbox", "Code", secret, tag="textarea", extra=told),
        El("combobox", "Card", secret, tag="select", extra=told),
        El("textbox", "Pin", secret | Fact.EDITABLE, extra=told),
        attributes={0: {"value": "hunter2"}},
    ).html
    assert "hunter2" not in html
    assert html.count("data-node-id") == 4


def test_what_is_in_fields_is_their_value() -> None:
    country = El(
        "combobox",
        "Country",
        Fact.NATIVE,
        tag="select",
        extra={"value": "Kenya", "options": ["India", "Kenya"], "option_count": 2},
    )
    words = El("textbox", "Words", Fact.NATIVE, tag="textarea", extra={"value": "one\ntwo"})
    rich = El("textbox", "Rich", Fact.EDITABLE, extra={"value": "<b>"})
    assert written(country, words, rich).html.splitlines() == [
        '<select data-node-id="1" value="Kenya" data-name="Country"><option>India</option>'
        "<option selected>Kenya</option></select>",
        '<textarea data-node-id="2" data-name="Words">one two</textarea>',
        '<div data-node-id="3" data-name="Rich">&lt;b&gt;</div>',
    ]


def test_only_the_viewport_on_request() -> None:
    below = link("Below", seen=Fact.VISIBLE)
    assert "Below" in written(link("Here"), below).html
    assert "Below" not in written(link("Here"), below, viewport_only=True).html


def test_it_is_cut_between_elements_and_says_how_much() -> None:
    many = [button(f"Buy the tea number {n} “now”") for n in range(3000)]
    markup = written(*many, max_tokens=None)
    lines = markup.html.splitlines()
    assert len(markup.html.encode()) <= MAX_SKELETON_BYTES
    assert len(markup.html.encode()) > MAX_SKELETON_BYTES - 400
    assert markup.truncated
    assert lines[-1] == f"<!-- {3000 - len(lines) + 1} more elements left out -->"
    assert all(line.startswith("<button ") and line.endswith("</button>") for line in lines[:-1])


def test_the_budget_holds() -> None:
    many = [button(f"Buy the tea number {n}") for n in range(300)]
    markup = written(*many, max_tokens=1000)
    assert count(markup.html) <= 1000
    assert count(markup.html) > 900
    assert markup.truncated
    whole = written(*many, max_tokens=None)
    assert whole.html.count("<button") == 300
    assert (whole.truncated, whole.to_dict().get("truncated")) == (False, None)
