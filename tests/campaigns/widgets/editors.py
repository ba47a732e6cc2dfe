"""Editors, grids and calendars: TinyMCE, AG Grid, FullCalendar, JSONEditor, GraphiQL."""

from browserx import InvalidArgumentError
from tests.campaigns.widgets.scene import Scenario, Scene, need, simple

_TINYMCE, _GRID, _CALENDAR, _JSON, _GRAPHIQL = (
    "app-tinymce",
    "app-aggrid",
    "app-fullcalendar",
    "app-jsoneditor",
    "app-graphiql",
)
_CONTENT = "tinymce.activeEditor.getContent()"


async def _bold(scene: Scene) -> None:
    """Typed, all of it selected by a chord, and made bold by a button; undone by another chord."""
    text = await scene.id_of("textbox", "Rich Text Area")
    await scene.does(scene.dom.type(text, "Plain words"), _CONTENT, "<p>Plain words</p>")
    await scene.dom.keypress("Control+A")
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Bold")), _CONTENT, "<p><strong>Plain words</strong></p>"
    )
    await scene.does(scene.dom.keypress("b", ["Ctrl"]), _CONTENT, "<p>Plain words</p>")


async def _append(scene: Scene) -> None:
    text = await scene.id_of("textbox", "Rich Text Area")
    await scene.does(
        scene.dom.type(text, "Bye ", clear=False), f"{_CONTENT}.replace(/<[^>]+>/g, '').includes('Bye')", True
    )
    need("link" in await scene.ask(_CONTENT), "what was there is gone")


async def _lines(scene: Scene) -> None:
    text = await scene.id_of("textbox", "Rich Text Area")
    await scene.does(
        scene.dom.type(text, "one\ntwo"),
        "tinymce.activeEditor.getContent({format: 'text'}).split(/\\n+/)",
        ["one", "two"],
    )


async def _context_menu(scene: Scene) -> None:
    link = await scene.id_of("link", "link")
    await scene.does(scene.dom.click(link, button="right"), "shown(one('.tox-menu'))", True)
    need("menuitem" in await scene.line("Link"), "the menu is not seen")
    await scene.does(scene.dom.keypress("Escape"), "shown(one('.tox-menu'))", False)


async def _submenu(scene: Scene) -> None:
    await scene.does(scene.dom.click(await scene.id_of("menuitem", "Format")), "all('.tox-menu').length", 1)
    await scene.does(scene.dom.hover(await scene.id_of("menuitem", "Formats")), "all('.tox-menu').length", 2)
    need("Headings" in await scene.line("Headings"), "the submenu is not seen")


async def _dialog(scene: Scene) -> None:
    """A dialog of the editor is opened, filled in, and saved: the link is in the text."""
    await scene.dom.type(await scene.id_of("textbox", "Rich Text Area"), "words")
    await scene.dom.keypress("Control+A")
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Insert/edit link")), "shown(one('.tox-dialog'))", True
    )
    await scene.dom.type(await scene.id_of("combobox", "URL"), "https://a.example/")
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Save")), f"{_CONTENT}.includes('https://a.example/')", True
    )


async def _blocks(scene: Scene) -> None:
    await scene.dom.click(await scene.id_of("textbox", "Rich Text Area"))
    await scene.does(
        scene.dom.choose(await scene.id_of("button", "Block Paragraph"), "Heading 2"),
        f"{_CONTENT}.startsWith('<h2')",
        True,
    )


async def _tooltip(scene: Scene) -> None:
    result = await scene.dom.hover(await scene.id_of("button", "Italic"))
    need(result.success, f"told {result}")
    await scene.comes("shown(one('.tox-tooltip'))", True)
    need("Italic" in await scene.line("Italic"), "the tooltip is not seen")


async def _filter(scene: Scene) -> None:
    """The grid waits until nobody has typed for a while."""
    result = await scene.dom.type(await scene.id_of("textbox", "Country Filter Input"), "C7")
    need(result.success and result.changes is not None and result.changes.value_now == "C7", f"told {result}")
    await scene.comes("all('.ag-row [col-id=country]').filter((e) => e.textContent !== 'C7').length", 0)


async def _edit_cell(scene: Scene) -> None:
    """A double click opens the editor of a cell, Enter takes what was typed."""
    cell = (await scene.dom.find("Athlete 1", role="gridcell"))[0].node_id
    await scene.does(scene.dom.click(cell, click_count=2), "!!one('.ag-cell-inline-editing input')", True)
    editor = await scene.id_of("textbox", "Input Editor")
    await scene.does(
        scene.dom.type(editor, "Somebody\n"),
        "one('.ag-row[row-index=\"1\"] [col-id=athlete]').textContent.trim()",
        "Somebody",
    )


async def _scroll_grid(scene: Scene) -> None:
    cell = await scene.id_of("gridcell", "C0")
    shown = "all('.ag-row').map((e) => +e.getAttribute('row-index')).includes(99)"
    await scene.does(scene.dom.scroll(cell, to="end"), shown, True)
    need("Athlete 99" in await scene.line("Athlete 99"), "the last row is not seen")


async def _column(scene: Scene) -> None:
    """A column is taken by its head to where another is."""
    order = (
        "all('.ag-header-row-column .ag-header-cell').sort((a, b) => a.getBoundingClientRect().x - b.getBoundingClientRect().x)"
        ".map((e) => e.getAttribute('col-id'))"
    )
    age = (await scene.dom.find("Age", role="columnheader"))[0].node_id
    link = (await scene.dom.find("Link", role="columnheader"))[0].node_id
    await scene.does(scene.dom.drag(age, link), order, ["athlete", "country", "link", "age", "gold"])


async def _rows(scene: Scene) -> None:
    """One row by its box, and with Shift all up to another."""
    selected = "all('.ag-row-selected').length"
    await scene.does(scene.dom.check(await scene.id_of("checkbox", "toggle row selection")), selected, 1)
    cell = await scene.id_of("gridcell", "C3")
    await scene.does(scene.dom.click(cell, modifiers=["Ctrl"]), selected, 2)


async def _move_event(scene: Scene) -> None:
    event = await scene.id_of("link", "Meeting 6")
    day = await scene.id_of("link", "6")
    await scene.does(
        scene.dom.drag(event, day),
        "one('[data-date=\"2026-05-06\"]').textContent.includes('Meeting 6')",
        True,
    )


async def _views(scene: Scene) -> None:
    await scene.does(scene.dom.click(await scene.id_of("button", "list")), "!!one('.fc-list')", True)
    need("Meeting 13" in await scene.line("Meeting 13"), "the list is not seen")
    await scene.does(scene.dom.click(await scene.id_of("button", "month")), "!!one('.fc-daygrid')", True)


async def _find(scene: Scene) -> None:
    found = await scene.dom.find("meeting 12", role="link")
    need([one.name for one in found] == ["Meeting 12"], f"found {found}")
    need("Meeting 12" in await scene.dom.read(found[0].node_id), "it does not read what it says")


async def _json(scene: Scene) -> None:
    """A value is a piece of the page that can be edited, and has no name: told by what it says."""
    hello = (await scene.line("string")).rpartition(" textbox = Hello")[0].split("|")[-1]
    await scene.does(scene.dom.type(hello, "Bye"), "one('.jsoneditor-string', 'Bye')?.textContent ?? ''", "Bye")


async def _collapse_all(scene: Scene) -> None:
    first = await scene.id_of("button", "Click to expand/collapse", 0)
    await scene.does(scene.dom.click(first), "all('.jsoneditor-tree .jsoneditor-string').filter(shown).length", 0)
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Click to expand/collapse", 0), modifiers=["Ctrl"]),
        "all('.jsoneditor-tree .jsoneditor-string').filter(shown).length > 3", True,
    )  # fmt: skip


async def _query(scene: Scene) -> None:
    """An editor that keeps its text out of sight: clicked, emptied by keys, written by keys."""
    query = "one('.CodeMirror').CodeMirror.getValue()"
    editor = await scene.id_of("clickable", "query { hero")
    await scene.does(scene.dom.type(editor, "{ hello }"), f"{query}.replace(/\\s+/g, ' ')", "{ hello }")


async def _run(scene: Scene) -> None:
    await scene.does(
        scene.dom.click(await scene.id_of("button", "Open settings dialog")), "shown(one('[role=dialog]'))", True
    )
    need("Theme" in await scene.line("Theme"), "the dialog is not seen")
    await scene.does(scene.dom.keypress("Escape"), "shown(one('[role=dialog]'))", False)


async def _no_option(scene: Scene) -> None:
    category = await scene.id_of("combobox", "Category")
    await scene.refused(
        scene.dom.select_option(category, label="Sports"), InvalidArgumentError, "Blog", "one('select').value"
    )


SCENARIOS = (
    simple("type", "TinyMCE", _TINYMCE, ("textbox", "Rich Text Area"), lambda d, i: d.type(i, "New words"), _CONTENT,
           "<p>New words</p>"),
    Scenario("type without clearing", "TinyMCE", _TINYMCE, _append),
    Scenario("type two paragraphs", "TinyMCE", _TINYMCE, _lines),
    simple("type char by char", "TinyMCE", _TINYMCE, ("textbox", "Rich Text Area"), lambda d, i: d.type(i, "Hey", char_by_char=True),
           _CONTENT, "<p>Hey</p>"),
    Scenario("keypress, chords", "TinyMCE", _TINYMCE, _bold),
    Scenario("right click", "TinyMCE", _TINYMCE, _context_menu),
    Scenario("hover", "TinyMCE, a submenu", _TINYMCE, _submenu),
    Scenario("hover", "TinyMCE, a tooltip", _TINYMCE, _tooltip),
    Scenario("click", "TinyMCE, its dialog", _TINYMCE, _dialog),
    Scenario("choose", "TinyMCE, blocks", _TINYMCE, _blocks),
    simple("select_option", "a native select beside TinyMCE", _TINYMCE, ("combobox", "Category"),
           lambda d, i: d.select_option(i, label="Blog"), "one('select').value", "Blog", value_now="Blog"),
    Scenario("select_option refused", "a native select beside TinyMCE", _TINYMCE, _no_option),
    Scenario("type", "AG Grid, a filter", _GRID, _filter),
    simple("type a number", "AG Grid, its page", _GRID, ("spinbutton", "Page number"), lambda d, i: d.type(i, "3\n"),
           "one('.ag-paging-row-summary-panel').textContent.replace(/\\s+/g, ' ').includes('201')", True),
    simple("click", "AG Grid, next page", _GRID, ("button", "Next Page"), lambda d, i: d.click(i),
           "one('.ag-row[row-index=\"100\"]') !== null", True),
    simple("check", "AG Grid, a row", _GRID, ("checkbox", "toggle row selection", 2), lambda d, i: d.check(i),
           "all('.ag-row-selected').map((e) => e.getAttribute('row-index'))", ["2"]),
    Scenario("ctrl-click", "AG Grid, a second row", _GRID, _rows),
    Scenario("dblclick", "AG Grid, a cell", _GRID, _edit_cell),
    Scenario("scroll to its end", "AG Grid", _GRID, _scroll_grid),
    simple("choose", "AG Grid, page size", _GRID, ("combobox", "Page Size"), lambda d, i: d.choose(i, "20"),
           "one('.ag-paging-page-size').textContent.includes('20')", True),
    Scenario("drag", "AG Grid, a column", _GRID, _column),
    simple("click", "FullCalendar, next", _CALENDAR, ("button", "Next month"), lambda d, i: d.click(i), "one('h2').textContent",
           "June 2026"),
    Scenario("click", "FullCalendar, views", _CALENDAR, _views),
    Scenario("drag", "FullCalendar, an event", _CALENDAR, _move_event),
    Scenario("find and read", "FullCalendar", _CALENDAR, _find),
    simple("pick_date", "FullCalendar", _CALENDAR, ("button", "today"), lambda d, i: d.pick_date(i, "2026-07-09"),
           "one('h2').textContent", "July 9, 2026"),
    Scenario("type", "JSONEditor, a value", _JSON, _json),
    Scenario("ctrl-click", "JSONEditor, an arrow", _JSON, _collapse_all),
    simple("uncheck", "JSONEditor", _JSON, ("checkbox", "", 1), lambda d, i: d.uncheck(i),
           "all('.jsoneditor-boolean').map((e) => e.textContent)", ["true", "false"]),
    Scenario("type", "CodeMirror in GraphiQL", _GRAPHIQL, _query),
    Scenario("keypress", "GraphiQL, a dialog", _GRAPHIQL, _run),
)  # fmt: skip
