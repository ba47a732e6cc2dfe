"""The shop: two servers on loopback, one for the shop and one, of another site, for its payment provider."""

import html
import json
import secrets
import threading
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import resources
from string import Template
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Tea:
    """One product."""

    slug: str
    name: str
    kind: str
    price: float
    color: str
    text: str


TEAS = (
    Tea("earl-grey", "Earl Grey Supreme", "Black tea", 9.50, "#8a4b2a", "Ceylon leaves with oil of bergamot."),
    Tea("lapsang", "Lapsang Souchong", "Black tea", 12.00, "#5a3a2e", "Dried over pine fires; smoky and deep."),
    Tea("sencha", "Sencha Asamushi", "Green tea", 14.25, "#7ba05b", "Lightly steamed, grassy, with a clean finish."),
    Tea("jasmine", "Jasmine Pearls", "Green tea", 18.00, "#b7c68b", "Hand-rolled and scented with fresh blossoms."),
    Tea("oolong", "Milk Oolong", "Oolong", 16.75, "#c9a66b", "High-mountain leaves with a creamy cup."),
    Tea("rooibos", "Rooibos Vanilla", "Herbal", 7.25, "#b5532a", "Free of caffeine, soft and sweet."),
)


@dataclass
class Basket:
    """What one visitor has chosen: slug and size, and how many."""

    lines: dict[tuple[str, str], int] = field(default_factory=dict)

    def total(self) -> float:
        """In euros."""
        return sum(tea(slug).price * (2 if size == "250 g" else 1) * n for (slug, size), n in self.lines.items())


def tea(slug: str) -> Tea:
    """The product of this name. Raises KeyError."""
    for one in TEAS:
        if one.slug == slug:
            return one
    raise KeyError(slug)


class Shop:
    """Open while it is entered. ``address`` is the shop's front page."""

    def __init__(self) -> None:
        self.baskets: dict[str, Basket] = {}
        self.orders: list[dict[str, Any]] = []
        self._payment = _serve(self, _PaymentPages)
        self._shop = _serve(self, _ShopPages)
        self.address = f"http://localhost:{self._shop.server_port}/"
        # Another host name is another site for the browser, though it is the same machine.
        self.payment_address = f"http://127.0.0.1:{self._payment.server_port}/"

    def __enter__(self) -> "Shop":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for server in (self._shop, self._payment):
            server.shutdown()
            server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, shop: Shop, handler: type[BaseHTTPRequestHandler]) -> None:
        self.shop = shop
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away in the middle of an answer is nothing to report."""


def _serve(shop: Shop, handler: type[BaseHTTPRequestHandler]) -> _Server:
    server = _Server(shop, handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server


class _Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  (the base class names it)
        """Say nothing: the demo has the floor."""

    def answer(self, body: str, *, status: int = 200, headers: dict[str, str] | None = None) -> None:
        """Send a page."""
        data = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def redirect(self, to: str, headers: dict[str, str] | None = None) -> None:
        """Send somebody elsewhere."""
        self.answer("", status=303, headers={"Location": to, **(headers or {})})

    def form(self) -> dict[str, str]:
        """The fields of a posted form."""
        length = int(self.headers.get("Content-Length") or 0)
        return {name: values[0] for name, values in parse_qs(self.rfile.read(length).decode()).items()}


class _ShopPages(_Pages):
    _new_visitor: str | None = None

    def do_GET(self) -> None:
        """Answer one request."""
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        if url.path == "/":
            self.page("Fine teas", _grid(TEAS, "All our teas"))
        elif url.path == "/search":
            words = query.get("q", "").lower()
            found = [t for t in TEAS if words in f"{t.name} {t.kind} {t.text}".lower()]
            self.page(f"Search: {words}", _grid(found, f"{len(found)} teas for “{words}”"))
        elif url.path.startswith("/tea/"):
            self.product(url.path.removeprefix("/tea/"))
        elif url.path == "/basket":
            self.page("Your basket", _basket(self.basket()))
        elif url.path == "/checkout":
            total = self.basket().total()
            self.page(
                "Check out",
                _template(
                    "checkout", payment=f"{self.server.shop.payment_address}?amount={total:.2f}", total=f"{total:.2f}"
                ),
            )
        elif url.path.startswith("/thanks/"):
            self.thanks(url.path.removeprefix("/thanks/"))
        else:
            self.page("Not found", "<h1>There is no such page</h1>", status=404)

    def do_POST(self) -> None:
        """Take a form."""
        fields = self.form()
        if self.path == "/basket/add":
            key = (tea(fields["slug"]).slug, fields.get("size", "100 g"))
            lines = self.basket().lines
            lines[key] = lines.get(key, 0) + int(fields.get("quantity", "1"))
            self.answer(json.dumps({"count": sum(lines.values())}), headers=self.cookie())
        elif self.path == "/order":
            basket = self.basket()
            order = {**fields, "total": f"{basket.total():.2f}", "lines": dict(basket.lines)}
            order["number"] = f"T-{1000 + len(self.server.shop.orders)}"
            self.server.shop.orders.append(order)
            basket.lines.clear()
            self.redirect(f"/thanks/{order['number']}")
        else:
            self.page("Not found", "<h1>There is no such page</h1>", status=404)

    def page(self, title: str, body: str, *, status: int = 200) -> None:
        """Send a page with the shop's frame around it."""
        count = sum(self.basket().lines.values())
        self.answer(
            _template("frame", title=html.escape(title), body=body, count=str(count)),
            status=status,
            headers=self.cookie(),
        )

    def product(self, slug: str) -> None:
        try:
            one = tea(slug)
        except KeyError:
            self.page("Not found", "<h1>There is no such tea</h1>", status=404)
            return
        self.page(
            one.name,
            _template(
                "product",
                slug=one.slug,
                name=one.name,
                kind=one.kind,
                price=f"{one.price:.2f}",
                color=one.color,
                text=one.text,
            ),
        )

    def thanks(self, number: str) -> None:
        order = next((o for o in self.server.shop.orders if o["number"] == number), None)
        if order is None:
            self.page("Not found", "<h1>There is no such order</h1>", status=404)
            return
        safe = {name: html.escape(str(value)) for name, value in order.items() if name != "lines"}
        self.page("Thank you", _template("thanks", **safe))

    def visitor(self) -> str:
        """Who asks; a new visitor gets a name."""
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("visitor")
        if cookie is not None:
            return cookie.value
        if self._new_visitor is None:
            self._new_visitor = secrets.token_hex(8)
        return self._new_visitor

    def cookie(self) -> dict[str, str]:
        return {"Set-Cookie": f"visitor={self.visitor()}; Path=/; HttpOnly; SameSite=Lax"}

    def basket(self) -> Basket:
        return self.server.shop.baskets.setdefault(self.visitor(), Basket())


class _PaymentPages(_Pages):
    def do_GET(self) -> None:
        """Answer one request."""
        amount = parse_qs(urlsplit(self.path).query).get("amount", ["0.00"])[0]
        self.answer(_template("payment", amount=html.escape(amount)))


def _template(page: str, /, **values: str) -> str:
    source = (resources.files(__name__.rpartition(".")[0]) / "pages" / f"{page}.html").read_text(encoding="utf-8")
    return Template(source).substitute(values)


def _grid(teas: tuple[Tea, ...] | list[Tea], title: str) -> str:
    cards = "".join(
        f'<li class="card"><span class="tin" style="background:{t.color}"></span>'
        f'<h2><a href="/tea/{t.slug}">{t.name}</a></h2><p class="kind">{t.kind}</p>'
        f'<p>{t.text}</p><p class="price">€ {t.price:.2f}</p></li>'
        for t in teas
    )
    return f'<h1>{html.escape(title)}</h1><ul class="grid">{cards}</ul>'


def _basket(basket: Basket) -> str:
    if not basket.lines:
        return '<h1>Your basket is empty</h1><p><a href="/">Look at our teas</a></p>'
    rows = "".join(
        f"<tr><td>{tea(slug).name}</td><td>{html.escape(size)}</td><td>{count}</td>"
        f"<td>€ {tea(slug).price * (2 if size == '250 g' else 1) * count:.2f}</td></tr>"
        for (slug, size), count in basket.lines.items()
    )
    return (
        "<h1>Your basket</h1><table><thead><tr><th>Tea</th><th>Size</th><th>Tins</th><th>Price</th></tr></thead>"
        f'<tbody>{rows}</tbody></table><p class="price">Total: € {basket.total():.2f}</p>'
        '<p><a class="primary" href="/checkout">Check out</a></p>'
    )
