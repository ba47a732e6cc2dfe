"""Plain instructions on a page, to the calls they come to, through real turns."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browserx.agent.brain import Thinking
from browserx.agent.local import LocalPlanner
from browserx.agent.local.planner import decide
from browserx.agent.local.vocabulary import ENGLISH
from browserx.agent.turn import new_task
from browserx.semantic.request import TreeNode
from tests.agent.pages import Client, node, request, view

FORM = [
    node("1", "link", "Home", xy=(20, 10)),
    node("2", "inp", "Name", xy=(100, 50)),
    node("3", "inp", "Email address", xy=(100, 80)),
    node("4", "sel", "Colour", v="Blue", xy=(100, 110)),
    node("5", "chk", "Terms and Conditions", xy=(100, 140)),
    node("6", "rad", "Express", xy=(100, 170)),
    node("7", "date", "Departure", xy=(100, 200)),
    node("8", "btn", "Save", xy=(50, 230)),
    node("9", "btn", "Save draft", xy=(150, 230)),
    node("10", "btn", "Delete", xy=(50, 300)),
    node("11", "link", "Bob", xy=(150, 330)),
    node("12", "btn", "Delete", xy=(50, 330)),
    node("13", "tab", "Details", xy=(10, 400)),
    node("14", "txt", "Message", xy=(100, 430)),
    node("15", "inp", "Password", s="empty", xy=(100, 460)),
    node("16", "sld", "Volume", v="10", xy=(100, 490)),
    node("17", "btn", "Choose File", xy=(100, 520)),
    node("18", "inp", "Search products", xy=(100, 550)),
    node("19", "menu", "Copy link", xy=(100, 580)),
    node("20", "btn", "Log in", xy=(100, 610)),
]


def page(*nodes: TreeNode, **rest: Any) -> dict[str, Any]:
    return {"interactive_tree": list(nodes), "page_title": "Cart", **rest}


def run(query: str, *pages: dict[str, Any], **artifacts: str) -> Client:
    return Client(LocalPlanner(), query, *(pages or (page(*FORM),)), artifacts=artifacts)


@pytest.mark.parametrize(
    ("query", "calls"),
    [
        ("go to example.com", ['navigate("https://example.com")']),
        ("Open https://a.example/b?c=1,2", ['navigate("https://a.example/b?c=1,2")']),
        ("visit localhost:8000/x", ['navigate("http://localhost:8000/x")']),
        ("example.com", ['navigate("https://example.com")']),
        ("navigate to the page http://127.0.0.1:9/", ['navigate("http://127.0.0.1:9/")']),
        ("click Save", ["click(8)"]),
        ("Click on the Save button.", ["click(8)"]),
        ('press "Save draft"', ["click(9)"]),
        ("tap the Home link", ["click(1)"]),
        ("open Home", ["click(1)"]),
        ("please click the second Delete button", ["click(12)"]),
        ("click the last Delete", ["click(12)"]),
        ("click Delete in the row of Bob", ["click(12)"]),
        ("click the Delete button next to Bob", ["click(12)"]),
        ("click the button below Bob", ["click(17)"]),
        ("click button Save", ["click(8)"]),
        ("click element 9", ["click(9)"]),
        ("double-click Home", ["doubleClick(1)"]),
        ("right click on the Home link", ["rightClick(1)"]),
        ('type "Ann Lee" into Name', ['setValue(2, "Ann Lee")']),
        ("enter Ann in the Name field", ['setValue(2, "Ann")']),
        ('fill Name with "Ann, click Save"', ['setValue(2, "Ann, click Save")']),
        ('set Name to "x"', ['setValue(2, "x")']),
        ("Name: Ann", ['setValue(2, "Ann")']),
        ("Name: Ann\nEmail: a@b.example", ['setValue(2, "Ann")', 'setValue(3, "a@b.example")']),
        ("write hello world in the message", ['setValue(14, "hello world")']),
        (
            "fill in the form with name=Ann, email=ann@x.example and save",
            ['setValue(2, "Ann")', 'setValue(3, "ann@x.example and save")'],
        ),
        (
            'Enter the name "ann" and the password "pw" and click Log in',
            ['setValue(2, "ann")', 'setValue(15, "pw")', "click(20)"],
        ),
        ("clear the Name field", ['setValue(2, "")']),
        ("set Volume to 50", ['setValue(16, "50")']),
        ("set Colour to Red", ['select(4, "Red")']),
        ("choose Red from Colour", ['select(4, "Red")']),
        ('select "Dark Red" in the Colour dropdown', ['select(4, "Dark Red")']),
        ("pick Express", ["check(6)"]),
        ("choose Green", ['select(4, "Green")']),
        ("pick 5 March 2026 in Departure", ['pickDate(7, "2026-03-05")']),
        ("pick the date 12/24/2026", ['pickDate(7, "2026-12-24")']),
        ("set Departure to 2026-11-22", ['pickDate(7, "2026-11-22")']),
        ("tick Terms and Conditions", ["check(5)"]),
        ("check the box Terms and Conditions", ["check(5)"]),
        ("untick the Terms and Conditions checkbox", ["uncheck(5)"]),
        ("set Terms and Conditions to on", ["check(5)"]),
        ("press Enter", ['press("Enter")']),
        ("press Ctrl+A, then Escape", ['press("Control+A")', 'press("Escape")']),
        ("hit the down arrow 2 times", ['press("ArrowDown")', 'press("ArrowDown")']),
        ("press Delete", ['press("Delete")']),
        ("press Enter in the Name field", ["focus(2)", 'press("Enter")']),
        ("scroll down", ['scroll("down")']),
        ("scroll up", ['scroll("up")']),
        ("hover over Home", ["hover(1)"]),
        ("drag Bob to Home", ["drag(11, 1)"]),
        ("upload /tmp/a.pdf to Choose File", ['upload(17, ["/tmp/a.pdf"])']),
        ("upload a.pdf", ['upload(17, ["a.pdf"])']),
        ("wait 2 seconds", ["wait(2.0)"]),
        ('wait for "Done"', ['wait("Done")']),
        ('wait until "Loading" is gone', ['wait("Loading", true)']),
        ("wait until Loading disappears", ['wait("Loading", true)']),
        ("go back", ["back()"]),
        ("go forward, then reload", ["forward()", "reload()"]),
        ("refresh the page", ["reload()"]),
        ("switch to tab 2", ["switchTab(2)"]),
        ("switch to the Details tab", ["click(13)"]),
        ("open a new tab and go to example.com", ["newTab()", 'navigate("https://example.com")']),
        ("open example.com in a new tab", ['newTab("https://example.com")']),
        ("close the tab", ["closeTab()"]),
        ("accept the dialog", ['dialog("accept")']),
        ("dismiss the alert", ['dialog("dismiss")']),
        ('answer the prompt with "x"', ['dialog("accept", "x")']),
        ("type x in Name and submit", ['setValue(2, "x")', "submit(2)"]),
        ("search for space x", ['setValue(18, "space x")', "submit(18)"]),
        ('log in with name "a" and password "b"', ['setValue(2, "a")', 'setValue(15, "b")', "submit(15)"]),
        (
            "1. Type Ann into Name\n2. Tick Terms and Conditions\n3. Click Save",
            ['setValue(2, "Ann")', "check(5)", "click(8)"],
        ),
        ("1) click Home 2) click Save", ["click(1)", "click(8)"]),
        (
            "First click Home, then type Ann into Name; finally press Save.",
            ["click(1)", 'setValue(2, "Ann")', "click(8)"],
        ),
        ("Click Home. Click Save", ["click(1)", "click(8)"]),
        ("click Copy link", ["click(19)"]),
        (
            'type "Ann" into Name, "a@b.example" into Email and "Hi" into Message, then click Save',
            ['setValue(2, "Ann")', 'setValue(3, "a@b.example")', 'setValue(14, "Hi")', "click(8)"],
        ),
        ('enter the number "7" into the second field', ['setValue(3, "7")']),
        ("click Save 3 times", ["click(8)", "click(8)", "click(8)"]),
        ("click Home twice", ["click(1)", "click(1)"]),
        ('search for "tea" in Message', ['setValue(14, "tea")', "submit(14)"]),
        ('choose "Red" and "Green" in Colour', ['select(4, ["Red","Green"])']),
        ("choose A in Colour", ['select(4, "A")']),
        ("set Departure to 24 December 2026", ['pickDate(7, "2026-12-24")']),
    ],
)
async def test_instructions_and_their_calls(query: str, calls: list[str]) -> None:
    client = run(query)
    end = await client.run()
    assert client.calls == [*calls, "finish()"], end.data
    assert end.data.plan is not None
    assert {step.status for step in end.data.plan.steps} == {"completed"}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("make me a sandwich", "make me a sandwich"),
        ("click Save and make me a sandwich", "Save and make me a sandwich"),
        ("Click Save. Make me a sandwich.", "Make me a sandwich"),
        ("go to javascript:alert(1)", "javascript:alert(1)"),
        ("open file:///etc/passwd", "file:///etc/passwd"),
        ("pick 3/4/2026 in Departure", "3/4/2026"),
        ("???", "What is to be done?"),
    ],
)
async def test_what_is_not_understood_is_asked_before_anything_is_done(query: str, told: str) -> None:
    client = run(query)
    end = await client.run()
    assert end.data.status == "needs_user_input"
    assert told in (end.data.user_question or "")
    assert end.data.missing_information
    assert len(client.calls) == 1


async def test_what_fits_equally_well_is_named_and_the_answer_chooses() -> None:
    client = run("click Delete and click Save")
    asked = await client.run()
    assert asked.data.status == "needs_user_input"
    assert "10: btn 'Delete'" in (asked.data.user_question or "")
    assert "12: btn 'Delete'" in (asked.data.user_question or "")
    client.query = "the second one"
    await client.run()
    assert client.calls[1:] == ["click(12)", "click(8)", "finish()"]


@pytest.mark.parametrize(
    ("answer", "call"),
    [("10", "click(10)"), ("#12", "click(12)"), ("the one next to Bob", None), ("Save draft", "click(9)")],
)
async def test_an_answer_may_be_an_id_or_another_name(answer: str, call: str | None) -> None:
    client = run("click Delete")
    await client.run()
    client.query = answer
    await client.run()
    if call is not None:
        assert client.calls[1] == call


async def test_an_answer_may_leave_a_step_out_or_be_an_instruction() -> None:
    client = run("click Delete, then click Save")
    await client.run()
    client.query = "skip it"
    await client.run()
    assert client.calls[1:] == ["click(8)", "finish()"]
    client = run("make me a sandwich, then click Save")
    await client.run()
    client.query = "click Home"
    end = await client.run()
    assert client.calls[1:] == ["click(1)", "click(8)", "finish()"]
    assert end.data.plan is not None
    assert [step.description for step in end.data.plan.steps] == ["Click Home", "Click Save"]


async def test_a_step_that_failed_is_tried_once_more_and_then_the_task_has_failed() -> None:
    client = run("click Home, then click Save draft, then click Home")
    end = await client.run(True, False, False)
    assert client.calls == ["click(1)", "click(9)", "click(9)", "fail()"]
    assert end.data.status == "failed"
    assert "Step 2 of 3, click Save draft" in (end.data.answer or "")
    assert "it was False" in (end.data.answer or "")
    assert "Done before: click Home" in (end.data.answer or "")
    assert end.data.plan is not None
    assert [step.status for step in end.data.plan.steps] == ["completed", "failed", "pending"]


async def test_a_second_try_may_go_another_way() -> None:
    client = run("type x in Name and submit")
    await client.run(True, False)
    assert client.calls == ['setValue(2, "x")', "submit(2)", 'press("Enter")', "finish()"]


async def test_a_list_that_cannot_be_chosen_from_is_opened_and_clicked() -> None:
    opened = page(*FORM, node("30", "opt", "Red"))
    client = run("choose Red from Colour", page(*FORM), page(*FORM), opened)
    await client.run(False)
    assert client.calls == ['select(4, "Red")', "click(4)", "click(30)", "finish()"]


async def test_what_nobody_can_tell_is_said_in_the_end() -> None:
    client = run("hover over Home")
    end = await client.run(None)
    assert "Nothing tells whether this had an effect: hover over Home" in (end.data.answer or "")


async def test_what_is_out_of_view_is_scrolled_to() -> None:
    client = run(
        "click Imprint",
        page(*FORM, scroll_position="0%"),
        page(node("40", "link", "Jobs"), scroll_position="60%"),
        page(node("41", "link", "Imprint"), scroll_position="100%"),
    )
    await client.run()
    assert client.calls == ['scroll("down")', 'scroll("down")', "click(41)", "finish()"]


async def test_what_is_above_is_scrolled_to_as_well_and_what_does_not_move_is_left() -> None:
    client = run(
        "click Top",
        page(*FORM, scroll_position="100%"),
        page(node("40", "link", "Top"), scroll_position="0%"),
    )
    await client.run()
    assert client.calls == ['scroll("up")', "click(40)", "finish()"]
    client = run("click Nowhere", page(*FORM, scroll_position="0%"))
    end = await client.run()
    assert client.calls == ['scroll("down")', "fail()"]
    assert "Nowhere" in (end.data.answer or "")


async def test_a_box_is_scrolled_and_then_all_that_can_be_acted_on_is_asked_for() -> None:
    boxed = page(*FORM, scroll_position="100%", scrollable_containers=[{"id": "50", "depth": "0%", "hasMore": True}])
    skeleton = '<button data-node-id="77">Imprint</button><button>no id</button>'
    client = run("click Imprint", boxed, skeleton=skeleton)
    await client.run()
    assert client.calls[-2:] == ["click(77)", "finish()"]
    assert client.calls[:-2] == ['scroll("up")', *['scroll(50, "down")'] * 5]


async def test_what_covers_is_closed_first() -> None:
    covered = page(node("1", "btn", "Save", occ=True), node("2", "btn", "×"))
    client = run("click Save", covered, page(node("1", "btn", "Save")))
    await client.run()
    assert client.calls == ["click(2)", "click(1)", "finish()"]


async def test_scrolling_to_the_end_and_until_something_is_there() -> None:
    pages = [page(*FORM, scroll_position=at) for at in ("0%", "50%", "100%")]
    client = run("scroll to the end", *pages)
    await client.run()
    assert client.calls == ['scroll("down")', 'scroll("down")', "finish()"]
    client = run('scroll down until "Footer"', pages[0], page(node("1", "link", "Footer"), scroll_position="50%"))
    await client.run()
    assert client.calls == ['scroll("down")', "finish()"]
    client = run('scroll until "Footer"', pages[2], full="<p>nothing</p>")
    assert (await client.run()).data.status == "failed"


async def test_going_somewhere_expects_to_be_there() -> None:
    client = run("go to www.example.com")
    await client.turn()
    moved = await client.turn(url="https://other.example/", last_action_status="success")
    assert moved.data.verification is not None
    assert moved.data.verification.passed is False
    end = await client.turn(url="https://other.example/")
    assert end.data.action == "fail()"


HTML = """<title>t</title><h1>Orders</h1><p>Thanks, Ann.</p>
<table><tr><th>Item</th><th>Price</th><th>Count</th></tr><tr><td>Widget</td><td>9 EUR</td><td>2</td></tr>
<tr><td>Gadget</td><td>12 EUR</td><td>1</td></tr></table>
<p>Total: 30 EUR</p><dl><dt>Status</dt><dd>Shipped</dd></dl><div role="alert">No such ZIP code</div>
<h2>Delivery</h2><p>On Monday.</p><p>Order number <b>4711</b></p>"""


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("read the total", "30 EUR"),
        ("What is the price of Gadget?", "12 EUR"),
        ("tell me the count for Widget", "2"),
        ("what is the status", "Shipped"),
        ("read the delivery", "On Monday."),
        ("read the heading", "Orders"),
        ("read the headings", "Orders\nDelivery"),
        ("what is the error message?", "No such ZIP code"),
        ("get the order number", "Order number 4711"),
        ("what is the title", "Cart"),
        ("tell me the url", "https://shop.example/cart"),
        ("what is the value of Colour", "Blue"),
        ('make sure that "Shipped" is shown and read the total', "'Shipped' is on the page\n30 EUR"),
        ("read Total and tell me the status", "30 EUR\nShipped"),
    ],
)
async def test_reading(query: str, answer: str) -> None:
    end = await run(query, full=HTML).run()
    assert end.data.status == "completed", end.data
    assert end.data.answer == answer


@pytest.mark.parametrize("query", ["read the weather", 'verify that "Cancelled" is shown', 'ensure "Shipped" is gone'])
async def test_what_is_not_there_is_not_read(query: str) -> None:
    end = await run(query, full=HTML).run()
    assert end.data.status == "failed"
    assert end.data.action == "fail()"


async def test_the_row_of_a_text_that_cannot_be_acted_on_is_found_in_the_page() -> None:
    html = "".join(f"<tr><td>{name}</td><td><button>Edit</button></td></tr>" for name in ("Ann", "Bob", "Cy"))
    client = run(
        "click Edit in the row of Bob", page(*(node(i, "btn", "Edit") for i in "123")), full=f"<table>{html}</table>"
    )
    await client.run()
    assert client.calls == ["click(2)", "finish()"]


async def test_a_field_of_another_name_is_not_searched_with() -> None:
    client = run("search for x", page(node("1", "inp", "Name"), node("2", "btn", "Go")))
    assert (await client.run()).data.status in ("failed", "needs_user_input")
    client = run("search for x", page(node("1", "inp", ""), node("2", "btn", "Go")))
    await client.run()
    assert client.calls == ['setValue(1, "x")', "submit(1)", "finish()"]


async def test_a_secret_is_not_said() -> None:
    client = run('type "hunter2" into the password field')
    end = await client.run()
    assert "hunter2" not in (end.data.answer or "")
    assert end.data.plan is not None
    assert "hunter2" not in end.data.plan.steps[0].description


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_taken(query: str) -> None:
    if query:
        task = new_task(request(*FORM, query=query), "s")
        decided = decide(Thinking(task=task, view=view(*FORM)), ENGLISH)
        assert (decided.call is None) != (decided.needs is None)


_WORDS = st.sampled_from(
    [
        *(
            "click",
            "type",
            "into",
            '"',
            "'",
            ",",
            "and",
            "then",
            "the",
            "Save",
            "in the row of",
            "next to",
            "second",
            "last",
        ),
        *(
            "button",
            "press",
            "Enter",
            ":",
            "=",
            "with",
            "fill in",
            "form",
            "scroll",
            "until",
            "choose",
            "from",
            "\n",
            "1.",
        ),
        *(
            "wait",
            "read",
            "tab",
            "open",
            "upload",
            "to",
            "drag",
            "check",
            "example.com",
            "is gone",
            "search for",
            "#",
            "x",
        ),
        *(f"{verb} " for verbs in ENGLISH.verbs.values() for verb in verbs),
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_WORDS, min_size=1, max_size=12))
def test_any_words_of_instructions_are_taken(words: list[str]) -> None:
    task = new_task(request(*FORM, query=" ".join(words)), "s")
    decided = decide(Thinking(task=task, view=view(*FORM)), ENGLISH)
    assert (decided.call is None) != (decided.needs is None)


async def test_closing_a_dialog_is_a_button_of_the_page_or_an_answer_to_the_browser() -> None:
    of_page = run("close the dialog", page(node("1", "btn", "Save", occ=True), node("2", "btn", "×")))
    await of_page.run()
    assert of_page.calls == ["click(2)", "finish()"]
    of_browser = run("close the alert", page())
    await of_browser.run()
    assert of_browser.calls == ['dialog("dismiss")', "finish()"]


async def test_a_price_is_the_one_amount_of_money_there_is() -> None:
    end = await run("read the price", full="<h1>Tea</h1><p>Milk Oolong</p><p>€ 16.75</p>").run()
    assert end.data.answer == "€ 16.75"
    several = await run("read the price", full="<h1>Teas</h1><p>€ 16.75</p><p>€ 12.00</p>").run()
    assert several.data.status == "failed"


async def test_a_box_with_something_like_it_is_scrolled_before_the_page() -> None:
    box = {"scrollable_containers": [{"id": "9", "depth": "0%", "hasMore": True}], "scroll_position": "0%"}
    client = run("click User 40", page(node("9", "box"), node("1", "link", "User 1"), **box))
    await client.turn()
    assert client.calls == ['scroll(9, "down")']


async def test_of_texts_that_are_alike_the_one_counts_that_stands_nearest() -> None:
    told = "<p>Edit <b>Bob</b> now</p>" + "".join(
        f"<div><b>{name}</b><button>Edit</button></div>" for name in ("Ann", "Bob", "Cy")
    )
    client = run(
        "click Edit in the row of Bob", page(*(node(i, "btn", "Edit") for i in "123")), full=f"<main>{told}</main>"
    )
    await client.run()
    assert client.calls == ["click(2)", "finish()"]
