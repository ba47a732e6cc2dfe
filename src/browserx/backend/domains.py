"""Which site an address belongs to: its registered domain by the public suffix list, and a session's title by it."""

from functools import cache
from ipaddress import IPv4Address, IPv6Address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from browserx.semantic.conversation import TITLE_CHARS

if TYPE_CHECKING:
    from tldextract import TLDExtract

_WITH_HOST = frozenset(("http", "https", "ws", "wss", "ftp"))
#: The longest name DNS knows.
_HOST_CHARS = 253
_UNKNOWN = "unknown"


def load() -> None:
    """Read the list (a quarter of a second; in a thread), so that the first request does not wait for it."""
    _suffixes().extract_str("example.com")


def root_domain(url: str) -> str:
    """The part of a host's name that somebody has registered, in small letters; never empty.

    ``https://shop.example.co.uk/x`` gives ``example.co.uk``, and under a private suffix ``a.b.github.io`` gives
    ``b.github.io``. Hosts without such a part (``localhost``, addresses, a suffix itself) are given as they are, IPv6
    in brackets. What has no host gives ``about:blank``, or its scheme (``file``, ``data``); no url gives ``unknown``.
    """
    url = url.strip()
    # ``blob:https://example.com/…`` is of the site whose page made it.
    url = url[5:] if url[:5].lower() == "blob:" else url
    try:
        parts = urlsplit(url)
        host = (parts.hostname or "").rstrip(".")
    except ValueError:
        return _UNKNOWN
    scheme = parts.scheme.lower()
    if scheme == "about":
        return f"about:{parts.path}"[:_HOST_CHARS]
    if scheme not in _WITH_HOST:
        return scheme[:_HOST_CHARS] or _UNKNOWN
    if not host:
        return _UNKNOWN
    return _registered(host)


def title(domain: str, task: str) -> str:
    """``{domain}: {task}`` on one line, cut at a word to 200 characters."""
    text = " ".join(f"{domain}: {task}".split())
    if len(text) <= TITLE_CHARS:
        return text
    most = TITLE_CHARS - 1
    # A character more: a word that ends there is whole.
    kept, space, _ = text[: most + 1].rpartition(" ")
    # Where there is no word to cut at (or only the domain's), within one.
    return f"{kept if space and len(kept) > len(domain) + 1 else text[:most]}…"


def _registered(host: str) -> str:
    if ":" in host:
        return f"[{_address(host, IPv6Address)}]"
    if host.replace(".", "").isdigit() and _address(host, IPv4Address):
        return host
    host = host[-_HOST_CHARS:]
    found = _suffixes().extract_str(host)
    if found.domain and found.suffix:
        return f"{found.domain}.{found.suffix}"
    if found.suffix:
        return host
    # The list's rule for suffixes it does not have (``shop.internal``): the last label is one.
    return ".".join(host.split(".")[-2:])


def _address(host: str, kind: type[IPv4Address] | type[IPv6Address]) -> str:
    try:
        return str(kind(host))
    except ValueError:
        return ""


@cache
def _suffixes() -> "TLDExtract":
    # What comes with the package: nothing is fetched, and nothing is written to disk.
    from tldextract import TLDExtract

    return TLDExtract(suffix_list_urls=(), cache_dir=None, include_psl_private_domains=True)
