"""Plain instructions through the whole loop, over HTTP, a sample: ``scripts/campaign tasks`` works many more.

Each is done when the page, the shop or the answer says so, and every action was found to have done what it should.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from browserx import Browser
from browserx.agent.backends import HttpBackend
from browserx.agent.local import LocalPlanner
from browserx.cli.demo.shop import Shop
from tests.backend.served import serve
from tests.campaigns.miniwob.serve import TaskSite
from tests.campaigns.tasks import in_shop
from tests.campaigns.tasks.errand import Errand, Places, Witness, answer_is, at, both, page_says
from tests.campaigns.tasks.working import work

FORM = """<h1>Sign up</h1><form><label>Name <input id=name></label><label>Password <input type=password id=pw></label>
<label>Country <select id=country><option>France<option>Spain</select></label>
<label><input type=checkbox id=terms> Terms</label></form><button onclick="said.textContent = 'Welcome, ' +
document.getElementById('name').value">Join</button><p id=said role=status></p>"""
TABLE = """<h1>Stock</h1><table><tr><th></th><th><div>Tea</div></th><th><div>Price</div><div>in EUR</div></th></tr>
<tr><td></td><td><a href="#a">Assam</a></td><td>4.50</td></tr>
<tr><td></td><td><a href="#d">Darjeeling</a></td><td>7.20</td></tr></table>"""
ROWS = "".join(
    f"<li>{name} <button onclick=\"said.textContent='{name}'\">Edit</button></li>" for name in ("Ann", "Bob")
)
BOX = (
    "<div style='height:120px;overflow:auto;width:200px'>"
    + "".join(f"<p><a href='#p{i}'>Person {i}</a></p>" for i in range(40))
    + "</div>"
)
CLOSED = """<x-box></x-box><script>customElements.define("x-box", class extends HTMLElement {
  constructor() { super(); this.attachShadow({mode: "closed"}).innerHTML = "<button>Inside</button>";
    this.addEventListener("click", () => this.dataset.on = "yes"); } })</script>"""
FRAME = """<iframe srcdoc="<label>Comment <input></label><button onclick='this.textContent=&quot;Thanks&quot;'>Post</button>">
</iframe>"""
DIALOG = """<button onclick="d.showModal()">Open</button><dialog id=d>Sure?
<button onclick="d.close('x')">Close</button></dialog>"""
TWICE = "<button onclick='n.textContent++'>More</button><output id=n>0</output>"


def _own(name: str, body: str, query: str, witness: Witness) -> Errand:
    return Errand("own", name, at(lambda places: places.site.page(body, path=f"/{name}"), query), witness)


OWN = (
    _own(
        "form",
        FORM,
        'Type "Ann" into Name and "s3cret" into Password, choose Spain from Country, tick Terms and click Join',
        page_says(
            "[document.getElementById('name').value, pw.value, country.value, terms.checked, said.textContent]",
            ["Ann", "s3cret", "Spain", True, "Welcome, Ann"],
        ),
    ),
    _own("reading", TABLE, "Read the Price of Darjeeling", answer_is("7.20")),
    _own("heading", TABLE, "What is the heading?", answer_is("Stock")),
    _own(
        "rows", f"<ul>{ROWS}</ul><p id=said></p>", "Click Edit in the row of Bob", page_says("said.textContent", "Bob")
    ),
    _own("box", BOX, "Click Person 35", page_says("location.hash", "#p35")),
    _own("closed", CLOSED, "Click Inside", page_says("one('x-box').dataset.on", "yes")),
    _own(
        "frame",
        FRAME,
        'Type "Fine" into Comment and click Post',
        page_says("[one('input').value, one('button').textContent]", ["Fine", "Thanks"]),
    ),
    _own("dialog", DIALOG, "Click Open, then close the dialog", page_says("[d.open, d.returnValue]", [False, "x"])),
    _own(
        "below",
        '<div style="height:3000px"></div><button onclick="said=1">Deep down</button>',
        "Click Deep down",
        page_says("window.said", 1),
    ),
    _own("twice", TWICE, "Click More 3 times and read the text", both(page_says("n.textContent", "3"))),
)
SHOP = tuple(
    one
    for one in in_shop.ERRANDS
    if one.name in ("search with Enter, and read what was found", "a dialog, and a cell of a table")
    or one.name.startswith("a purchase")
)


@pytest.fixture(scope="module")
def places() -> Iterator[Places]:
    with Shop() as shop:
        site = TaskSite()
        yield Places(shop, site)
        site.close()


@pytest.fixture(scope="module")
async def backend(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[HttpBackend]:
    folder: Path = tmp_path_factory.mktemp("backend")
    async with serve(folder, LocalPlanner()) as served, served.backend() as client:
        yield client


@pytest.mark.parametrize("errand", [*OWN, *SHOP], ids=lambda errand: errand.name)
async def test_it_is_done_and_told_truly(
    browser: Browser, backend: HttpBackend, places: Places, errand: Errand
) -> None:
    worked = await work(errand, browser, backend, places)
    assert not worked.why
    assert worked.tally.failed == 0


async def test_what_is_not_done_is_told_as_that(browser: Browser, backend: HttpBackend, places: Places) -> None:
    missing = _own("missing", "<button>Dead</button>", "Click Buy", page_says("1", 1))
    worked = await work(missing, browser, backend, places)
    assert "no 'Buy' on the page" in worked.why
    # The witness counts, and not what is told.
    wrong = _own("wrong", TWICE, "Click More", page_says("n.textContent", "2"))
    assert "the page says '1'" in (await work(wrong, browser, backend, places)).why


def test_there_is_a_sample_of_the_shop() -> None:
    assert len(SHOP) == 3
