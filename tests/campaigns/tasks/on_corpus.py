"""Errands on pages of others: forms, widgets of well-known libraries, frames, closed roots, large tables, real sites."""

from browserx import Tab
from tests.campaigns.tasks.errand import (
    Begun,
    Errand,
    Open,
    Places,
    Witness,
    answer_is,
    at,
    frame_says,
    page_says,
    with_closed_roots_kept,
)


def _on(page: str, name: str, query: str, witness: Witness) -> Errand:
    def url(places: Places) -> str:
        assert places.corpus is not None
        return places.corpus.url(page)

    return Errand("corpus", f"{page}: {name}", at(url, query), witness)


def _in_closed_roots(page: str, name: str, query: str, witness: Witness) -> Errand:
    async def begin(places: Places, open_: Open) -> Begun:
        assert places.corpus is not None
        file = places.corpus.folder / "pages" / places.corpus.entries[page].path / "index.html"
        tab: Tab = await open_(places.site.page(with_closed_roots_kept(file.read_text())))
        return Begun(tab, (query,))

    return Errand("corpus", f"{page}: {name}", begin, witness)


ERRANDS = (
    _on(
        "adv-labels",
        "labels of every kind",
        'Type "Ann" into By for, "Bo" into Wrapping and "Cy" into Cell label. Fill "Above" with "Di". '
        "Tick Custom checkbox and choose the radio button Shop. Choose France in Country.",
        page_says(
            "[a.value, document.querySelectorAll('input')[1].value, one('td input').value,"
            " one('div > br + input').value, one('.cb input').checked, one('[name=d]:not([id])').checked,"
            " one('[aria-label=Country]').value]",
            ["Ann", "Bo", "Cy", "Di", True, True, "France"],
        ),
    ),
    _on(
        "adv-divs",
        "divs that act",
        'Click "addEventListener div". Double-click "double click me". Click "Delegated two". Click Settings. '
        "Click Item 5.",
        page_says("log.textContent.trim()", "al dbl del 3 5"),
    ),
    _on("adv-table20k", "a row of twenty thousand", "Click Record 12", page_says("location.hash", "#r12")),
    _on(
        "adv-virtual",
        "further down in a box",
        "Click User 40",
        page_says("location.hash", "#u40"),
    ),
    _in_closed_roots(
        "wc-closed",
        "a login in a closed root",
        'Type "ann" into User and "s3cret" into Password, tick Remember me and click the Outer button',
        page_says(
            "[one('input:not([type])').value, one('[type=password]').value, one('[type=checkbox]').checked]",
            ["ann", "s3cret", True],
        ),
    ),
    _in_closed_roots(
        "wc-closed",
        "a list in a root in a root",
        'Choose 2 from the list. Click "★ Favourite".',
        page_says("[one('select').value, one('x-star').hasAttribute('on')]", ["2", True]),
    ),
    _on(
        "wc-shoelace",
        "a form of Shoelace",
        'Type "Bob" into Name, choose Basic in Plan, tick Subscribe, switch on Public, pick the radio button M '
        "and click the Custom tab",
        page_says(
            "[one('sl-input').value, one('sl-select').value, one('sl-checkbox').checked, one('sl-switch').checked,"
            " one('sl-radio-group').value, one('sl-tab[active]').textContent]",
            ["Bob", "a", True, True, "2", "Custom"],
        ),
    ),
    _on(
        "wc-shoelace-dialog",
        "a dialog of Shoelace",
        'Type "new.txt" into New name, choose A in Folder, and click Rename',
        page_says("[one('sl-dialog sl-input').value, one('sl-dialog sl-select').value]", ["new.txt", "a"]),
    ),
    _on(
        "wc-vaadin",
        "a form of Vaadin",
        'Fill First name with "Ada". Choose Japan from Country. Tick CSV. Choose the radio button Card. '
        "Set Born to 2001-02-03. Click the Orders tab.",
        page_says(
            "[one('vaadin-text-field').value, one('vaadin-combo-box').value, one('vaadin-checkbox[label=CSV]').checked,"
            " one('vaadin-radio-group').value, one('vaadin-date-picker').value, one('vaadin-tabs').selected]",
            ["Ada", "Japan", True, "2", "2001-02-03", 1],
        ),
    ),
    _on(
        "wc-ui5",
        "a form of UI5",
        'Type "Ada" into Name, check Agree, pick the radio button B, click Satellite and click the Two tab',
        page_says(
            "[one('ui5-input').value, one('ui5-checkbox').checked, all('ui5-radio-button').map((b) => b.checked)]",
            ["Ada", True, [False, True]],
        ),
    ),
    _on(
        "app-react-mui",
        "a form of MUI",
        'Type "Ada" into Full name, tick Notify me, select the radio button Express, and click the SHIPPING tab',
        page_says(
            "[all('input').some((i) => i.value === 'Ada'),"
            " one('[role=tab][aria-selected=true]').textContent.toUpperCase(), one('input[type=radio]:checked').value]",
            [True, "SHIPPING", "b"],
        ),
    ),
    _on(
        "app-react-mui",
        "a button in a row",
        "Tick the checkbox in the row of Cupcake, then go to page 2",
        page_says("one('[aria-current]') !== null", True),
    ),
    _on(
        "app-vue-vuetify",
        "a form of Vuetify",
        'Type "Ada" into First name and "hello" into Bio. Tick Agree. Choose the radio button Radio two. '
        "Click the TWO tab. Click ACCEPT.",
        page_says(
            "[one('input').value, one('textarea').value, one('[role=tab][aria-selected=true]').textContent.trim()]",
            ["Ada", "hello", "Two"],
        ),
    ),
    _on(
        "app-fullcalendar",
        "another month",
        "Click Next month twice, then read the heading",
        answer_is("July 2026"),
    ),
    _on("app-tabler-datatables", "a cell", "Read the Score of Maverick", answer_is("99,1%")),
    _on(
        "app-tinymce",
        "an editor in a frame",
        'Type "Spring" into Title, choose Blog in Category, type "Hello world" into Rich Text Area, then click Publish',
        page_says(
            "[ti.value, document.querySelector('select').value, one('#tinymce').textContent]",
            ["Spring", "Blog", "Hello world"],
        ),
    ),
    _on(
        "app-adminlte-mailbox",
        "find in a list of mails",
        'Search for "budget" in Search Mail',
        page_says("one('[placeholder=\"Search Mail\"]').value", "budget"),
    ),
    _on(
        "if-nested-same",
        "frames in frames",
        'Type "abc" into l1 input, click srcdoc button, then click after',
        page_says("one('input').value", "abc"),
    ),
    _on(
        "if-xsite-1",
        "a frame of another site",
        'Type "Well said" into Write a comment and click the Reply link in the row of User 2',
        frame_says(
            "127.0.0.1",
            "[document.querySelector('textarea').value, location.hash]",
            ["Well said", "#r2"],
        ),
    ),
    _on(
        "real-shop-product",
        "a price",
        "What is the heading?",
        answer_is("Better Off Dead [Exclusive Blu-ray Steelbook]", exactly=False),
    ),
    _on("real-shop-product", "whether it is there", "Read the Availability", answer_is("In Stock", exactly=False)),
    _on(
        "real-wikipedia-4",
        "a cell of a long table",
        "Read the Year of The Girl Who Leapt Through Time",
        answer_is("1983"),
    ),
    _on("real-zdnet", "a headline", "Read the heading", answer_is("Best tech gadgets of 2019", exactly=False)),
    _on(
        "real-links-in-tables",
        "a cell of a table of links",
        "Read the Original Size of Gmail",
        answer_is("17.8 MB"),
    ),
    _on(
        "real-nytimes-3",
        "the title",
        "Read the title of the page",
        answer_is("", exactly=False),
    ),
)
