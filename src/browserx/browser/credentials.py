"""Who we are to servers and proxies that ask: kept by origin, never printed, never on a command line."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from browserx.browser.storage import check_origin
from browserx.errors import InvalidArgumentError

#: ``{"origin": …, "username": …, "password": …}``, or several of them.
HttpCredentials = Mapping[str, str] | Iterable[Mapping[str, str]]
#: ``http://host:port``, or ``{"server": …, "username": …, "password": …, "bypass": …}``.
ProxySettings = str | Mapping[str, str]


@dataclass(frozen=True)
class Login:
    """A name and its password."""

    username: str
    password: str = field(repr=False)


@dataclass(frozen=True)
class Logins:
    """Those of a context: by origin for servers, and that of its proxy."""

    by_origin: Mapping[str, Login] = field(default_factory=dict)
    proxy: Login | None = None

    def __bool__(self) -> bool:
        return bool(self.by_origin) or self.proxy is not None

    def answer(self, source: str, origin: str) -> Login | None:
        """What to tell whoever asks. ``source`` is ``Server`` or ``Proxy``."""
        return self.proxy if source == "Proxy" else self.by_origin.get(origin.rstrip("/"))


@dataclass(frozen=True)
class Proxy:
    """A proxy as the browser is told of it, and who we are to it."""

    server: str
    bypass: str = ""
    login: Login | None = None


def read_http_credentials(given: HttpCredentials | None) -> dict[str, Login]:
    """Logins by origin.

    Raises:
        InvalidArgumentError: something is missing. The message has no password in it.
    """
    if given is None:
        return {}
    found: dict[str, Login] = {}
    for one in [given] if isinstance(given, Mapping) or not isinstance(given, Iterable) else given:
        _check_keys("http_credentials", one, needed=("origin", "username", "password"), also=())
        found[check_origin(one["origin"].rstrip("/"))] = Login(one["username"], one["password"])
    return found


def read_proxy(given: ProxySettings | None) -> Proxy | None:
    """A proxy. A name and password may stand in its address too; they are taken out of it.

    Raises:
        InvalidArgumentError: it is none. The message has no password in it.
    """
    if not given:
        return None
    settings = {"server": given} if isinstance(given, str) else given
    _check_keys("proxy", settings, needed=("server",), also=("username", "password", "bypass"))
    server = settings["server"]
    username, password = settings.get("username", ""), settings.get("password", "")
    if "@" in server:
        address = urlsplit(server)
        username, password = unquote(address.username or ""), unquote(address.password or "")
        server = f"{address.scheme}://{address.netloc.rpartition('@')[2]}"
    login = Login(username, password) if username or password else None
    if login is not None and server.startswith("socks"):
        raise InvalidArgumentError("browsers give no name and password to a SOCKS proxy; use an http proxy")
    return Proxy(server, settings.get("bypass", ""), login)


def _check_keys(what: str, given: object, *, needed: tuple[str, ...], also: tuple[str, ...]) -> None:
    keys = "{" + ", ".join(f'"{name}": …' for name in (*needed, *also)) + "}"
    if not isinstance(given, Mapping):
        raise InvalidArgumentError(f"{what} looks like {keys}")
    missing = [name for name in needed if not given.get(name)]
    unknown = sorted(str(name) for name in given if name not in needed + also)
    if missing or unknown or not all(isinstance(value, str) for value in given.values()):
        wrong = f"it has no {missing[0]}" if missing else f"there is no {unknown[0]}" if unknown else "all are texts"
        raise InvalidArgumentError(f"{what} looks like {keys}: {wrong}")
