"""Role, name and states against the browser's own accessibility tree, on everything that HTML and ARIA have."""

import asyncio
import json
from typing import Any, NamedTuple

import pytest

from browserx import DomService, VirtualNode
from browserx.cdp.protocol import DEEP_NODES, DeepNodesReply
from tests.conftest import See

STYLE = """<style>.up{text-transform:uppercase}.cap{text-transform:capitalize}.req::after{content:"*"}.ico::before{content:"\f015"}.star::before{content:"★"}.q::before{content:"say "}.abs{position:absolute}.cv{content-visibility:hidden}.vh{position:absolute;clip:rect(0 0 0 0);width:1px;height:1px;overflow:hidden}</style>"""
CONTROLS = r"""
<button class=up>upper case</button><button class=cap>capital case o'neil foo-bar</button><button><span class=up>in</span>ner</button>
<button class=req>Name</button><button class=ico>Home</button><button class=ico></button><button class=star>Rate</button><button class=q><b>hi</b></button>
<label class=req for=i1>Mail</label><input id=i1>
<a onclick="1">anchor click</a><a id=l title="Title">anchor listener</a><a title=T>plain anchor</a><a href=# title=T>href</a>
<script>document.getElementById('l').addEventListener('click',()=>1)</script>
<input type=file><input type=file multiple><label for=f1>Up</label><input type=file id=f1>
<button class=cv>cv button</button>
<svg width=60 height=60><path d="M0 0h60v60z" onclick="1"/><rect width=20 height=20 onclick=1 /><circle cx=30 cy=30 r=9 onclick=1><title>Dot</title></circle><text x=5 y=50 onclick=1>svg text</text><g onclick=1><rect x=40 width=10 height=10 /></g></svg>
<div role=option tabindex=0>lone option</div><div role=listbox aria-label=L><div role=option tabindex=0>in list</div><div role=group><div role=option tabindex=0>in group</div></div></div>
<table><tr onclick=1 tabindex=0><td>a</td><td>b</td></tr></table><table role=grid><tr tabindex=0><td>a</td><td>b</td></tr></table>
<div role=row tabindex=0>lone row</div><div role=grid><div role=row tabindex=0><div role=gridcell>c</div></div></div>
<ul role=tree><li role=treeitem tabindex=0>Trees<ul role=group><li role=treeitem>Birch</li></ul></li></ul>
<div role=tree><div role=treeitem tabindex=0>Oak<div role=treeitem>Elm</div></div></div>
<button><svg width=10 height=10><title>Svg title</title></svg>text</button><button>Ad from<img alt="Logo" src="data:,"></button><button>a<span aria-label=lab>x</span>b</button><button>a<span title=tt></span>b</button>
<button>a<span>b</span>c</button><button>a<div>b</div>c</button><button>a<span class=abs>b</span>c</button><button>a<span style="display:inline-block">b</span>c</button><button>a<span class=vh>hid</span>c</button><button>a<br>b</button>
<button>a<span style="float:left">b</span>c</button><button style="display:flex">a<span>b</span>c</button><button>x <input value=val aria-label=q> y</button>
<div tabindex=0 title=TT>div text</div><i tabindex=0 title=Icon></i><div role=group tabindex=0>grp</div><span role=group tabindex=0 aria-label=G>x</span>
<div role=tab tabindex=0>lone tab</div><div role=menuitem tabindex=0>lone mi</div><div role=radio tabindex=0>lone radio</div><div role=switch tabindex=0>sw</div>
<div role=button tabindex=0 aria-describedby=l>btn</div><div role=checkbox tabindex=0 aria-labelledby="nope">cb</div>
<select><option>One<option>Two</select><select multiple aria-label=M><option>One</select><select size=3><option>One</select>
<input list=dl><datalist id=dl><option>a</datalist><input type=email placeholder=ph title=ti><input type=image alt=im src=data:,><input type=color><input type=date><input type=time><input type=month><input type=week><input type=datetime-local><input type=range><input type=number><input type=password placeholder=pw><input type=search><input type=tel><input type=url><input type=submit><input type=reset><input type=button><input type=button value=V>
<div contenteditable>edit me</div><div contenteditable role=textbox aria-label=rich>x</div><textarea placeholder=tp>val</textarea>
<details><summary>Sum</summary>x</details><details name=g><summary>Grouped</summary>x</details><summary onclick=1>loose summary</summary>
<video controls width=200 height=100></video><audio controls></audio><canvas onclick=1>fallback</canvas>
<map name=m><area href=# alt=Area coords="0,0,10,10" shape=rect></map><img usemap=#m src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width=20 height=20>
<img onclick=1 alt=pic src=data:, width=20 height=20><img onclick=1 src=data:, width=20 height=20><img onclick=1 alt="" src=data:, width=20 height=20>
<label>wrap <input type=checkbox></label><label onclick=1>lone label</label><label for=c2>A</label><label for=c2>B</label><input type=radio id=c2>
<button aria-label="  spaced   label ">x</button><button aria-label="">fallback</button><button title=only></button><button disabled>dis</button><button role=none>none</button><button role=presentation aria-label=k>pres</button><a href=# role=button>abutton</a><div role="foo button" tabindex=0>second</div><button aria-pressed=true>tog</button><button aria-haspopup=menu>pop</button>
<fieldset><legend>Leg</legend><input aria-labelledby="x1 x2"></fieldset><span id=x1 hidden>hidden ref</span><span id=x2>two</span>
<h2>Head <a href=#>link in</a></h2><p>para</p><ul><li>li</li></ul><dl><dt>t<dd>d</dl><blockquote>q</blockquote><figure><img src=data: alt=f width=9 height=9><figcaption>cap</figcaption></figure>
<nav aria-label=N>n</nav><main>m</main><header>h</header><footer>f</footer><aside>as</aside><section>s</section><section aria-label=S>s</section><article>art</article><form>f</form><form aria-label=F>f</form><search>s</search>
<progress value=3 max=9></progress><meter value=3 max=9>m</meter><output>o</output><hr><address>ad</address><em>em</em><time>t</time><mark>mk</mark><iframe title=fr srcdoc=x width=20 height=20></iframe><dialog open>d</dialog><menu><li>m</menu>
<div role=slider tabindex=0 aria-valuenow=3></div><div role=spinbutton tabindex=0>5</div><div role=scrollbar tabindex=0></div><div role=separator tabindex=0></div><div role=progressbar></div><div role=combobox tabindex=0>Combo text</div><div role=searchbox contenteditable>s</div><div role=menuitemcheckbox aria-checked=true tabindex=0>mic</div><div role=link tabindex=0>lnk</div><div role=img aria-label=i>x</div><div role=cell>c</div><div role=heading>hd</div><div role=tooltip>tt</div><div role=status>st</div><div role=dialog aria-label=D>x</div>
"""
STATES = """
<input type=checkbox><input type=checkbox checked><input type=checkbox id=ind><input type=radio checked><div role=checkbox aria-checked=mixed tabindex=0>a</div><div role=switch aria-checked=true tabindex=0>a</div><div role=radio tabindex=0>a</div><button role=switch aria-checked=false>s</button>
<button aria-expanded=true>e</button><button aria-expanded=false>e</button><details open><summary>s</summary></details><details><summary>s</summary></details><a href=# aria-expanded=true>x</a><select><option>1<option>2</select><input list=dl><datalist id=dl><option>a</datalist><input role=combobox aria-expanded=true>
<div role=tablist><div role=tab aria-selected=true tabindex=0>t</div><div role=tab tabindex=0>t</div><div role=tab aria-selected=false tabindex=0>t</div></div><div role=listbox><div role=option aria-selected=true tabindex=0>o</div><div role=option tabindex=0>o</div></div><div role=grid><div role=row><div role=gridcell aria-selected=true tabindex=0>g</div></div></div>
<button aria-pressed=true>p</button><button aria-pressed=mixed>p</button><button aria-pressed=false>p</button><div role=button aria-pressed=true tabindex=0>p</div>
<button disabled>d</button><fieldset disabled><input><legend><input></legend></fieldset><div role=button aria-disabled=true tabindex=0>d</div><a href=# aria-disabled=true>d</a><div aria-disabled=true><button>in disabled</button></div><select disabled><option>1</select><input disabled>
<input readonly value=x><textarea readonly>y</textarea><div role=textbox aria-readonly=true tabindex=0>x</div><input type=checkbox readonly><div contenteditable aria-readonly=true>c</div>
<input required><select required><option></select><div role=textbox aria-required=true tabindex=0></div><input type=checkbox required><input type=radio required>
<input aria-invalid=true aria-errormessage=em><span id=em>Bad mail</span><input aria-invalid=false><input aria-invalid=grammar><input required id=ui><input type=email value=bad id=em2>
<div role=heading aria-level=4 tabindex=0>h</div><h3 tabindex=0>h3</h3><div role=tree><div role=treeitem aria-level=2 tabindex=0>t</div></div>
<input type=range min=1 max=9 value=5><div role=slider aria-valuemin=2 aria-valuemax=8 aria-valuenow=4 tabindex=0 style="width:50px;height:9px"></div><div role=slider aria-valuenow=4 aria-valuetext="four" tabindex=0 style="width:50px;height:9px"></div><input type=number min=1 max=4 value=2><progress max=7 value=3></progress><meter min=1 max=9 value=4></meter><div role=progressbar aria-valuenow=20 style="width:50px;height:9px"></div><div role=spinbutton aria-valuenow=5 tabindex=0>5</div>
<button aria-haspopup=true>h</button><button aria-haspopup=dialog>h</button><button popovertarget=po>po</button><div id=po popover>x</div><div role=combobox tabindex=0 aria-haspopup=listbox>c</div>
<div aria-busy=true role=region aria-label=r>b</div><dialog id=dm aria-label=dlg><button>in</button></dialog><div role=dialog aria-modal=true aria-label=k>x</div>
<select multiple><option selected>a<option selected>b</select><div role=listbox aria-multiselectable=true tabindex=0 aria-label=l>x</div>
<a href=# aria-current=page>c</a><button aria-current=true>c</button><table><tr><th aria-sort=ascending tabindex=0>s</th></tr></table>
<input type=date value=2024-01-02><input type=time value=10:30><input type=color value=#ff0000><input type=file><input type=search value=q><div contenteditable>ce <b>x</b></div><input type=password value=sec><textarea>multi
line</textarea><input value=v><select size=3><option>z<option selected>y</select>
<script>ind.indeterminate=true</script>
"""

#: Roles that are said more exactly by layout than by what an author wrote: a table that only lays things out.
LAYOUT = {"LayoutTable": "table", "LayoutTableRow": "row", "LayoutTableCell": "cell"}
#: What we do not ask of what nobody can act on: the name would only repeat the text.
NAMED_BY_THEIR_TEXT = ("heading", "term", "cell")


class Compared(NamedTuple):
    html: str
    ours: VirtualNode
    role: str
    name: str
    value: Any
    properties: dict[str, Any]


async def compare(dom: DomService) -> list[Compared]:
    """Every element the look told of, beside what the browser's accessibility tree has of it; those it ignores left out."""
    await dom.observe(viewport_only=False, max_tokens=None)
    snapshot, attachment = dom.current_snapshot, dom.tab.attachment
    assert snapshot is not None
    assert attachment is not None
    frame = attachment.frames.main
    nodes = snapshot.page.tree.nodes
    told = [index for index, node in enumerate(nodes) if node.key and node.frame == 0]
    keys = json.dumps([nodes[index].key for index in told])
    sources = await attachment.call(frame, f"{keys}.map((k) => __browserx.element(k).outerHTML)", timeout_s=10)
    params = {
        "expression": f"{keys}.map(__browserx.element)",
        "contextId": frame.isolated,
        "serializationOptions": DEEP_NODES,
    }
    reply = await frame.session.send("Runtime.evaluate", params, DeepNodesReply)
    asked = [
        frame.session.send(
            "Accessibility.getPartialAXTree",
            {"backendNodeId": node.value.backend_node_id, "fetchRelatives": False},
            dict,
        )
        for node in reply.result.deep_serialized_value.value
        if node.value
    ]
    result = []
    for index, html, answer in zip(told, sources.result.value, await asyncio.gather(*asked), strict=True):
        node = answer["nodes"][0]
        if not node.get("ignored"):
            role, name, value = (node.get(key, {}).get("value", "") for key in ("role", "name", "value"))
            properties = {p["name"]: p["value"].get("value") for p in node.get("properties", [])}
            result.append(
                Compared(html[:120], snapshot.virtual(index), role, " ".join(name.split()), value, properties)
            )
    return result


async def test_role_and_name_are_those_of_the_browser(see: See) -> None:
    dom = await see(CONTROLS, head=STYLE)
    compared = await compare(dom)
    assert len(compared) > 150
    roles = [(c.html, c.ours.role, c.role) for c in compared if c.ours.role != LAYOUT.get(c.role, c.role)]
    assert roles == []
    names = [
        (c.html, c.ours.name, c.name)
        for c in compared
        if c.name and c.ours.name != c.name and (c.ours.actionable or c.role not in NAMED_BY_THEIR_TEXT)
    ]
    assert [n for n in names if n[2] not in ("Unable to play media.", "a", "b")] == []


async def test_states_are_those_of_the_browser(see: See) -> None:
    dom = await see(STATES)
    await dom.tab.evaluate("dm.showModal(); dm.close(); ind.indeterminate")
    compared = await compare(dom)
    assert len(compared) > 80
    differ = [(c.html, key, ours, theirs) for c in compared for key, ours, theirs in differing(c)]
    assert differ == []


def differing(c: Compared) -> list[tuple[str, object, object]]:
    """States that are not as the browser has them. What is at its default is not told."""
    ours, theirs = c.ours.states, c.properties
    tristate = {"true": True, "false": False, "mixed": "mixed"}
    pairs: list[tuple[str, object, object]] = [
        ("checked", ours.get("checked"), tristate.get(theirs.get("checked", ""))),
        ("pressed", ours.get("pressed"), tristate.get(theirs.get("pressed", ""))),
        (
            "disabled",
            ours.get("disabled", False),
            theirs.get("disabled", False) or (c.role == "group" and "disabled" in c.html),
        ),
        ("multiselectable", ours.get("multiselectable", False), theirs.get("multiselectable", False)),
        ("modal", ours.get("modal", False), theirs.get("modal", False)),
        ("busy", ours.get("busy", False), bool(theirs.get("busy", False))),
        ("level", ours.get("level"), theirs.get("level")),
    ]
    for key in ("expanded", "selected", "readonly", "required"):
        if key in ours and key in theirs:
            pairs.append((key, ours[key], theirs[key]))
        elif theirs.get(key):
            pairs.append((key, ours.get(key), theirs[key]))
    if "popup" in ours:
        pairs.append(("popup", ours["popup"], theirs.get("hasPopup")))
    for key, theirs_key in (("min", "valuemin"), ("max", "valuemax")):
        if key in ours:
            pairs.append((key, float(ours[key]), float(theirs[theirs_key])))
    if c.value and c.role != "textbox" and c.ours.value is not None and "aria-valuetext" not in c.html:
        pairs.append(("value", c.ours.value, str(c.value)))
    return [(key, a, b) for key, a, b in pairs if a != b]


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<input type=checkbox aria-label=A checked>", "1 checkbox [x] A"),
        ("<input type=checkbox aria-label=A id=e><script>e.indeterminate = true</script>", "1 checkbox [-] A"),
        ("<button aria-expanded=true>A</button>", "1 button A (expanded)"),
        ("<button aria-expanded=false>A</button>", "1 button A (collapsed)"),
        ("<button popovertarget=p>A</button><div id=p popover>x</div>", "1 button A (collapsed)"),
        ("<div role=tab aria-selected=true tabindex=0>A</div>", "1 tab A (selected)"),
        ("<button aria-pressed=true>A</button>", "1 button A (pressed)"),
        ("<button aria-pressed=mixed>A</button>", "1 button A (half pressed)"),
        ("<button disabled>A</button>", "1 button A (disabled)"),
        ("<input aria-label=A readonly value=x>", "1 textbox A = x (readonly)"),
        ("<input aria-label=A required>", "1 textbox A (required)"),
        (
            "<input aria-label=A aria-invalid=true aria-errormessage=m><p id=m>Too short</p>",
            "1 textbox A (invalid: Too short)",
        ),
        (
            "<input type=email aria-label=A value=bad>",
            "1 textbox A = bad (invalid: Please include an '@' in the email address. 'bad' is missing an '@'.)",
        ),
        ("<a href=/x aria-current=page>A</a>", "1 link A (current)"),
        ("<input type=range aria-label=A min=2 max=8 value=4>", "1 slider A = 4 (2..8)"),
        (
            "<div role=slider tabindex=0 aria-label=A aria-valuenow=4 aria-valuetext=four style='width:9px;height:9px'></div>",
            "1 slider A = four",
        ),
        ("<select aria-label=A><option>x<option selected>y<option>z</select>", "1 combobox A = y [x / y / z]"),
        (
            "<select multiple aria-label=A><option selected>x<option selected>y</select>",
            "1 listbox A = x, y (multiselectable) [x / y]",
        ),
        ("<input aria-label=A list=l value=q><datalist id=l><option>x</datalist>", "1 combobox A = q"),
        ("<th aria-sort=descending tabindex=0>A</th>", "A"),
        ("<table><tr><th aria-sort=descending tabindex=0 onclick=1>A</table>", " 1 columnheader A (sorted descending)"),
        ("<h2 tabindex=0 onclick=1>A</h2>", "1 heading A"),
        ("<input type=password aria-label=A value=secret>", "1 textbox A = (filled)"),
        ("<input type=file aria-label=A>", "1 button A"),
        ("<div contenteditable aria-label=A role=textbox>words</div>", "1 textbox A = words"),
    ],
)
async def test_how_states_are_told(see: See, html: str, line: str) -> None:
    dom = await see(html)
    assert line in (await dom.observe()).text.splitlines()[2:]


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<p>Name: <input></p>", "Name"),
        ("<div>Name <span><input></span></div>", "Name"),
        ("<div>Name</div><div role=group aria-label=G><input></div>", None),
        ("<p><input type=checkbox> I agree</p>", "I agree"),
        ("<table><tr><td>City<td><input></table>", "City"),
        ("<input placeholder=Search>", "Search"),
        ("<button><i class='fa-solid fa-trash'></i></button>", "trash"),
        ("<button><svg width=9 height=9><use href='/icons.svg#icon-close'/></svg></button>", "close"),
        ("<button class=btn-close></button>", "close"),
        ("<button><img src='/img/search.svg' width=9 height=9></button>", "search"),
        ("<button data-testid=save></button>", "save"),
        ("<button><img alt=Send src='x.png'></button>", "Send"),
        ("<button>&#xe900;</button>", None),
        ("<div onclick=1 class='carousel__arrow icon-arrow-right' style='width:9px;height:9px'></div>", "arrow right"),
    ],
)
async def test_what_nobody_named_is_called_by_what_there_is(see: See, html: str, name: str | None) -> None:
    dom = await see(html)
    seen = await dom.observe()
    line = next(line for line in seen.text.splitlines() if line.lstrip().startswith("1 "))
    words = line.split(maxsplit=2)[2:]
    assert (words[0].removeprefix("[ ] ") if words else None) == name


async def test_a_text_that_names_a_field_is_told_once(see: See) -> None:
    dom = await see("<p>Name: <input> and more</p>")
    assert (await dom.observe()).text.splitlines()[2:-1] == ["1 textbox Name", "and more"]


async def test_what_icon_fonts_draw_is_not_told(see: See) -> None:
    dom = await see("<button>&#xe900; Save</button><p>&#xf015;</p><p>Go &#xf061; on</p>")
    assert (await dom.observe()).text.splitlines()[2:-1] == ["1 button Save", "Go on"]
