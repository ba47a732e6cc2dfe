"""Every format of a page, in a real browser: what the documents show, and what a page cannot do to them."""

import asyncio
import json
import runpy
from pathlib import Path
from typing import Any

import pytest

from browserx import (
    BrowserContext,
    DomService,
    DOMTool,
    InvalidArgumentError,
    Markup,
    NodeNotFoundError,
    PageOptedOutError,
    SemanticV2,
    SemanticV3,
    SerializationOptions,
    SnapshotError,
)
from browserx.page import sight
from tests.conftest import See
from tests.dom.test_html import Read
from tests.e2e.test_cli import run
from tests.web import Site

DOCUMENTS = Path(__file__).parents[2] / "docs"


async def markup(dom: DomService, form: str = "html", **options: Any) -> Markup:
    written = await dom.get_serialized_dom(SerializationOptions(format=form, **options))  # type: ignore[arg-type]
    assert isinstance(written, Markup)
    return written


async def html(dom: DomService, **options: Any) -> str:
    """The page as HTML, from its body on."""
    return (await markup(dom, **options)).html.partition("<body>")[2].removesuffix("</body></html>")


async def v3(dom: DomService, **options: Any) -> SemanticV3:
    written = await dom.get_serialized_dom(SerializationOptions(format="v3", **options))
    assert isinstance(written, SemanticV3)
    return written


async def test_the_examples_in_the_documents_are_what_the_code_makes(context: BrowserContext) -> None:
    """When they are no more: ``python docs/formats.py`` writes them anew; read what changed."""
    makers = runpy.run_path(str(DOCUMENTS / "formats.py"))
    document = (DOCUMENTS / "formats.md").read_text(encoding="utf-8")
    documented = makers["blocks"](document)
    made = await makers["make"](document, context.new_tab)
    assert {name: documented[name] for name in made} == made
    assert makers["renewed"](document, made) == document


# html


async def test_html_is_the_page_again(see: See) -> None:
    dom = await see(
        "<main class=a><h1 id=t>Tea &amp; <i>Tin</i></h1><p>One<br>two</p>"
        "<img src=/t.png alt='A &quot;tin&quot;' width=9 height=9>"
        "<pre>a\n  b</pre></main>",
        title="T & <b>",
    )
    written = await markup(dom)
    assert written.html == (
        '<html lang="en"><head><title>T &amp; &lt;b&gt;</title></head><body>'
        '<main class="a"><h1 id="t">Tea &amp; <i>Tin</i></h1><p>One<br>two</p>'
        '<img src="/t.png" alt="A &quot;tin&quot;" width="9" height="9">'
        "<pre>a\n  b</pre></main></body></html>"
    )
    assert (written.title, written.url, written.truncated) == ("T & <b>", dom.tab.url, False)


@pytest.mark.parametrize(
    "hidden",
    [
        "<p style='display:none'>Secret</p>",
        "<p style='visibility:hidden'>Secret</p>",
        "<p style='opacity:0'>Secret</p>",
        "<p style='position:absolute;left:-9999px'>Secret</p>",
        "<p style='position:absolute;clip-path:inset(50%)'>Secret</p>",
        "<div style='height:0;overflow:hidden'>Secret</div>",
        "<p hidden>Secret</p>",
        "<div inert>Secret</div>",
        "<details><summary></summary>Secret</details>",
        "<input type=hidden name=Secret value=Secret>",
        "<!-- Secret -->",
        "<template>Secret</template>",
        "<noscript>Secret</noscript>",
        "<script>'Secret'</script>",
        "<style>.Secret {}</style>",
        "<datalist><option>Secret</datalist>",
        "<object data=/x><p>Secret</p></object>",
        "<div style='content-visibility:hidden'>Secret</div>",
        "<meta name=description content=Secret>",
        "<div id=h>Secret</div><script>h.attachShadow({mode: 'open'}).innerHTML = '<b>No slot</b>'</script>",
        "<x-h id=h>Secret</x-h><script>h.attachShadow({mode: 'closed'}).innerHTML = '<b hidden><slot></slot></b>'</script>",
        "<iframe srcdoc='<p hidden>Secret</p>'></iframe>",
        "<iframe srcdoc='<title>Secret</title>x'></iframe>",
        "<iframe style='display:none' srcdoc='<p>Secret</p>'></iframe>",
        "<p onclick='Secret()' data-note=Secret style='--note:Secret'>x</p>",
        "<video src=/x controls>Secret</video>",
    ],
)
async def test_what_is_hidden_is_not_in_html(see: See, hidden: str) -> None:
    dom = await see(f"<h1>Shown</h1>{hidden}<p>Shown too</p>")
    written = await html(dom)
    assert "Secret" not in written
    assert "Shown</h1>" in written
    assert "Shown too" in written


async def test_hidden_controls_whose_label_shows_are_in_html(see: See) -> None:
    dom = await see(
        "<style>input { display: none }</style><input type=checkbox id=c checked><label for=c>Dark</label>"
        "<label>Light<input type=radio name=r></label><input type=checkbox name=lost>"
    )
    assert await html(dom) == (
        '<input type="checkbox" id="c" checked><label for="c">Dark</label>'
        '<label>Light<input type="radio" name="r"></label>'
    )


async def test_html_tells_what_is_in_fields_now(see: See) -> None:
    dom = await see(
        "<input id=a value=old><textarea id=b>old</textarea><select id=c><option>x<option>y</select>"
        "<input type=checkbox id=d checked><input type=submit value=Go>"
        "<script>a.value = 'new'; b.value = '<new>'; c.value = 'y'; d.checked = false</script>"
    )
    assert await html(dom) == (
        '<input id="a" value="new"><textarea id="b">&lt;new&gt;</textarea>'
        '<select id="c"><option>x</option><option selected>y</option></select>'
        '<input type="checkbox" id="d"><input type="submit" value="Go">'
    )


PROTECTED = """
    <input type=password id=p value=hunter2 data-value=hunter2><input id=o autocomplete=one-time-code value=hunter2>
    <textarea autocomplete=cc-number>hunter2</textarea>
    <select autocomplete=cc-number><option>hunter2</select>
    <div contenteditable autocomplete=one-time-code>hunter2</div>
"""


async def test_protected_values_are_in_none_of_them(see: See) -> None:
    dom = await see(PROTECTED + "<script>p.value += '!'</script><button>Go</button>")
    await dom.observe()
    await dom.type("1", "hunter2 typed")
    for form in ("html", "skeleton", "v3", "v2"):
        written = await dom.get_serialized_dom(SerializationOptions(format=form))
        assert "Go" in str(written.to_dict())
        assert "hunter2" not in str(written.to_dict()), form


INJECTIONS = """
    <p>&lt;script&gt;pwned()&lt;/script&gt; &lt;/iframe&gt;&lt;/template&gt; --&gt; &amp;lt;b&amp;gt;</p>
    <p title='"&gt;&lt;script&gt;pwned()&lt;/script&gt;' id="'&quot;&gt;">x</p>
    <a"onclick=pwned()><x<script>odd tags</x<script></a"onclick=pwned()>
    <p x"y onclick=pwned() ONCLICK=pwned() formaction=javascript:pwned()>attributes</p>
    <a href=" java&#10;script:pwned()">a</a><a href="JAVASCRIPT:pwned()">b</a><a href="vbscript:pwned()">c</a>
    <form action="javascript:pwned()"><button formaction="javascript:pwned()">Go</button></form>
    <iframe src="javascript:'<p>pwned</p>'" srcdoc="<p>framed &lt;/iframe&gt;&lt;script&gt;pwned()&lt;/script&gt;</p>"></iframe>
    <svg width=99 height=99><a href="javascript:pwned()"><text y=20>svg</text></a>
      <animate attributeName=href values="javascript:pwned()"/><script>0</script></svg>
    <object data="javascript:pwned()" width=9 height=9></object><embed src="javascript:pwned()" width=9 height=9>
    <img src="data:text/html,<script>pwned()</script>" alt="i" width=9 height=9>
    <textarea>&lt;/textarea&gt;&lt;script&gt;pwned()&lt;/script&gt;</textarea>
    <select><option>&lt;/select&gt;&lt;script&gt;pwned()&lt;/script&gt;</select>
    <xmp><script>pwned()</script></xmp>
    <base href="javascript:pwned()"><link rel=stylesheet href=x><meta http-equiv=refresh content="99;url=javascript:pwned()">
"""


async def test_nothing_in_html_runs_or_gets_out_of_its_place(see: See, context: BrowserContext, site: Site) -> None:
    dom = await see("<script>window.pwned = () => 1</script>" + INJECTIONS)
    for form in ("html", "skeleton"):
        written = await markup(dom, form, max_tokens=None)
        tags = Read(written.html).tags
        assert {tag for tag, _ in tags}.isdisjoint(("script", "style", "link", "meta", "base", "animate", "noscript"))
        for _, attributes in tags:
            assert not any(name.startswith("on") or name in ("srcdoc", "style") for name in attributes)
            assert not any("script:" in "".join((value or "").lower().split()) for value in attributes.values())
            assert not any((value or "").startswith("data:text/html,<") for value in attributes.values())
        loaded = await context.new_tab(site.page(f"<!doctype html>{written.html}"))
        assert await loaded.evaluate("document.querySelectorAll('script, style, [onclick], [formaction]').length") == 0
        await loaded.close()


async def test_shadow_roots_are_templates_and_slotted_content_stands_in_its_slot(see: See) -> None:
    dom = await see("""
        <x-card><b>Slotted</b> words</x-card><div id=h></div><my-box><template shadowrootmode=closed><i>Declared</i></template></my-box>
        <script>
          customElements.define("x-card", class extends HTMLElement { constructor() { super();
            this.attachShadow({mode: "open"}).innerHTML = "<style>b {}</style><p>Own <slot></slot></p>"; } });
          const root = h.attachShadow({mode: "closed"}); root.innerHTML = "<p>Closed</p>";
          const inner = document.createElement("div"); root.append(inner);
          inner.attachShadow({mode: "closed"}).innerHTML = "<p>Nested</p>";
        </script>""")
    written = (await html(dom)).replace(" </", "</").strip()
    assert written == (
        '<x-card><template shadowrootmode="open"><p>Own <slot><b>Slotted</b> words</slot></p></template></x-card>'
        '<div id="h"><template shadowrootmode="closed"><p>Closed</p>'
        '<div><template shadowrootmode="closed"><p>Nested</p></template></div></template></div>'
        '<my-box><template shadowrootmode="closed"><i>Declared</i></template></my-box>'
    )


async def test_frames_stand_in_their_elements_whatever_process_they_live_in(see: See, site: Site) -> None:
    site.page("<p>Nested cross</p>", path="/nested")
    site.page(f"<p>Cross</p><iframe src='{site.url('/nested')}'></iframe><p>After nested</p>", path="/cross")
    site.page("<p>Same</p><iframe srcdoc='<p>Deep</p>'></iframe>", path="/same")
    dom = await see(
        f"<iframe src=/same></iframe><p>Between</p><iframe src='{site.other('/cross')}'></iframe><p>After</p>"
    )
    written = await markup(dom)
    order = ["<p>Same", "<p>Deep", "<p>Between", "<p>Cross", "<p>Nested cross", "<p>After nested", "<p>After"]
    places = [written.html.index(text) for text in order]
    assert places == sorted(places)
    assert written.html.count("<iframe") == written.html.count("</iframe>") == 4
    assert (written.missing, "data-unreadable" in written.html) == ([], False)


async def test_a_frame_that_does_not_answer_says_so(see: See, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sight, "DEADLINE_MS", 1500)
    site.page(
        "<p>Inside</p><script>onmessage = () => { const end = Date.now() + 6000; while (Date.now() < end); }</script>",
        path="/busy",
    )
    dom = await see(f"<iframe src='{site.other('/busy')}' title='\"Pay\"'></iframe><p>Outside</p>")
    assert "Inside" in await html(dom)
    await dom.tab.evaluate("frames[0].postMessage('work', '*')")
    dom.invalidate_snapshot()
    written = await markup(dom)
    ((_, attributes),) = [tag for tag in Read(written.html).tags if tag[0] == "iframe"]
    assert attributes["data-unreadable"] == "did not answer in time"
    assert "Outside" in written.html
    assert len(written.missing) == 1
    assert written.missing[0].endswith("/busy: did not answer in time")


async def test_a_frame_that_crashed_says_so(see: See, site: Site) -> None:
    site.page("<p>Inside</p>", path="/inner")
    dom = await see(f"<iframe src='{site.other('/inner')}'></iframe><p>Outside</p>")
    assert "Inside" in await html(dom)
    attachment = dom.tab.attachment
    assert attachment is not None
    frame = next(f for f in attachment.frames if f.url.endswith("/inner"))
    frame.session.post("Page.navigate", {"url": "chrome://crash"})
    await attachment.changes.until(lambda: frame.crashed, timeout_s=10)
    written = await markup(dom)
    assert ' data-unreadable="crashed"></iframe>' in written.html
    assert "Outside" in written.html


def assert_well_formed(written: str) -> None:
    """Every element that is opened is closed, in order."""
    again = Balance()
    again.feed(written)
    again.close()
    assert again.open == []
    assert not again.wrong


class Balance(Read):
    def __init__(self) -> None:
        self.open: list[str] = []
        self.wrong: list[str] = []
        super().__init__("")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "hr", "img", "input", "wbr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def units(text: str) -> int:
    """The length of a text as a page counts it: no less than ours."""
    return len(text.encode("utf-16-le")) // 2


async def test_html_ends_at_its_limit_and_is_whole(see: See) -> None:
    row = "<tr id=r{0}><td>Row &lt;{0}&gt; &amp; 😀 more<td><b>bold</b><br><input value=v{0}></tr>"
    rows = "".join(row.format(n) for n in range(2500))
    dom = await see(f"<main><section><table>{rows}</table></section></main>")
    for limit in (100, 101, 137, 400, 5000, 50_000, 200_000):
        written = await markup(dom, max_chars=limit)
        assert written.truncated
        assert limit - 300 < units(written.html) <= limit
        assert_well_formed(written.html)


async def test_one_long_text_is_cut_between_characters(see: See) -> None:
    dom = await see("<p>" + "&lt;😀&amp;" * 400 + "</p>")
    for limit in range(1000, 1030):
        written = await markup(dom, max_chars=limit)
        assert limit - 30 < units(written.html) <= limit
        assert written.html.endswith("…</p></body></html>")
        assert_well_formed(written.html)
        assert set(Read(written.html).text.removeprefix("Test")) <= set("<😀&…")


async def test_frames_share_the_limit_and_the_page_comes_first(see: See, site: Site) -> None:
    site.page("<p>inside word </p>" * 1000, path="/long")
    site.page("<p>short</p>", path="/short")
    dom = await see(
        f"<iframe src='{site.other('/long')}'></iframe><iframe src='{site.other('/short')}'></iframe><p>Outside</p>"
    )
    whole = await markup(dom)
    assert (whole.truncated, whole.html.count("inside word")) == (False, 1000)
    cut = await markup(dom, max_chars=5000)
    assert cut.truncated
    assert 4000 < len(cut.html) <= 5000
    assert cut.html.count("inside word") > 100
    assert "Outside" in cut.html
    assert_well_formed(cut.html)
    none = await markup(dom, max_chars=600)
    assert none.truncated
    assert 'data-unreadable="left out, the limit was reached"' in none.html
    assert len(none.html) <= 600


async def test_html_of_a_subtree_also_in_another_process(see: See, site: Site) -> None:
    site.page("<form aria-label=Inner><button>In</button></form><button>Out</button>", path="/cross")
    dom = await see(f"<button>Before</button><iframe src='{site.other('/cross')}'></iframe>")
    snapshot = await dom.get_snapshot()
    form = snapshot.node_id(next(i for i, n in enumerate(snapshot.page.tree.nodes) if n.role == "form"))
    snapshot.forget_index()
    assert (await markup(dom, scope=form)).html == '<form aria-label="Inner"><button>In</button></form>'
    inside = await markup(dom, "skeleton", scope=form)
    assert ">In</button>" in inside.html
    assert inside.html.count("<button") == 1
    with pytest.raises(NodeNotFoundError):
        await markup(dom, scope="4711")


async def test_elements_nested_too_deep_are_counted(see: See) -> None:
    dom = await see("""<p>Shown</p><div id=d></div><script>
        let e = d; for (let i = 0; i < 1000; i++) { const n = document.createElement("div"); n.append("L" + i); e = e.appendChild(n); }
        </script>""")
    written = await markup(dom)
    assert "Shown" in written.html
    assert "L500" in written.html
    assert "nested too deep" in written.missing[0]
    assert_well_formed(written.html)


async def test_half_characters_break_nothing(see: See) -> None:
    dom = await see(
        "<p id=p>x</p><a href=/ id=a>y</a><script>p.textContent = 'half \\ud83d \\\\ud83d whole \\ud83d\\ude00';"
        "a.ariaLabel = a.id = 'z'.repeat(249) + '\\ud83d\\ude00'</script>"
    )
    assert "half \ufffd \\ud83d whole 😀" in (await dom.observe()).text
    assert "half \ufffd \\ud83d whole 😀</p>" in await html(dom)
    assert "z\ufffd" in (await markup(dom, "skeleton")).html


@pytest.mark.parametrize("bad", [0, 99, 200_001, "many"])
async def test_a_limit_that_makes_no_sense_is_refused(see: See, bad: Any) -> None:
    dom = await see("x")
    with pytest.raises(InvalidArgumentError, match="max_chars"):
        await dom.get_serialized_dom(SerializationOptions(format="html", max_chars=bad))


@pytest.mark.parametrize("form", ["html", "skeleton", "v3", "v2"])
async def test_no_format_of_a_page_that_opted_out_or_is_held(see: See, form: Any) -> None:
    options = SerializationOptions(format=form)
    dom = await see("<button onclick='alert(1)'>Go</button>")
    await dom.observe()
    await dom.click("1")
    with pytest.raises(SnapshotError, match="alert"):
        await dom.get_serialized_dom(options)
    assert dom.tab.dialog is not None
    await dom.tab.dialog.accept()
    await dom.tab.evaluate("document.body.setAttribute('data-no-ai', '')")
    with pytest.raises(PageOptedOutError):
        await dom.get_serialized_dom(options)


async def test_html_of_an_empty_page(context: BrowserContext) -> None:
    dom = await DomService.for_tab(await context.new_tab())
    assert (await markup(dom)).truncated is False


async def test_looking_at_html_leaves_the_next_look_as_it_was(see: See) -> None:
    """Closed roots that came after the last look are found by the next one, not lost."""
    dom = await see("<div id=h style='width:50px;height:50px'></div><button>Go</button>")
    await dom.get_snapshot()
    await dom.tab.evaluate(
        "h.attachShadow({mode: 'closed'}).innerHTML = '<button style=width:50px>New</button>'; h.style.width = '60px'"
    )
    snapshot = dom.current_snapshot
    assert snapshot is not None
    await dom._sight.markup(snapshot, max_chars=1000, start=-1)
    assert "New" in (await dom.observe(viewport_only=False)).text
    assert "New" in await html(dom)


# skeleton


async def test_the_skeleton_has_what_selectors_are_made_of(see: See) -> None:
    dom = await see("""
        <p>Text</p><a id=home href="/home?a=1&amp;b=2" name=n>Home</a>
        <label for=q>Search</label><input id=q name=query type=search placeholder="Tea" data-test=search-field>
        <div role=button tabindex=0 aria-label=Close>×</div><button hidden>Hidden</button><input type=submit value=Go>
        <div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<button name=like>Like</button>'</script>
    """)
    assert (await markup(dom, "skeleton")).html.splitlines() == [
        '<a data-node-id="1" id="home" name="n" href="/home?a=1&amp;b=2">Home</a>',
        '<input data-node-id="2" id="q" name="query" type="search" data-test="search-field" placeholder="Tea"'
        ' data-name="Search">',
        '<div data-node-id="3" role="button" aria-label="Close"></div>',
        '<input data-node-id="4" type="submit" value="Go">',
        '<button data-node-id="5" name="like">Like</button>',
    ]


async def test_the_default_look_has_no_more_in_it_for_the_skeletons_sake(see: See) -> None:
    dom = await see("<input id=q name=query>")
    snapshot = await dom.get_snapshot()
    (node,) = snapshot.interactive()
    assert node.attributes == {"type": "text"}


# v3 and v2


async def test_v3_is_what_can_be_acted_on_in_the_viewport(see: See, site: Site) -> None:
    site.page("<style>body {margin: 0}</style><button style='width:80px;height:20px'>Pay</button>", path="/pay")
    dom = await see(f"""<style>body {{ margin: 0 }} button, div, iframe {{ display: block; height: 40px; width: 200px; margin: 0; border: 0 }}</style>
        <button>Buy</button><button disabled>Under</button>
        <div style="position:fixed;top:40px;height:40px;background:red">Cookies</div>
        <div style="overflow:auto;height:100px;width:200px" aria-label=Rows><p style="height:500px"><a href=/a>A</a></p></div>
        <iframe src="{site.other("/pay")}"></iframe><div style="height:2400px"></div><button>Below</button>""")
    page = await v3(dom)
    told = {node.n: node for node in page.interactive_tree}
    assert list(told) == ["Buy", "Under", "Rows", "A", "Pay"]
    assert (told["Buy"].xy, told["Buy"].occ, told["Buy"].i) == ((100, 20), False, 1)
    assert (told["Under"].occ, told["Under"].s) == (True, "disabled")
    assert told["Rows"].scr is not None
    assert told["Rows"].scr.h
    assert (told["Pay"].f, told["Pay"].xy) == (1, (40, 190))
    assert page.scroll_position == "0%"
    assert [c.id for c in page.scrollable_containers] == [str(told["Rows"].i)]
    await dom.scroll(told["Rows"].i, to="end")
    await dom.observe()
    await dom.scroll(to="end")
    after = await v3(dom)
    assert [node.n for node in after.interactive_tree] == ["Below"]
    assert after.scroll_position == "100%"


async def test_v3_tells_of_errors_that_show(see: See) -> None:
    dom = await see("<input aria-label=Zip aria-invalid=true>")
    assert (await v3(dom)).has_errors
    dom = await see("<div role=alert>Declined</div>")
    assert (await v3(dom)).has_errors
    dom = await see("<div role=alert hidden>Declined</div><button>Go</button>")
    assert not (await v3(dom)).has_errors


async def test_ids_are_the_same_in_every_format(see: See) -> None:
    dom = await see("<button>One</button><button>Two</button>")
    seen = await dom.observe()
    flat = await dom.get_serialized_dom(SerializationOptions(format="v2"))
    assert isinstance(flat, SemanticV2)
    assert [node.id for node in flat.semantic_nodes] == seen.ids
    assert [str(node.i) for node in (await v3(dom)).interactive_tree] == seen.ids
    bones = Read((await markup(dom, "skeleton")).html)
    assert [attributes["data-node-id"] for _, attributes in bones.tags] == seen.ids
    assert (await dom.click(seen.ids[1])).success


# the ways in


async def test_the_tool_gives_every_format(tool: DOMTool, context: BrowserContext, site: Site) -> None:
    tab = await context.new_tab(site.page("<button id=go>Go</button>" + "<p>words </p>" * 300))

    async def get(**options: Any) -> Any:
        response = await tool.execute({"action": "get_dom", "tabId": tab.id, "options": options})
        return response.data if response.success else response.error

    assert (await get(format="v3"))["interactiveTree"][0]["n"] == "Go"
    assert (await get(format="v2"))["semanticNodes"][0]["name"] == "Go"
    assert (await get(format="skeleton"))["html"] == '<button data-node-id="1" id="go">Go</button>'
    cut = await get(format="html", maxChars=500)
    assert (len(cut["html"]) <= 500, cut["truncated"]) == (True, True)
    assert (await get(format="html", maxChars=300_000)).code == "VALIDATION_ERROR"


async def test_the_command_gives_every_format(site: Site) -> None:
    url = site.page("<button id=go>Go</button>" + "<p>words</p>" * 300)

    async def told(*argv: str) -> str:
        done = await asyncio.to_thread(run, "snapshot", url, *argv)
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert json.loads(await told("--format", "v3"))["interactiveTree"][0]["n"] == "Go"
    assert await told("--format", "skeleton") == '<button data-node-id="1" id="go">Go</button>\n'
    assert len(await told("--format", "html", "--max-chars", "300")) <= 301
    assert json.loads(await told("--format", "html", "--json"))["html"].startswith("<html")
