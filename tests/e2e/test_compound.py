"""What takes several steps and is one call: choosing in lists of any kind, dates, forms; and reading what is wanted."""

import pytest

from browserx import InvalidArgumentError, NodeNotFoundError, NotActionableError, Verdict
from tests.conftest import See
from tests.e2e.test_acting import find

MENU = """<button id=b aria-haspopup=listbox onclick="l.hidden = !l.hidden">Size</button>
    <ul id=l role=listbox hidden><li role=option tabindex=-1>Small</li><li role=option tabindex=-1>Large</li></ul>
    <output id=o></output><script>
    for (const li of l.children) li.onclick = () => { b.textContent = 'Size: ' + li.textContent; l.hidden = true; };</script>"""

AUTOCOMPLETE = """<input id=i role=combobox aria-label=City aria-expanded=false><div id=found></div><script>
    const cities = ['Rome', 'Oslo', 'Lima', 'Ottawa'];
    i.oninput = () => { found.innerHTML = cities.filter(c => i.value && c.toLowerCase().startsWith(i.value.toLowerCase()))
        .map(c => `<div role=option tabindex=-1>${c}</div>`).join('');
        for (const one of found.children) one.onclick = () => { i.value = one.textContent; found.innerHTML = ''; }; };</script>"""


async def test_a_choice_is_made_in_lists_of_any_kind(see: See) -> None:
    dom = await see(f"<select aria-label=Native><option>One<option>Two</select>{MENU}{AUTOCOMPLETE}")
    assert (await dom.choose(await find(dom, "Native"), "Two")).verdict is Verdict.CHANGED
    assert (await dom.choose(await find(dom, "Size"), "large")).success
    assert (await dom.choose(await find(dom, "City"), "Oslo")).success
    seen = await dom.observe(viewport_only=False)
    assert "Native = Two" in seen.text
    assert "Size: Large" in seen.text
    assert "City = Oslo" in seen.text


async def test_what_is_not_offered_is_not_chosen(see: See) -> None:
    dom = await see(f"{MENU}<button>Plain</button>")
    with pytest.raises(InvalidArgumentError, match="it offers: Small, Large"):
        await dom.choose(await find(dom, "Size"), "Huge")
    with pytest.raises(NotActionableError, match="no choices came"):
        await dom.choose(await find(dom, "Plain"), "Anything")


async def test_a_form_is_filled_in(see: See) -> None:
    dom = await see(f"""<input aria-label=Name><label><input type=checkbox> News</label>
        <select aria-label=Plan><option>Free<option>Paid</select>{MENU}<input type=date aria-label=Day>""")
    ids = {name: await find(dom, name) for name in ("Name", "News", "Plan", "Size", "Day")}
    done = await dom.fill_form({ids["Name"]: "Ada", ids["News"]: True, ids["Plan"]: "Paid", ids["Day"]: "2026-11-22"})
    assert done.success, done
    seen = await dom.observe(viewport_only=False)
    assert "Name = Ada" in seen.text
    assert "[x] News" in seen.text
    assert "Plan = Paid" in seen.text
    assert "2026-11-22" in seen.text


async def test_a_form_stops_at_the_first_field_that_does_not_take_its_value(see: See) -> None:
    dom = await see("<input aria-label=A><select aria-label=B><option>x</select><input aria-label=C>")
    a, b, c = [await find(dom, name) for name in (" A", " B", " C")]
    done = await dom.fill_form({a: "1", b: "no such", c: "3"})
    assert not done.success
    assert [field.node_id for field in done.fields] == [a, b]
    assert "it offers: x" in done.fields[1].error
    seen = await dom.observe()
    assert "textbox A = 1" in seen.text
    assert "textbox C\n" in seen.text
    with pytest.raises(InvalidArgumentError, match="no fields"):
        await dom.fill_form({})


CALENDAR = """<input id=i readonly aria-label=Departure><div id=c hidden></div><script>
    let at = new Date(2026, 7, 1);
    const names = 'January February March April May June July August September October November December'.split(' ');
    const draw = () => {
        const days = new Date(at.getFullYear(), at.getMonth() + 1, 0).getDate();
        c.innerHTML = `<button id=p>Previous month</button><b>${names[at.getMonth()]} ${at.getFullYear()}</b><button id=n>Next month</button>`
          + [...Array(days).keys()].map(d => `<button class=d>${d + 1}</button>`).join('');
        p.onclick = () => { at.setMonth(at.getMonth() - 1); draw(); };
        n.onclick = () => { at.setMonth(at.getMonth() + 1); draw(); };
        for (const d of c.querySelectorAll('.d')) d.onclick = () => {
            i.value = `${d.textContent}/${at.getMonth() + 1}/${at.getFullYear()}`; c.hidden = true; };
    };
    i.onclick = () => { draw(); c.hidden = false; };</script>"""


async def test_a_date_is_picked_in_a_field_by_typing_or_in_a_calendar(see: See) -> None:
    dom = await see(f"<input type=date aria-label=Native><input placeholder='dd.mm.yyyy' aria-label=Typed>{CALENDAR}")
    assert (await dom.pick_date(await find(dom, "Native"), "2026-11-05")).success
    assert (await dom.pick_date(await find(dom, "Typed"), "2026-11-05")).success
    assert (await dom.pick_date(await find(dom, "Departure"), "2026-11-05")).success
    assert (await dom.pick_date(await find(dom, "Departure"), "2026-06-29")).success
    seen = await dom.observe()
    assert "Native = 2026-11-05" in seen.text
    assert "Typed = 05.11.2026" in seen.text
    assert "Departure = 29/6/2026" in seen.text
    with pytest.raises(InvalidArgumentError, match="no date"):
        await dom.pick_date(await find(dom, "Native"), "tomorrow")


SHOP = """<h1>Order 17</h1><p>Total: 1.234,50 EUR</p><dl><dt>Status</dt><dd>Shipped</dd></dl>
    <table><tr><th>Item</th><th>Unit price</th></tr><tr><td>Tea</td><td>$4.50</td></tr><tr><td>Cup</td><td>$12</td></tr></table>
    <label>Name <input value="Ada"></label><button>Cancel order</button>"""


async def test_what_is_wanted_is_found_read_and_extracted(see: See) -> None:
    dom = await see(SHOP)
    first, *_ = await dom.find("order")
    assert (first.role, first.name, first.actionable) == ("button", "Cancel order", True)
    assert len(await dom.find(role="columnheader")) == 2
    assert "Total: 1.234,50 EUR" in await dom.read()
    assert await dom.extract() == [[{"Item": "Tea", "Unit price": "$4.50"}, {"Item": "Cup", "Unit price": "$12"}]]
    told = await dom.extract(
        {
            "type": "object",
            "properties": {
                "total": {"type": "number"},
                "status": {"type": "string"},
                "name": {"type": "string"},
                "coupon": {"type": "string"},
                "lines": {"type": "array", "items": {"properties": {"item": {}, "unit_price": {"type": "number"}}}},
            },
        }
    )
    assert told == {
        "total": 1234.5,
        "status": "Shipped",
        "name": "Ada",
        "coupon": None,
        "lines": [{"item": "Tea", "unit_price": 4.5}, {"item": "Cup", "unit_price": 12}],
    }
    with pytest.raises(InvalidArgumentError, match="text to find"):
        await dom.find()
    with pytest.raises(InvalidArgumentError, match="the schema"):
        await dom.extract({"type": "string"})
    with pytest.raises(NodeNotFoundError):
        await dom.read("999")


async def test_a_list_that_closes_and_keeps_its_value_has_not_taken_the_choice(see: See) -> None:
    dom = await see("""<div id=c role=combobox tabindex=0 aria-label=Country aria-expanded=false>France</div>
        <div id=l role=listbox hidden><div role=option tabindex=-1>France</div><div role=option tabindex=-1>Spain</div></div>
        <script>c.onclick = () => { l.hidden = false; };
        for (const one of l.children) one.onclick = () => { l.hidden = true; if (window.takes) c.textContent = one.textContent; };</script>""")
    country = await find(dom, "Country")
    result = await dom.choose(country, "Spain")
    assert not result.success
    assert result.error is not None
    assert "'Spain' was clicked, and element 1 still holds 'France'" in result.error.message
    await dom.tab.evaluate("window.takes = true")
    await dom.observe()
    assert (await dom.choose(country, "Spain")).success
    assert await dom.tab.evaluate("c.textContent") == "Spain"


async def test_nothing_is_typed_into_a_list_that_takes_no_text(see: See) -> None:
    dom = await see("""<input id=i role=combobox readonly aria-label=Plan aria-expanded=false value=Pro>
        <div id=l role=listbox hidden><div role=option tabindex=-1>Basic</div><div role=option tabindex=-1>Pro</div></div>
        <script>i.onclick = () => { l.hidden = false; };</script>""")
    with pytest.raises(InvalidArgumentError, match="it offers: Basic, Pro"):
        await dom.choose(await find(dom, "Plan"), "Gold")


COMMITTING = """<input id=i aria-label=Born {0}><button>Next page</button><script>
    window.taken = '';
    i.oninput = () => {{ i.value && i.hasAttribute('role') && i.setAttribute('aria-expanded', 'true'); }};
    i.onkeydown = (e) => {{ if (e.key === 'Enter' && i.hasAttribute('role')) {{ taken = i.value; i.setAttribute('aria-expanded', 'false'); }} }};
    i.onblur = () => {{ if (!i.hasAttribute('role')) taken = i.value; else if (!taken) i.value = ''; }};</script>"""


@pytest.mark.parametrize("kind", ["", "role=combobox aria-expanded=false"])
async def test_a_typed_date_is_handed_over_as_the_field_takes_it(see: See, kind: str) -> None:
    dom = await see(COMMITTING.format(kind))
    result = await dom.pick_date(await find(dom, "Born"), "2024-02-29")
    assert result.success
    assert result.verdict is Verdict.CHANGED
    assert await dom.tab.evaluate("taken") == "02/29/2024"


async def test_a_calendar_whose_days_say_their_month_is_turned_by_its_own_arrow(see: See) -> None:
    dom = await see("""<nav><button onclick="gone = 1">Next page</button></nav><div id=c></div><script>
        let at = new Date(2026, 10, 1); window.gone = 0; window.picked = '';
        const draw = () => {
            const whole = (d) => new Date(at.getFullYear(), at.getMonth(), d).toLocaleDateString('en-US', { dateStyle: 'full' });
            c.innerHTML = '<button id=n aria-label="Next month">&gt;</button>' + [...Array(28).keys()]
              .map(d => `<button class=d aria-label="${whole(d + 1)}">${d + 1}</button>`).join('');
            n.onclick = () => { at.setMonth(at.getMonth() + 1); draw(); };
            for (const d of c.querySelectorAll('.d')) d.onclick = () => { picked = d.getAttribute('aria-label'); };
        };
        draw();</script>""")
    assert (await dom.pick_date(await find(dom, "November 1"), "2027-01-14")).success
    assert await dom.tab.evaluate("[gone, picked]") == [0, "Thursday, January 14, 2027"]
