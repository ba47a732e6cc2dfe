"""Root domains by the public suffix list, without a network; titles cut at a word."""

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browserx.backend.domains import root_domain, title


@pytest.mark.parametrize(
    ("url", "domain"),
    [
        ("https://example.com/", "example.com"),
        ("https://a.b.example.com:8443/x?y#z", "example.com"),
        ("https://user:pw@WWW.Example.CO.UK./", "example.co.uk"),
        ("https://b.github.io/", "b.github.io"),
        ("https://a.b.github.io/", "b.github.io"),
        ("https://github.io/", "github.io"),
        ("https://co.uk/", "co.uk"),
        ("https://www.xn--bcher-kva.de/", "xn--bcher-kva.de"),
        ("https://www.bücher.de/", "bücher.de"),
        ("wss://push.example.org/", "example.org"),
        ("http://localhost:3000/x", "localhost"),
        ("http://app.localhost/", "app.localhost"),
        ("http://shop.corp.internal/", "corp.internal"),
        ("http://intranet/", "intranet"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://192.168.1.20/", "192.168.1.20"),
        ("http://[::1]:8000/", "[::1]"),
        ("http://[2001:DB8::1]/", "[2001:db8::1]"),
        ("about:blank", "about:blank"),
        ("about:srcdoc", "about:srcdoc"),
        ("file:///home/ann/a.html", "file"),
        ("data:text/html,<p>x", "data"),
        ("chrome://settings/", "chrome"),
        ("blob:https://www.example.com/5f2c", "example.com"),
        ("blob:null/5f2c", "unknown"),
        ("", "unknown"),
        ("example.com", "unknown"),
        ("https://", "unknown"),
        ("https:///x", "unknown"),
        ("http://[::1", "unknown"),
        ("http://[zz]/", "unknown"),
        ("  https://example.com/ ", "example.com"),
    ],
)
def test_root_domains(url: str, domain: str) -> None:
    assert root_domain(url) == domain


# The list is read meanwhile.
@settings(deadline=None)
@given(st.one_of(st.text(), st.text().map(lambda text: f"https://{text}/"), st.text().map(lambda text: f"blob:{text}")))
def test_any_text_has_one_that_can_be_stored(url: str) -> None:
    assert 1 <= len(root_domain(url)) <= 255


def test_not_even_long_ones_are_long() -> None:
    for url in ("https://" + "a." * 5000 + "com/", "x" * 5000 + ":y", "about:" + "x" * 5000, "blob:" * 5000):
        assert 1 <= len(root_domain(url)) <= 255


def test_the_list_is_loaded_when_needed_and_nothing_is_fetched() -> None:
    code = """
import socket, sys
def refuse(*_, **__): raise AssertionError("network")
socket.socket.connect = socket.getaddrinfo = refuse
from browserx.backend.domains import load, root_domain
assert "tldextract" not in sys.modules and "requests" not in sys.modules
load()
assert root_domain("https://a.b.example.co.uk/") == "example.co.uk"
"""
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("domain", "task", "expected"),
    [
        ("a.example", "buy shoes", "a.example: buy shoes"),
        ("a.example", "  buy\n\tshoes ", "a.example: buy shoes"),
        ("a.example", "", "a.example:"),
        ("a.example", "x" * 300, f"a.example: {'x' * 188}…"),
        ("a.example", "word " * 60, f"a.example: {'word ' * 37}wor"[:196].rstrip() + "…"),
        ("a", "x" * 197, f"a: {'x' * 197}"),
        ("a", "x" * 196 + " y", f"a: {'x' * 196}…"),
        ("d" * 253, "task", "d" * 199 + "…"),
    ],
)
def test_titles(domain: str, task: str, expected: str) -> None:
    assert title(domain, task) == expected


@settings(deadline=None)
@given(st.text(), st.text())
def test_titles_are_bounded(domain: str, task: str) -> None:
    assert len(title(domain, task)) <= 200
