"""What a reader may ask of a look: what it is about, what changed since, and what nobody can see."""

import pytest

from browserx import DOMTool, InvalidArgumentError, Observation, SerializationOptions, SerializedDom
from tests.conftest import See

SHOP = "<h1>Shop</h1>" + "".join(
    f"<h2>{name}</h2><p>{text}</p><button>Buy {name}</button>" + "<p>more words of no interest</p>" * 9
    for name, text in {
        "Kettle": "Boils water in a minute.",
        "Teapot": "Costs of delivery are 5 euros.",
        "Cup": "Holds a quarter of a litre.",
    }.items()
)


def inner(seen: Observation) -> list[str]:
    return seen.text.splitlines()[2:-1]


async def test_only_what_a_query_is_about(see: See) -> None:
    dom = await see(SHOP)
    seen = await dom.observe(query="delivery costs")
    told = inner(seen)
    assert "Costs of delivery are 5 euros." in told
    assert "# Shop" in told
    assert "## Teapot" in told
    assert not any("Boils" in line for line in told)
    assert seen.ids == ["2"]
    assert seen.omitted.budget > 0
    # It looks at the whole page, and what it names can be acted on.
    assert (await dom.click("2")).success


async def test_a_query_in_every_format(see: See) -> None:
    dom = await see(SHOP)
    nodes = await dom.get_serialized_dom(SerializationOptions(format="nodes", query="delivery costs"))
    assert isinstance(nodes, SerializedDom)
    assert nodes.node_count < 20
    for format_ in ("v2", "skeleton"):
        written = await dom.get_serialized_dom(SerializationOptions(format=format_, query="delivery costs"))
        text = str(written.to_dict())
        assert "Buy Teapot" in text
        assert "Buy Cup" not in text


async def test_only_what_changed_since(see: See) -> None:
    dom = await see(SHOP + "<button id=b>Last</button>")
    before = await dom.observe()
    same = await dom.observe(diff_from=before.snapshot_id)
    assert inner(same)[0] == "= no change"
    assert same.text.startswith(f"<page {dom.nonce} since {before.snapshot_id}> ")
    assert same.ids == before.ids
    await dom.tab.evaluate(
        "document.querySelector('button').textContent = 'Sold'; document.querySelector('p').remove(); 0"
    )
    changed = await dom.observe(diff_from=before.snapshot_id)
    assert "~ 1 button Sold" in [line.replace("  ", " ") for line in inner(changed)]
    assert any(line.startswith("- ") and "Boils" in line for line in inner(changed))
    assert changed.tokens < before.tokens / 2


async def test_the_whole_text_where_the_change_says_too_little(see: See) -> None:
    dom = await see(SHOP)
    whole = inner(await dom.observe())
    assert inner(await dom.observe(diff_from="s99")) == whole
    other = await dom.observe(viewport_only=False)
    assert inner(await dom.observe(diff_from=other.snapshot_id)) == whole
    before = await dom.observe()
    await dom.tab.evaluate("document.body.innerHTML = '<h1>Other</h1><button>Else</button>'; 0")
    assert inner(await dom.observe(diff_from=before.snapshot_id)) == ["# Other", "4 button Else"]


async def test_what_nobody_can_see_is_told_only_when_asked_for_and_as_such(see: See) -> None:
    dom = await see("""
        <h1>Shown</h1><button>Seen</button>
        <div style="display:none"><p>None of it</p><button>In none</button></div>
        <div style="visibility:hidden">Invisible <a href=/x>link</a></div><p style="opacity:0">Clear</p>
        <details><summary>More</summary>Folded <input aria-label=Field value=v></details>
        <div style="content-visibility:hidden">Locked</div><p hidden>Attribute</p><p inert>Inert</p>
        <input type=hidden value=secret><script>"code"</script><style>p{}</style>
    """)
    options = SerializationOptions(format="outline", include_hidden=True)
    seen = await dom.get_serialized_dom(options)
    assert isinstance(seen, Observation)
    told = [line.strip() for line in inner(seen)]
    assert told[:2] == ["# Shown", "1 button Seen"]
    for words in ("None of it", "Invisible", "Clear", "Folded", "Locked", "Attribute", "Inert"):
        assert any(line.startswith("(hidden)") and words in line for line in told), words
    for words in ("button In none (hidden)", "link link (hidden)", "textbox Field = v (hidden)"):
        assert any(words in line for line in told), words
    assert not any("secret" in line or "code" in line or "p{}" in line for line in told)
    assert len(seen.ids) == 2
    assert all(node.visible for node in (await dom.get_snapshot()).interactive())

    plain = await dom.get_serialized_dom(SerializationOptions(format="outline"))
    assert isinstance(plain, Observation)
    assert not any("idden" in line or "Folded" in line for line in inner(plain))
    nodes = await dom.get_serialized_dom(SerializationOptions(include_hidden=True))
    assert isinstance(nodes, SerializedDom)
    assert sum(node.hidden for node in nodes.nodes) >= 7


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"query": " "}, "query says what to look for"),
        ({"format": "v3", "include_hidden": True}, "include_hidden is for"),
        ({"format": "nodes", "diff_from": "s1"}, "diff_from is for"),
    ],
)
async def test_what_makes_no_sense_is_said(see: See, options: dict[str, object], words: str) -> None:
    dom = await see("x")
    with pytest.raises(InvalidArgumentError, match=words):
        await dom.get_serialized_dom(SerializationOptions(**options))  # type: ignore[arg-type]


async def test_the_tool_asks_the_same(see: See) -> None:
    dom = await see(SHOP)
    tool = DOMTool(dom.tab.browser)

    async def look(**options: object) -> dict[str, object]:
        answer = await tool.execute({"action": "get_dom", "tabId": dom.tab.id, "options": options})
        assert answer.success, answer
        return answer.data  # type: ignore[no-any-return]

    first = await look()
    assert "= no change" in str((await look(diffFrom=first["snapshotId"]))["text"])
    assert (await look(query="delivery costs"))["ids"] == ["2"]
    assert "Shop" in str((await look(includeHidden=True))["text"])
