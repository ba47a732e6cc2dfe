"""The page in one shape, whatever was sent of it."""

from browserx.agent.view import nodes_of, view_of
from browserx.semantic.hashing import tree_hash
from browserx.semantic.request import InteractRequest, TreeNode
from tests.agent.pages import URL, node, view


def ask(**given: object) -> InteractRequest:
    return InteractRequest.model_validate({"url": URL, "query": "x", **given})


def test_the_richest_thing_tells_the_elements() -> None:
    tree = [{"i": "1", "r": "btn", "n": "T"}]
    keys = [{"id": "2", "role": "textbox", "name": "x" * 80, "value": "v", "state": "disabled", "frameId": 3}]
    skeleton, dom = '<button data-node-id="3">S</button>', '<a href="/" data-node-id="4">D</a>'

    def ids(**given: object) -> list[str] | None:
        nodes = nodes_of(ask(**given))
        return None if nodes is None else [one.i for one in nodes]

    assert ids(interactiveTree=tree, semanticNodes=keys, skeletonDom=skeleton, dom=dom) == ["1"]
    assert ids(semanticNodes=keys, skeletonDom=skeleton, dom=dom) == ["2"]
    assert ids(interactiveTree=[], skeletonDom=skeleton, dom=dom) == ["3"]
    assert ids(dom=dom) == ["4"]
    assert ids(interactiveTree=[]) == []
    assert ids() is None


def test_full_keys_become_short_words() -> None:
    nodes = nodes_of(
        ask(
            semanticNodes=[
                {"id": 2, "role": "textbox", "name": "x" * 80, "value": "v", "state": "required", "frameId": 3},
                {"id": 3, "role": "strange", "name": "s"},
            ]
        )
    )
    assert nodes == [
        TreeNode(i="2", r="inp", n="x" * 50, v="v", s="required", f=3),
        TreeNode(i="3", r="strange", n="s"),
    ]


def test_the_hash_changes_with_all_that_is_told() -> None:
    one = node("1", "btn", "Save", xy=(1, 2))
    assert tree_hash([one]) == tree_hash([one.model_copy()])
    assert len(tree_hash([one])) == 16
    others: list[dict[str, object]] = [
        {"i": "2"},
        {"r": "link"},
        {"n": "Send"},
        {"v": "x"},
        {"s": "disabled"},
        {"xy": (1.0, 3.0)},
        {"occ": True},
        {"f": 1},
    ]
    assert len({tree_hash([one.model_copy(update=other)]) for other in [{}, *others]}) == len(others) + 1


def test_what_a_view_takes_over() -> None:
    told = ask(
        title="t",
        interactiveTreeHash="h",
        scrollPosition="5%",
        scrollableContainers=[{"id": 7, "depth": "0%", "hasMore": True}, {"id": 8, "depth": "0%"}],
        errors_detected=["bad"],
        dom="",
    )
    seen = view_of(told, [])
    assert (seen.title, seen.tree_hash, seen.scroll_position, seen.more) == ("t", "h", "5%", ["7"])
    assert (seen.has_errors, seen.has_success, seen.dom) == (True, False, None)


def test_elements_are_found_by_id_and_compared_without_places() -> None:
    seen = view(node("1", "btn", "a", xy=(1, 1)), node("", "sum", "3 more"))
    assert seen.node("1") is seen.nodes[0]
    assert seen.node("2") is None
    assert seen.node("") is None
    assert seen.node(None) is None
    assert view(node("1", "btn", "a", xy=(9, 9)), node("", "sum", "3 more")).lines() == seen.lines()
    assert view(node("1", "btn", "a", v="x"), node("", "sum", "3 more")).lines() != seen.lines()
