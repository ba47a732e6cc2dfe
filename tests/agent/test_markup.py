"""HTML that a client sent, read."""

from hypothesis import given, settings
from hypothesis import strategies as st

from browserx.agent.markup import controls, read, tree, written_ids

_PIECES = st.sampled_from(
    [
        *(
            "<div>",
            "</div>",
            "<p>",
            "<li>",
            "<ul>",
            "</ul>",
            "<td>",
            "<tr>",
            "<table>",
            "</table>",
            "<select>",
            "<option>",
        ),
        *(
            "<button onclick>",
            "</button>",
            '<a href="x">',
            "</a>",
            "<input type=text value='a'>",
            "<textarea>",
            "<br/>",
        ),
        *(
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<![CDATA[",
            "&amp;",
            "&#0;",
            "&#xffffffff;",
            "<",
            ">",
            '"',
            "'",
            "text",
        ),
        *(
            "<template shadowrootmode=open>",
            "</template>",
            "<label for=a>",
            "</label>",
            "<label>",
            "\x00",
            "\n",
            "<?x",
            "<!x",
        ),
    ]
)


@settings(deadline=None)
@given(st.text(max_size=300) | st.lists(_PIECES, max_size=40).map("".join))
def test_any_text_is_taken(html: str) -> None:
    root = read(html)
    assert len(tree(root)) == len(controls(root))
    assert all("\n" not in line and line.strip() for line in root.lines())
    assert set(written_ids(root)) <= {node_id for node_id, _ in controls(root)}


def test_what_is_nested_without_end_is_taken() -> None:
    root = read("<div>" * 5_000 + "<button>deep</button>")
    assert len(tree(root)) == 1
    assert root.text() == "deep"


def test_controls_as_nodes_of_a_tree() -> None:
    html = """
    <label for=m>Mail <b>address</b></label><input id=m type=email value="a@b" required>
    <label>Pass <input type=password value=secret></label>
    <input type=hidden value=h><input type=checkbox aria-label=Yes checked>
    <select name=c><option>Red<option selected>Blue</select>
    <textarea placeholder=Say>hi</textarea><button disabled>Go <i>on</i></button><input type=submit value=Send>
    <a href=/x>Home</a><a>no link</a><div role=tab>Tab</div><div onclick=x()>Card</div><span tabindex=0>S</span>
    <span tabindex=-1>T</span><div contenteditable>E</div><input type=date name=when><input type=range title=Vol>"""
    told = [(node.i, node.r, node.n, node.v, node.s) for node in tree(read(html))]
    assert told == [
        ("1", "inp", "Mail address", "a@b", "required"),
        ("2", "inp", "Pass", None, None),
        ("3", "chk", "Yes", None, "checked"),
        ("4", "sel", "c", "Blue", None),
        ("5", "txt", "Say", "hi", None),
        ("6", "btn", "Go on", None, "disabled"),
        ("7", "btn", "Send", "Send", None),
        ("8", "link", "Home", None, None),
        ("9", "tab", "Tab", None, None),
        ("10", "el", "Card", None, None),
        ("11", "el", "S", None, None),
        ("12", "txt", "E", None, None),
        ("13", "date", "when", None, None),
        ("14", "sld", "Vol", None, None),
    ]


def test_ids_that_stand_there_are_taken_and_doubles_are_none() -> None:
    root = read(
        '<button data-node-id="f1-7">a</button><b data-llm-id=9>b</b><i data-node-id=5>c</i><i data-node-id=5>d</i>'
    )
    assert [node_id for node_id, _ in controls(root)] == ["f1-7", "9", "5", "5"]
    assert set(written_ids(root)) == {"f1-7", "9"}


def test_the_name_a_skeleton_tells_goes_before_others() -> None:
    (node,) = tree(read('<input data-node-id=1 data-name="Mail" placeholder="you@x">'))
    assert node.n == "Mail"


def test_lines_are_blocks_and_cells_are_parted() -> None:
    html = """<head><title>t</title></head><script>no</script><style>no</style><h1>Head</h1><p>one
    <b>two</b><p>three<br>four<table><tr><td>a<td> b </td></tr><tr><th>c</th><td></td></table>
    <ul><li>x<li>y</ul><template>no</template><template shadowrootmode=open><p>in shadow</p></template>"""
    assert read(html).lines() == ["Head", "one two", "three", "four", "a\tb", "c\t", "x", "y", "in shadow"]


def test_a_list_in_a_list_and_a_table_in_a_cell_stay_inside() -> None:
    root = read("<ul><li>a<ul><li>b</ul><li>c</ul><table><tr><td>x<table><tr><td>y</table><td>z</table>")
    items = [one for one in root.walk() if one.tag == "li"]
    assert [one.text() for one in items] == ["a b", "b", "c"]
    cells = [one.text() for one in root.walk() if one.tag == "td"]
    assert cells == ["x y", "y", "z"]


def test_where_some_have_ids_none_is_made_up() -> None:
    root = read("<button>a</button><button data-node-id=1>b</button>")
    assert [node_id for node_id, _ in controls(root)] == ["", "1"]
    assert [node.n for node in tree(root) if node.i == "1"] == ["b"]


def test_lines_of_preformatted_text_stay() -> None:
    assert read("<pre>a\n\tb</pre><p>c\n\td").lines() == ["a", "b", "c d"]


def test_end_tags_without_a_beginning_and_far_away_cost_nothing() -> None:
    """Each looks up no further than it has to"""
    html = "<div>" * 5_000 + "</x>" * 20_000 + "<li><span>" * 5_000 + "<a href=x>x" * 3_000 + "<button>b</button>"
    assert len(tree(read(html))) == 3_001


def test_a_comment_without_an_end_takes_the_rest() -> None:
    assert read("<p>a</p><!-- b --><p>c</p><!-- d <p>e</p>" + "<!--" * 100_000).lines() == ["a", "c"]


def test_a_cell_is_one_line_and_empty_cells_keep_their_place() -> None:
    html = (
        "<table><tr><th></th><th><div>Price</div><div>in EUR</div></th></tr><tr><td></td><td><p>9</p></td></tr></table>"
    )
    assert read(html).lines() == ["\tPrice in EUR", "\t9"]


def test_a_cell_with_a_table_or_a_list_in_it_is_there_for_the_layout() -> None:
    html = (
        "<table><tr><td><h1>Shop</h1><table><tr><td>a<td>b</tr></table></td><td><ul><li>x<li>y</ul></td></tr></table>"
    )
    assert read(html).lines() == ["Shop", "a\tb", "x", "y"]
