"""Selectors: an element is found again without its id, wherever it is, or not at all."""

import pytest

from browserx import DomService, InvalidArgumentError, NodeNotFoundError
from tests.conftest import See
from tests.e2e.test_acting import find
from tests.web import Site


async def again(dom: DomService, name: str) -> str:
    """The selector of the control called ``name``, which is proven to find it, and only it."""
    node_id = await find(dom, name)
    selector = await dom.selector(node_id)
    assert await dom.locate(selector) == node_id
    return selector


async def test_what_is_written_on_an_element_finds_it(see: See) -> None:
    dom = await see(
        "<button data-testid='save-it' id=x1>Save</button><button id=plain>Plain</button>"
        "<input name=q aria-label=Search><button aria-label='Say \"hi\"\\'>Greet</button>"
    )
    assert await again(dom, "Save") == '[data-testid="save-it"]'
    assert await again(dom, "Plain") == "#plain"
    assert await again(dom, "Search") == 'input[name="q"]'
    assert await again(dom, "Say") == 'button[aria-label="Say \\"hi\\"\\\\"]'


async def test_what_has_nothing_of_its_own_is_found_by_its_place(see: See) -> None:
    dom = await see(
        "<ul id=list><li><button>One</button></li><li><button>Two</button></li></ul>"
        "<div><div><button id=':r17:'>Made up</button></div></div>"
    )
    assert await again(dom, "Two") == "#list > li:nth-of-type(2) > button"
    assert ":r17:" not in await again(dom, "Made up")


@pytest.mark.parametrize("mode", ["open", "closed"])
async def test_shadow_roots_are_gone_into(see: See, mode: str) -> None:
    dom = await see(
        "<button id=go>Outside</button><my-box id=h></my-box><script>"
        f"h.attachShadow({{mode: '{mode}'}}).innerHTML = '<button id=go>Inside</button>'</script>"
    )
    assert await again(dom, "Inside") == "#h >> #go"
    assert await again(dom, "Outside") == "#go"


async def test_frames_are_gone_into(see: See, site: Site) -> None:
    site.page("<button id=go>Deep</button>", path="/deep")
    site.page(f"<iframe id=d src='{site.url('/deep')}'></iframe><button id=go>Middle</button>", path="/middle")
    dom = await see(
        f"<iframe id=m src='{site.other('/middle')}' width=700 height=500></iframe><button id=go>Top</button>"
    )
    assert await again(dom, "Deep") == "#m >> #d >> #go"
    assert await again(dom, "Middle") == "#m >> #go"
    site.page("<button id=go>Near</button>", path="/near")
    dom = await see("<iframe id=n src=/near></iframe><button>Top</button>")
    assert await again(dom, "Near") == "#n >> #go"


async def test_it_outlives_the_element(see: See) -> None:
    dom = await see("<div id=app><button data-testid=a>Old</button></div>")
    selector = await dom.selector(await find(dom, "Old"))
    await dom.tab.evaluate("app.innerHTML = '<p>x</p><button data-testid=a>Quite another</button>'")
    node_id = await dom.locate(selector)
    assert (await dom.get_attributes(node_id))["data-testid"] == "a"
    result = await dom.click(node_id)
    assert result.success


async def test_role_and_name_find_too(see: See) -> None:
    dom = await see("<button>Save</button><button>Save as</button><a href=#x>Save</a>")
    assert await dom.locate('role=button[name="Save"]') == await find(dom, "Save")
    with pytest.raises(NodeNotFoundError, match="2 elements fit"):
        await dom.locate("role=button")


async def test_several_or_none_are_no_answer(see: See) -> None:
    dom = await see("<button class=b>A</button><button class=b>B</button>")
    with pytest.raises(NodeNotFoundError, match="2 elements fit") as several:
        await dom.locate("button.b")
    assert len(several.value.nearest) == 2
    with pytest.raises(NodeNotFoundError, match="nothing on the page fits"):
        await dom.locate("#nowhere >> button")
    for wrong in ("button[", "", ">>", "a >> b["):
        with pytest.raises((InvalidArgumentError, NodeNotFoundError)):
            await dom.locate(wrong)
