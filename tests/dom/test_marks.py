"""What is marked in a picture, and where the labels go."""

from hypothesis import given
from hypothesis import strategies as st

from browserx.dom.marks import ControlKind, Mark, marks, overlap, place_labels
from browserx.dom.tree import Rect
from browserx.inpage.facts import Fact
from tests.dom.looks import El, button, capture, field_, link, look, page_capture, snapshot

BOX = (10, 20, 100, 30)
PICTURE = (1280, 800)
LABEL = (20, 12)


def label_of(*boxes: Rect, busy: tuple[Rect, ...] = (), picture: tuple[int, int] = PICTURE) -> list[Rect]:
    return place_labels(boxes, [LABEL] * len(boxes), picture, lambda rect: any(touch(rect, place) for place in busy))


def touch(one: Rect, other: Rect) -> bool:
    shared = overlap(one, other)
    return shared[2] * shared[3] > 0


def test_what_can_be_acted_on_and_seen_is_marked_by_its_id_and_kind() -> None:
    taken = snapshot(
        "text",
        button("a", box=BOX),
        field_("b", box=BOX),
        link("c", box=BOX),
        El("checkbox", "d", Fact.NATIVE, box=BOX),
        El("", "", Fact.LISTENER, ("e",), box=BOX),
        button("covered", Fact.NATIVE | Fact.OCCLUDED, box=BOX),
        button("below", seen=Fact.VISIBLE, box=BOX),
        button("flat", box=(10, 20, 0, 30)),
    )
    assert marks(taken) == [
        Mark("1", BOX, ControlKind.BUTTON),
        Mark("2", BOX, ControlKind.FIELD),
        Mark("3", BOX, ControlKind.LINK),
        Mark("4", BOX, ControlKind.TOGGLE),
        Mark("5", BOX, ControlKind.OTHER),
    ]


def test_a_box_is_what_shows_of_it() -> None:
    scroller = El("list", "L", Fact.SCROLLER, (button("a", box=(0, 90, 300, 300)),), box=(50, 50, 100, 100))
    assert [mark.box for mark in marks(snapshot(scroller))][-1] == (50, 90, 100, 60)
    assert [mark.box for mark in marks(snapshot(button("a", box=(-10, 790, 50, 50))))] == [(0, 790, 40, 10)]


def test_what_is_fixed_is_not_cut_by_what_it_scrolls_in() -> None:
    scroller = El("list", "L", Fact.SCROLLER, (button("a", box=(500, 500, 30, 30)),), box=(50, 50, 100, 100))
    assert marks(snapshot(scroller))[-1].box == (500, 500, 30, 30)


def test_a_box_is_cut_by_its_frame() -> None:
    box = (100, 100, 200, 50)
    frame = El("Iframe", "f", tag="iframe", box=box, extra={"frame": ("", 0, box)})
    inner = capture(look(button("x", box=(10, 10, 400, 20)), viewport=(200, 50)), "F")
    taken = snapshot(page=page_capture(capture(look(frame), frame_ids={1: "F"}), inner))
    assert [mark.box for mark in marks(taken)] == [(110, 110, 190, 20)]


def test_what_rectangles_share() -> None:
    assert overlap((0, 0, 10, 10), (5, 5, 10, 10)) == (5, 5, 5, 5)
    assert overlap((0, 0, 10, 10), (20, 20, 5, 5))[2:] == (0, 0)


def test_a_label_stands_above_its_box() -> None:
    assert label_of((100, 100, 80, 30)) == [(100, 88, 20, 12)]


def test_a_label_stands_aside_where_there_is_something_to_read() -> None:
    box = (100, 100, 80, 30)
    heading = (90, 80, 200, 19)
    (label,) = label_of(box, busy=(heading,))
    assert not touch(label, heading)
    assert not touch(label, box)


def test_a_label_stays_in_the_picture() -> None:
    for box in ((0, 0, 80, 30), (1240, 780, 40, 20), (0, 780, 40, 20)):
        (label,) = label_of(box)
        assert overlap(label, (0, 0, *PICTURE)) == label
        assert not touch(label, box)


def test_in_a_box_as_large_as_the_picture_a_label_is_in_a_corner() -> None:
    (label,) = label_of((0, 0, *PICTURE))
    assert overlap(label, (0, 0, *PICTURE)) == label


def test_labels_of_a_toolbar_cover_neither_each_other_nor_a_button() -> None:
    # A label is wider than a button: side by side they would overlap.
    buttons = [(100 + 18 * n, 100, 16, 24) for n in range(12)]
    labels = label_of(*buttons)
    for n, label in enumerate(labels):
        assert not any(touch(label, other) for m, other in enumerate(labels) if m != n)
        assert not any(touch(label, button) for button in buttons)


def test_a_label_does_not_touch_another_box_where_it_need_not() -> None:
    upper, lower = (100, 100, 80, 30), (100, 143, 80, 30)
    _, label = label_of(upper, lower)
    assert not touch(label, (97, 97, 86, 36))


def test_labels_of_a_list_stand_beside_their_own_line() -> None:
    lines = [(100, 100 + 20 * n, 60, 19) for n in range(10)]
    for (_, y, _, height), label in list(zip(lines, label_of(*lines), strict=True))[1:-1]:
        assert y <= label[1] + label[3] // 2 <= y + height


boxes = st.lists(
    st.tuples(st.integers(0, 300), st.integers(0, 200), st.integers(1, 120), st.integers(1, 60)), max_size=25
)


@given(boxes)
def test_whatever_comes_all_labels_are_whole_and_the_same_again(given_boxes: list[Rect]) -> None:
    sizes = [(8 + 7 * len(str(n)), 14) for n in range(len(given_boxes))]
    picture = (420, 260)
    labels = place_labels(given_boxes, sizes, picture)
    assert [(label[2], label[3]) for label in labels] == sizes
    assert all(overlap(label, (0, 0, *picture)) == label for label in labels)
    assert labels == place_labels(given_boxes, sizes, picture)
