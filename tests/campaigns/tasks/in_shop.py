"""Errands in the demo shop: several pages, a closed shadow root, a dialog, a form, and a frame of another site."""

from browserx import Tab
from tests.campaigns.tasks.errand import Errand, Places, Witness, answer_is, at, both, page_says

_BASKET = (
    "click Earl Grey Supreme, choose 250 g, click One tin more, click Add to basket, click Go to basket, "
    "then click Check out. "
    'Type "Ada Lovelace" into Full name, "ada@example.org" into E-mail, '
    '"12 St James\'s Square" into Street and number and "London" into Town. '
)


def _at_shop(name: str, query: str, witness: Witness, path: str = "") -> Errand:
    return Errand("shop", name, at(lambda places: places.shop.address + path, query), witness)


def _basket_holds(**expected: int) -> Witness:
    """The shop itself says so; ``earl_grey_250`` stands for Earl Grey in the size of 250 g."""

    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        baskets = [basket.lines for basket in places.shop.baskets.values() if basket.lines]
        held = {f"{slug}_{size}".replace("-", "_").replace(" g", ""): n for (slug, size), n in baskets[-1].items()}
        return "" if held == expected else f"the basket holds {held}, not {expected}"

    return witness


def _order_is(**expected: str) -> Witness:
    async def witness(places: Places, tab: Tab, answers: list[str]) -> str:
        order = places.shop.orders[-1] if places.shop.orders else {}
        wrong = {name: order.get(name) for name, value in expected.items() if order.get(name) != value}
        return f"the order holds {wrong}, not {expected}" if wrong else ""

    return witness


def _path_is(path: str) -> Witness:
    return page_says("location.pathname + location.search", path)


ERRANDS = (
    _at_shop(
        "search with Enter, and read what was found",
        'search for "green", then read the heading',
        both(answer_is("2 teas for “green”"), _path_is("/search?q=green")),
    ),
    _at_shop(
        "search with the button",
        'Type "smoky" into the search field and click the Search button.',
        _path_is("/search?q=smoky"),
    ),
    _at_shop("a price on a product", "Open Milk Oolong and read the price.", answer_is("€ 16.75")),
    _at_shop(
        "a link of the navigation, then of a product",
        "Click Herbal, then click Rooibos Vanilla and read the heading",
        both(answer_is("Rooibos Vanilla"), _path_is("/tea/rooibos")),
    ),
    _at_shop(
        "into the basket from a div",
        "Click Add to basket, then click Keep looking",
        both(_basket_holds(jasmine_100=1), page_says("document.querySelector('#added').open", False)),
        "tea/jasmine",
    ),
    _at_shop(
        "a radio button, and a button in a closed root",
        "Choose 250 g. Click One tin more 2 times. Click Add to basket.",
        _basket_holds(sencha_250=3),
        "tea/sencha",
    ),
    _at_shop(
        "a dialog, and a cell of a table",
        "Click Add to basket, click Go to basket and read the Price of Lapsang Souchong",
        both(answer_is("€ 12.00"), _path_is("/basket")),
        "tea/lapsang",
    ),
    _at_shop(
        "back and forth",
        "Click Sencha Asamushi, go back, click Jasmine Pearls, go back, go forward, then read the heading",
        both(answer_is("Jasmine Pearls"), _path_is("/tea/jasmine")),
    ),
    _at_shop(
        "what is there is seen",
        'Open the Basket, make sure that "Your basket is empty" is shown, then click Look at our teas',
        _path_is("/"),
    ),
    _at_shop(
        "what is not found",
        'Search for "coffee" in Search teas, and read the heading',
        both(answer_is("0 teas for “coffee”"), _path_is("/search?q=coffee")),
    ),
    _at_shop(
        "a purchase, paid in a frame of another site",
        _BASKET + "Tick I accept the terms of sale. "
        'Type "4242424242424242" into Card number, "12/30" into Expires and "123" into Security code. '
        'Click "Pay € 38.00". Wait for "Thank you". Read the heading.',
        both(
            answer_is("Thank you, Ada Lovelace"),
            _order_is(
                name="Ada Lovelace",
                email="ada@example.org",
                street="12 St James's Square",
                town="London",
                total="38.00",
                payment="tok-4242",
            ),
        ),
    ),
)
