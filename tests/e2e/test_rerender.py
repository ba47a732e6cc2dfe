"""Ids on pages that are drawn anew: an element keeps its id, an equal one takes it over, nothing else ever gets it."""

import json
import random
from typing import Any

import pytest

from browserx import NotActionableError
from tests.conftest import See
from tests.web import Site

#: A list that can be drawn in several ways. ``data-uid`` says which thing a control stands for, ``serial`` which element
#: it is; the engine looks at neither.
LIST = """
<h1>People</h1> <button id=add>Add</button> <div id=app></div>
<script>
let items = [], serials = new WeakMap(), last = 0;
const serial = (el) => serials.get(el) ?? (serials.set(el, ++last), last);
const html = (it) => `${it.name} <button data-uid="${it.uid}-del">Delete</button>`
  + `<input aria-label="Note" data-uid="${it.uid}-note"><a href="/p/${it.name}" data-uid="${it.uid}-a">open</a>`;
const wrap = { ul: "li", div: "div", table: "tr" };
let kind = "ul";
function make(it) {
  const row = document.createElement(wrap[kind]);
  row.innerHTML = kind === "table" ? `<td>${html(it)}</td>` : html(it);
  return row;
}
function root() { return app.firstElementChild; }
function replaceAll(now) {
  items = now;
  app.innerHTML = `<${kind}>${now.map((it) => make(it).outerHTML).join("")}</${kind}>`;
}
function keyless(now) {  // as a framework without keys does it: the elements stay, what they say changes
  items = now;
  const rows = root().querySelectorAll(wrap[kind]);
  now.forEach((it, i) => {
    const cell = kind === "table" ? rows[i]?.firstElementChild : rows[i];
    if (!cell) return root().append(make(it));
    cell.firstChild.data = it.name + " ";
    const [del, note, open] = cell.querySelectorAll("[data-uid]");
    del.dataset.uid = it.uid + "-del"; note.dataset.uid = it.uid + "-note";
    open.dataset.uid = it.uid + "-a"; open.setAttribute("href", "/p/" + it.name);
  });
  for (let i = now.length; i < rows.length; i++) rows[i].remove();
}
function keyed(now) {
  const old = new Map([...root().querySelectorAll(wrap[kind])].map((row) => [row.querySelector("[data-uid]").dataset.uid, row]));
  items = now;
  root().replaceChildren(...now.map((it) => old.get(it.uid + "-del") ?? make(it)));
}
function witness() {
  return [...document.querySelectorAll("button,input,a")].map((el) => [serial(el), el.dataset.uid ?? el.id]);
}
</script>
"""


def edited(random_: random.Random, items: list[dict[str, Any]], names: list[str]) -> list[dict[str, Any]]:
    now = list(items)
    match random_.choice(("shuffle", "remove", "insert", "rename", "same", "twin")):
        case "shuffle":
            random_.shuffle(now)
        case "remove" if len(now) > 2:
            now.pop(random_.randrange(len(now)))
        case "insert":
            now.insert(random_.randrange(len(now) + 1), {"uid": f"u{random_.random()}", "name": random_.choice(names)})
        case "rename":
            now[random_.randrange(len(now))] = {"uid": f"u{random_.random()}", "name": random_.choice(names)}
        case "twin":  # one that cannot be told from another
            now.append({"uid": f"u{random_.random()}", "name": now[0]["name"]})
        case _:
            pass
    return now


@pytest.mark.parametrize("seed", range(6))
async def test_an_id_never_comes_to_mean_another_element(see: See, seed: int) -> None:
    """Random re-renders of every kind; whoever has an id twice is the same element, or stands for the same thing."""
    random_ = random.Random(seed)
    names = ["Ada", "Bob", "Cyd", "Dee", "Eve", "Fay", "Gus", "Hal"]
    dom = await see(LIST)
    items = [{"uid": f"u{i}", "name": names[i]} for i in range(4)]
    await dom.tab.evaluate(
        f"kind = {json.dumps(random_.choice(['ul', 'div', 'table']))}; replaceAll({json.dumps(items)})"
    )
    meant: dict[str, tuple[int, str]] = {}
    kept = 0
    for _ in range(15):
        ids = (await dom.observe()).ids
        witness = await dom.tab.evaluate("witness()")
        assert len(ids) == len(witness)
        for id_, (serial, uid) in zip(ids, witness, strict=True):
            if id_ in meant:
                assert serial == meant[id_][0] or uid == meant[id_][1], (id_, meant[id_], serial, uid)
                kept += serial != meant[id_][0]
            meant[id_] = (serial, uid)
        items = edited(random_, items, names)
        how = random_.choice(("replaceAll", "keyless", "keyed"))
        await dom.tab.evaluate(f"{how}({json.dumps(items)})")
    assert kept > 0  # it did happen that one took over from another


@pytest.mark.parametrize(
    "page",
    [
        "<h1>Form</h1><p>Your name <input aria-label=Name> <button>Save</button>",
        "<ul><li>Ada <button>Delete</button><li>Bob <button>Delete</button></ul>",
        "<table><tr><td>Ada<td><button>x</button><tr><td>Bob<td><button>x</button></table>",
        "<p>one <button>go</button> two <button>go</button> three",
        "<button>Only</button>",
        "<a href=/a>read more</a> <a href=/b>read more</a>",
    ],
)
async def test_a_page_drawn_anew_as_it_was_keeps_its_ids(see: See, page: str) -> None:
    dom = await see(page)
    before = (await dom.observe()).ids
    await dom.tab.evaluate("document.body.innerHTML = document.body.innerHTML; 0")
    assert (await dom.observe()).ids == before
    await dom.tab.evaluate("document.body.innerHTML = document.body.innerHTML; 0")
    assert (await dom.observe()).ids == before


@pytest.mark.parametrize(
    ("page", "change"),
    [
        ("<p>Ada <button>Delete</button>", "document.body.innerHTML = '<p>Bob <button>Remove</button>'"),
        # One of two that cannot be told apart.
        ("<button>x</button><button>x</button>", "document.body.innerHTML = '<button>x</button>'"),
        (
            "<ul><li>Ada <button>x</button><li>Ada <button>x</button></ul>",
            "document.querySelector('ul').innerHTML = '<li>Ada <button>x</button>'",
        ),
        # The same words elsewhere, beside others.
        (
            "<p>Draft <button>Send</button>",
            "document.body.innerHTML = '<div style=\"height:300px\"></div><p>Invoice <button>Send</button> now'",
        ),
        # The same list, and each thing has become another.
        (
            "<ul><li>Ada <button>x</button><li>Bob <button>x</button></ul>",
            "document.body.innerHTML = '<ul><li>Cyd <button>x</button><li>Dee <button>x</button></ul>'",
        ),
    ],
)
async def test_what_is_not_surely_the_same_gets_a_new_id(see: See, page: str, change: str) -> None:
    dom = await see(page)
    before = (await dom.observe()).ids
    await dom.tab.evaluate(f"{change}; 0")
    assert not set((await dom.observe()).ids) & set(before)


async def test_another_document_in_the_same_frame_takes_over_nothing(see: See, site: Site) -> None:
    same = site.page("<button>Inner</button>")
    dom = await see(f"<button>Outer</button><iframe src='{same}'></iframe>")
    outer, inner = (await dom.observe()).ids
    await dom.tab.evaluate(
        "new Promise((done) => { const f = document.querySelector('iframe'); f.onload = done; f.contentWindow.location.reload() })"
    )
    now = (await dom.observe()).ids
    assert now[0] == outer
    assert now[1] != inner


async def test_what_was_drawn_anew_can_be_acted_on_by_its_old_id(see: See) -> None:
    dom = await see("<p>Ada <button onclick='document.title = 1'>Greet</button>")
    (greet,) = (await dom.observe()).ids
    await dom.tab.evaluate("document.body.innerHTML = document.body.innerHTML; 0")
    assert (await dom.observe()).ids == [greet]
    assert (await dom.click(greet)).success
    assert await dom.tab.evaluate("document.title") == "1"


RENAMED = [
    # Called otherwise now.
    (
        "<button id=b>Delete Ada</button>",
        "b.textContent = 'Delete Bob'",
        'was called "Delete Ada" when it was seen, and is called "Delete Bob"',
    ),
    ("<button id=b aria-label=Ada>x</button>", "b.setAttribute('aria-label', 'Bob')", '"Bob" now'),
    # Called as before, in an item that says something else.
    (
        "<ul><li><span id=s>Ada</span> <button>Delete</button><li>Bob <button>Delete</button></ul>",
        "s.firstChild.data = 'Bob'",
        "what it belongs to has changed",
    ),
    (
        "<table><tr><td id=s>Ada<td><button>x</button></table>",
        "s.textContent = 'Bob'",
        "what it belongs to has changed",
    ),
    (
        "<div role=row><i id=s>Ada</i><button>x</button></div>",
        "s.replaceChildren('Bob')",
        "what it belongs to has changed",
    ),
]


@pytest.mark.parametrize(("page", "change", "words"), RENAMED)
async def test_what_became_another_thing_is_not_acted_on(see: See, page: str, change: str, words: str) -> None:
    dom = await see(page + "<script>addEventListener('click', () => document.title = 'clicked')</script>")
    ids = (await dom.observe()).ids
    await dom.tab.evaluate(f"{change}; 0")
    with pytest.raises(NotActionableError, match=words) as refused:
        await dom.click(ids[0])
    assert refused.value.reason == "changed"
    assert await dom.tab.evaluate("document.title") == "Test"
    assert (await dom.observe()).ids == ids
    assert (await dom.click(ids[0])).success


@pytest.mark.parametrize(
    "change",
    [
        "b.style.color = 'red'",
        "b.closest('li').className = 'hot'",
        "document.querySelector('p').textContent = 'elsewhere'",
        "b.before(document.createElement('i'))",
        "b.firstChild.data = b.firstChild.data",
    ],
)
async def test_other_changes_are_no_reason_to_refuse(see: See, change: str) -> None:
    dom = await see("<p>somewhere</p><ul><li>Ada <button id=b onclick='document.title = 1'>Delete</button></ul>")
    ids = (await dom.observe()).ids
    await dom.tab.evaluate(f"{change}; 0")
    assert (await dom.click(ids[0])).success
    assert await dom.tab.evaluate("document.title") == "1"


async def test_what_counts_down_is_still_itself(see: See) -> None:
    dom = await see(
        "<ul><li><i id=t>0</i> <button id=b>Skip in 9</button></ul><script>let n = 9;"
        "b.onclick = () => document.title = 'skipped'; var beats = 0;"
        "setInterval(() => { b.firstChild.data = 'Skip in ' + --n; t.textContent = n; beats++ }, 20)</script>"
    )
    await dom.observe()
    await dom.tab.evaluate(
        "new Promise((done) => { const i = setInterval(() => beats > 5 && (clearInterval(i), done()), 5) })"
    )
    (skip,) = (await dom.observe()).ids
    await dom.tab.evaluate(
        "new Promise((done) => { const b0 = beats; const i = setInterval(() => beats > b0 + 1 && (clearInterval(i), done()), 5) })"
    )
    assert (await dom.click(skip)).success
    assert await dom.tab.evaluate("document.title") == "skipped"
