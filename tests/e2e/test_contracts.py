"""The founding contracts 1 to 8 between the tool and the service, as the specification amends them, in a real browser."""

import asyncio
from datetime import datetime

import pytest

from browserx import (
    AlreadyAttachedError,
    AttachError,
    BrowserContext,
    DomService,
    DOMTool,
    NodeNotFoundError,
    NoSnapshotError,
    NotAttachedError,
    SerializationOptions,
    SerializedDom,
    SerializedNode,
    ServiceConfig,
    TabClosedError,
)
from tests.conftest import See
from tests.web import Site

SHOP = """<nav><a href=/a>Home</a></nav><main><h1>Shop</h1><p>Words</p>
<form aria-label=Order><input aria-label=Name><button>Buy</button></form><div onclick="1">Details</div></main>"""


def every(nodes: list[SerializedNode] | None) -> list[SerializedNode]:
    return [one for node in nodes or [] for one in (node, *every(node.children))]


class TestContract1SnapshotRetrieval:
    async def test_the_shape(self, see: See) -> None:
        dom = await (await see(SHOP)).get_serialized_dom()
        assert isinstance(dom, SerializedDom)
        assert dom.url.startswith("http://localhost:")
        assert dom.title == "Test"
        assert datetime.fromisoformat(dom.timestamp).tzinfo is not None
        assert dom.total_interactive_elements == 4
        assert dom.node_count == len(every(dom.nodes))
        assert [frame.parent_id for frame in dom.frames] == [None]

    async def test_it_has_every_interactive_element_of_both_tiers(self, see: See) -> None:
        dom = await see(SHOP)
        written = await dom.get_serialized_dom()
        assert isinstance(written, SerializedDom)
        names = {node.name for node in every(written.nodes)}
        assert {"Home", "Name", "Buy", "Details"} <= names
        tiers = {node.name: node.tier.value for node in (await dom.get_snapshot()).interactive()}
        assert tiers == {"Home": "semantic", "Name": "semantic", "Buy": "semantic", "Details": "non_semantic"}

    async def test_it_is_cached_until_it_is_dead(self, see: See) -> None:
        dom = await see(SHOP)
        first = await dom.get_snapshot()
        assert await dom.get_snapshot() is first
        assert await dom.get_snapshot(force=True) is not first

    async def test_the_tree_is_no_deeper_than_configured(self, see: See) -> None:
        deep = (
            "<form aria-label=f>" * 1 + "".join(f"<section aria-label=s{n}>" for n in range(20)) + "<button>x</button>"
        )
        dom = await see(deep)
        written = await dom.get_serialized_dom(SerializationOptions(max_depth=5))
        assert isinstance(written, SerializedDom)

        def depth(nodes: list[SerializedNode] | None) -> int:
            return 1 + max(map(depth, (n.children for n in nodes))) if nodes else 0

        assert depth(written.nodes) == 5
        assert "x" in {node.name for node in every(written.nodes)}

    async def test_a_tab_that_is_gone(self, tool: DOMTool) -> None:
        response = await tool.execute({"action": "get_dom", "tabId": 99999})
        assert response.error is not None
        assert response.error.code == "TAB_NOT_FOUND"
        assert response.error.message.startswith("No tab with id 99999; open tabs: ")


class TestContract2Click:
    async def test_it_clicks_the_centre_and_kills_the_snapshot(self, see: See) -> None:
        dom = await see("<button style='position:absolute;left:100px;top:50px;width:80px;height:40px'>x</button>")
        (target,) = (await dom.observe()).ids
        result = await dom.click(target)
        assert result.visual_effect is not None
        assert (result.visual_effect.coordinates.x, result.visual_effect.coordinates.y) == (140, 70)
        assert result.snapshot_invalidated
        assert dom.current_snapshot is None

    async def test_also_a_failure_kills_the_snapshot(self, see: See) -> None:
        dom = await see("<button disabled>x</button>")
        await dom.observe()
        with pytest.raises(NodeNotFoundError):
            await dom.click("99")
        assert dom.current_snapshot is None

    async def test_it_needs_a_snapshot(self, see: See) -> None:
        dom = await see("<button>x</button>")
        with pytest.raises(NoSnapshotError):
            await dom.click("1")

    async def test_it_scrolls_to_what_is_below(self, see: See) -> None:
        dom = await see("<div style='height:3000px'></div><button onclick='window.hit = 1'>x</button>")
        (target,) = (await dom.observe(viewport_only=False)).ids
        assert (await dom.click(target)).success
        assert await dom.tab.evaluate("[window.hit, scrollY > 1000]") == [1, True]


class TestContract3Type:
    async def test_it_clears_and_inserts_exactly(self, see: See) -> None:
        dom = await see("<input id=i aria-label=n value=old>")
        await dom.type((await dom.observe()).ids[0], "  new text ")
        assert await dom.tab.evaluate("i.value") == "  new text "

    async def test_enter_only_when_the_text_ends_with_a_newline(self, see: See) -> None:
        dom = await see("<input id=i aria-label=n onkeydown='window.keys = (window.keys ?? []).concat(event.key)'>")
        await dom.type((await dom.observe()).ids[0], "abc")
        assert await dom.tab.evaluate("window.keys ?? []") == []
        await dom.type((await dom.observe()).ids[0], "def\n", clear=False)
        assert await dom.tab.evaluate("[i.value, window.keys]") == ["abcdef", ["Enter"]]


class TestContract4Keypress:
    @pytest.mark.parametrize(
        ("options", "flags"),
        [
            ({}, [False] * 4),
            ({"modifiers": {"ctrl": True}}, [True, False, False, False]),
            ({"modifiers": {"shift": True, "alt": True}}, [False, True, True, False]),
            ({"modifiers": {"meta": True}}, [False, False, False, True]),
        ],
    )
    async def test_both_halves_are_sent_with_the_right_modifiers(
        self, see: See, tool: DOMTool, options: dict[str, object], flags: list[bool]
    ) -> None:
        dom = await see("""<p>x</p><script>window.got = []; for (const t of ["keydown", "keyup"]) addEventListener(t, e =>
            got.push([t, e.key, e.code, e.ctrlKey, e.shiftKey, e.altKey, e.metaKey, e.isTrusted]))</script>""")
        response = await tool.execute({"action": "keypress", "tabId": dom.tab.id, "key": "F2", "options": options})
        assert response.success, response
        assert await dom.tab.evaluate("got") == [
            ["keydown", "F2", "F2", *flags, True],
            ["keyup", "F2", "F2", *flags, True],
        ]

    async def test_it_kills_the_snapshot(self, see: See) -> None:
        dom = await see("<p>x</p>")
        await dom.observe()
        await dom.keypress("Tab")
        assert dom.current_snapshot is None


class TestContract5Lifecycle:
    async def test_one_service_a_tab(self, see: See) -> None:
        dom = await see("<p>x</p>")
        again = await asyncio.gather(*(DomService.for_tab(dom.tab) for _ in range(3)))
        assert all(one is dom for one in again)

    async def test_detaching_frees_everything_and_removes_it(self, see: See) -> None:
        dom = await see("<p>x</p>")
        await dom.observe()
        await dom.detach()
        assert dom.current_snapshot is None
        assert dom.tab.attachment is None
        with pytest.raises(NotAttachedError):
            await dom.observe()
        assert await DomService.for_tab(dom.tab) is not dom

    async def test_a_new_document_drops_the_snapshot_at_once(self, see: See, site: Site) -> None:
        dom = await see("<p>x</p>")
        await dom.observe()
        await dom.tab.goto(site.page("<p>y</p>"))
        assert dom.current_snapshot is None

    async def test_attaching_is_tried_again_with_growing_pauses(
        self, context: BrowserContext, site: Site, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("browserx.page.sight._BACKOFF_FROM_S", 0.001)
        tab = await context.new_tab(site.page("<p>x</p>"))
        await tab.detach()
        tries: list[int] = []
        attach = tab.attach

        async def fail_twice() -> object:
            tries.append(1)
            if len(tries) <= 2:
                raise AttachError("not yet")
            return await attach()

        monkeypatch.setattr(tab, "attach", fail_twice)
        await DomService.for_tab(tab)
        assert len(tries) == 3

    @pytest.mark.parametrize(("error", "tries"), [(AttachError, 5), (AlreadyAttachedError, 1), (TabClosedError, 1)])
    async def test_some_failures_are_final_at_once(
        self,
        context: BrowserContext,
        site: Site,
        monkeypatch: pytest.MonkeyPatch,
        error: type[Exception],
        tries: int,
    ) -> None:
        monkeypatch.setattr("browserx.page.sight._BACKOFF_FROM_S", 0.001)
        tab = await context.new_tab(site.page("<p>x</p>"))
        await tab.detach()
        seen: list[int] = []

        async def fail() -> object:
            seen.append(1)
            raise error("no")

        monkeypatch.setattr(tab, "attach", fail)
        with pytest.raises(error):
            await DomService.for_tab(tab)
        assert len(seen) == tries


class TestContract6NodeIds:
    async def test_ids_are_unique_short_and_map_both_ways(self, see: See) -> None:
        dom = await see(SHOP)
        snapshot = await dom.get_snapshot()
        ids = [node.node_id for node in snapshot.interactive()]
        assert ids == ["1", "2", "3", "4"]
        for node_id in ids:
            backend = snapshot.get_backend_id(node_id)
            assert backend is not None
            assert snapshot.get_node_id(backend) == node_id

    @pytest.mark.parametrize("form", ["{}", "node_{}", int])
    async def test_the_tool_takes_three_forms(self, see: See, tool: DOMTool, form: object) -> None:
        dom = await see("<button onclick='window.hit = 1'>x</button>")
        node_id = (await dom.observe()).ids[0]
        given = int(node_id) if form is int else str(form).format(node_id)
        response = await tool.execute({"action": "click", "tabId": dom.tab.id, "nodeId": given})
        assert response.success, response
        assert await dom.tab.evaluate("window.hit") == 1


class TestContract7Staleness:
    async def test_an_old_snapshot_is_taken_anew_lazily(self, see: See) -> None:
        dom = await see(SHOP, config=ServiceConfig(max_age_s=0.05))
        first = await dom.get_snapshot()
        await asyncio.sleep(0.1)
        assert dom.current_snapshot is first
        assert await dom.get_snapshot() is not first

    async def test_a_page_that_changed_is_looked_at_anew(self, see: See) -> None:
        dom = await see(SHOP)
        first = await dom.get_snapshot()
        assert await dom.get_snapshot() is first
        await dom.tab.evaluate(
            "document.querySelector('h1').textContent = 'Changed'; new Promise(requestAnimationFrame)"
        )
        second = await dom.get_serialized_dom()
        assert isinstance(second, SerializedDom)
        assert "Changed" in {node.text for node in every(second.nodes)}

    async def test_acting_kills_it_however_fresh_it_is(self, see: See) -> None:
        dom = await see(SHOP)
        first = await dom.get_snapshot()
        await dom.click("3")
        assert await dom.get_snapshot() is not first

    async def test_age_alone_never_forbids_acting(self, see: See) -> None:
        dom = await see(SHOP, config=ServiceConfig(max_age_s=0.01))
        ids = (await dom.observe()).ids
        await asyncio.sleep(0.05)
        assert (await dom.click(ids[-1])).success


class TestContract8Errors:
    async def test_a_failure_says_what_where_and_how_long(self, see: See, tool: DOMTool) -> None:
        dom = await see("<button>x</button>")
        await dom.observe()
        response = await tool.execute({"action": "click", "tabId": dom.tab.id, "nodeId": "77"})
        told = response.to_dict()
        assert told["success"] is False
        assert "data" not in told
        assert told["error"]["code"] == "ELEMENT_NOT_FOUND"
        assert told["error"]["details"] == {"action": "click", "tabId": dom.tab.id}
        assert told["metadata"]["toolName"] == "browser_dom"
        assert told["metadata"]["tabId"] == dom.tab.id
        assert told["metadata"]["duration"] >= 0

    async def test_success_says_how_long_too(self, see: See, tool: DOMTool) -> None:
        dom = await see("<button>x</button>")
        told = (await tool.execute({"action": "get_dom", "tabId": dom.tab.id})).to_dict()
        assert told["success"] is True
        assert "error" not in told
        assert "1 button x" in told["data"]["text"]
        assert told["metadata"].keys() == {"duration", "toolName", "tabId"}
