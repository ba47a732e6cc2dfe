"""Merging the looks of all frames into one tree."""

from browserx.dom.build import build
from browserx.dom.captured import Cover
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, capture, look, page_capture


def test_rows_become_nodes_in_order_with_who_is_inside_whom() -> None:
    tree = build(page_capture(capture(look(El("main", inside=("one", button("two"), El("form", inside=("three",))))))))
    assert [node.text or node.name or node.role for node in tree.nodes] == ["main", "one", "two", "form", "three"]
    assert tree.parents == [-1, 0, 0, 0, 3]
    assert tree.ends == [5, 2, 3, 5, 5]


def test_an_empty_page_has_no_nodes() -> None:
    tree = build(page_capture(capture(look())))
    assert (tree.nodes, len(tree.frames)) == ([], 1)


def frame_element(inside: int = 0, box: tuple[int, int, int, int] = (100, 200, 400, 300)) -> El:
    return El("Iframe", "ads", tag="iframe", box=box, extra={"frame": ("http://other/", inside, box)})


def test_a_frame_apart_is_put_where_its_element_is() -> None:
    top = capture(look(button("before"), frame_element(), button("after")), frame_ids={2: "F"})
    inner = look(button("inner", box=(10, 20, 50, 30)), viewport=(400, 300))
    tree = build(page_capture(top, capture(inner, "F")))
    assert [node.name for node in tree.nodes] == ["before", "ads", "inner", "after"]
    assert tree.parents == [-1, -1, 1, -1]
    assert tree.ends == [1, 3, 3, 4]
    assert tree.nodes[2].rect == (110, 220, 50, 30)
    frame = tree.frames[tree.nodes[2].frame]
    assert (frame.frame_id, frame.cross_origin, frame.reachable) == ("F", True, True)
    assert tree.frames[tree.nodes[3].frame].frame_id == "TOP"


def test_a_scaled_frame_scales_what_is_in_it() -> None:
    top = capture(look(frame_element(box=(100, 100, 200, 150))), frame_ids={1: "F"})
    tree = build(page_capture(top, capture(look(button("b", box=(40, 20, 80, 40)), viewport=(400, 300)), "F")))
    assert tree.nodes[1].rect == (120, 110, 40, 20)


def test_frames_in_frames_add_up() -> None:
    top = capture(look(frame_element()), frame_ids={1: "A"})
    middle = capture(look(frame_element(box=(10, 10, 100, 100)), viewport=(400, 300)), "A", {1: "B"})
    inner = capture(look(button("deep", box=(5, 5, 10, 10)), viewport=(100, 100)), "B")
    tree = build(page_capture(top, middle, inner))
    assert tree.nodes[2].rect == (115, 215, 10, 10)
    assert [frame.parent for frame in tree.frames] == [None, 0, 1]


def test_what_is_outside_of_what_shows_of_its_frame_is_not_in_view() -> None:
    top = capture(look(frame_element(box=(0, 0, 100, 100))), frame_ids={1: "F"})
    inside = (button("in", box=(0, 0, 10, 10)), button("below", box=(0, 150, 10, 10)))
    tree = build(page_capture(top, capture(look(*inside, viewport=(100, 100)), "F")))
    assert [bool(node.facts & Fact.IN_VIEW) for node in tree.nodes[1:]] == [True, False]


def test_nothing_in_a_frame_that_is_out_of_view_is_in_view() -> None:
    element = frame_element()
    element.seen = Fact.VISIBLE
    tree = build(page_capture(capture(look(element), frame_ids={1: "F"}), capture(look(button("b")), "F")))
    assert not tree.nodes[1].facts & Fact.IN_VIEW


def test_what_its_parent_lays_over_a_frame_covers_what_is_in_it() -> None:
    inner = capture(look(button("free"), button("under"), viewport=(400, 300)), "F")
    inner.covered[2] = Cover("world of TOP", 9, "div.banner")
    tree = build(page_capture(capture(look(frame_element()), frame_ids={1: "F"}), inner))
    assert [bool(node.facts & Fact.OCCLUDED) for node in tree.nodes[1:]] == [False, True]


def test_a_frame_that_could_not_be_read_says_why() -> None:
    top = capture(look(frame_element()), frame_ids={1: "F"})
    tree = build(page_capture(top, missing={"F": "crashed"}))
    assert (tree.frames[1].reachable, tree.frames[1].why) == (False, "crashed")


def test_a_frame_the_eye_went_into_keeps_its_own_world() -> None:
    element = frame_element(inside=1)
    element.inside = (button("same site"),)
    tree = build(page_capture(capture(look(element), frame_ids={1: "F"})))
    frame = tree.frames[tree.nodes[1].frame]
    assert (frame.frame_id, frame.cross_origin, frame.world) == ("F", False, "world of TOP")
