"""The snapshot: counts, ids both ways, and the complete mirror."""

from browserx.dom import DomSnapshot, Tier, VirtualNode
from browserx.dom.build import build
from browserx.dom.classify import classify
from browserx.dom.ids import IdRegistry
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, capture, link, look, page_capture, snapshot


def shape(node: VirtualNode) -> object:
    label = f"{node.tag} {node.name or node.text}".strip()
    return [label, *map(shape, node.children)] if node.children else label


def test_the_mirror_holds_every_node_under_its_parent() -> None:
    taken = snapshot(El("main", tag="main", inside=("words", El("", tag="p", inside=(link("a"),)), button("b"))))
    assert shape(taken.root) == ["#document Test", ["main words", ["p", "a a"], "button b"]]
    assert taken.root is taken.root


def test_the_mirror_goes_into_frames_apart() -> None:
    frame = El("Iframe", tag="iframe", extra={"frame": ("", 0, (0, 0, 9, 9))})
    inner = capture(look(button("inner"), viewport=(9, 9)), "F")
    taken = snapshot(page=page_capture(capture(look(frame, button("after")), frame_ids={1: "F"}), inner))
    assert shape(taken.root) == ["#document Test", ["iframe", "button inner"], "button after"]


def test_a_frame_that_could_not_be_read_is_a_placeholder_that_says_so() -> None:
    frame = El("Iframe", tag="iframe", extra={"frame": ("", 0, (0, 0, 9, 9))})
    taken = snapshot(page=page_capture(capture(look(frame), frame_ids={1: "F"}), missing={"F": "crashed"}))
    assert taken.root.children[0].text == "this frame could not be read: crashed"
    assert taken.partial


def test_nodes_know_what_they_are() -> None:
    taken = snapshot(El("", "", Fact.LISTENER | Fact.IN_SHADOW, ("Buy",), box=(1, 2, 3, 4)), El("", tag="i"))
    buy, structure = taken.root.children
    assert (buy.role, buy.name, buy.tier, buy.actionable, buy.in_shadow) == (
        "generic",
        "Buy",
        Tier.NON_SEMANTIC,
        True,
        True,
    )
    assert (buy.rect, buy.visible, buy.in_viewport, buy.frame_id) == ((1, 2, 3, 4), True, True, "TOP")
    assert (structure.tier, structure.actionable) == (Tier.STRUCTURAL, False)


def test_counts() -> None:
    stats = snapshot(El("main", inside=("a", button("b"), El("", "", Fact.LISTENER, ("c",)), El("")))).stats
    assert (stats.semantic_nodes, stats.non_semantic_nodes, stats.structural_nodes) == (2, 1, 1)
    assert (stats.interactive, stats.frames, stats.partial) == (2, 1, False)


def with_backend_ids() -> DomSnapshot:
    page = page_capture(capture(look(button("a"), button("b"))))
    backend = {"world of TOP": {1: 101, 2: 102}}
    return DomSnapshot("s", "viewport", classify(build(page)), page, IdRegistry(), backend, {}, 0.0)


def test_ids_map_both_ways() -> None:
    taken = with_backend_ids()
    first, second = (node.node_id for node in taken.interactive())
    assert (taken.get_backend_id(first), taken.get_backend_id(second)) == (101, 102)
    assert (taken.get_node_id(101, "TOP"), taken.get_node_id(102)) == (first, second)
    assert taken.get_backend_id("99") is None
    assert taken.get_node_id(999) is None
    assert taken.get_node_id(101, "OTHER") is None


def test_what_can_be_acted_on_is_listed_in_document_order() -> None:
    taken = snapshot(button("a"), El("form", "F", inside=(button("b"),)), button("c"))
    assert [node.name for node in taken.interactive()] == ["a", "b", "c"]
    assert [node.node_id for node in taken.interactive()] == ["1", "2", "3"]


def test_what_covers_is_found_also_when_it_was_given_its_id_just_now() -> None:
    under = button("under", Fact.NATIVE | Fact.OCCLUDED, extra={"covered_by": 2})
    taken = snapshot(El("region", "Around", inside=(El("article", "Cover"), under)))
    assert taken.index_of("none") is None
    taken.node_id(1)
    assert taken.covering(2)[0] == 1
