"""The command line a browser is launched with."""

from typing import Any

from browserx.browser.flags import command_line

DEFAULTS: dict[str, Any] = {
    "user_data_dir": "/profile",
    "headless": True,
    "window": (1280, 800),
    "no_sandbox": False,
    "proxy": None,
    "user_agent": None,
    "ignore_https_errors": False,
    "extra": (),
}


def test_nothing_of_the_browsers_own_goes_over_the_network() -> None:
    line = command_line(**DEFAULTS)
    for flag in ("--disable-background-networking", "--disable-component-update", "--disable-sync"):
        assert flag in line


def test_the_sandbox_is_on_unless_it_cannot_be() -> None:
    assert "--no-sandbox" not in command_line(**DEFAULTS)
    assert "--no-sandbox" in command_line(**{**DEFAULTS, "no_sandbox": True})


def test_a_window_is_shown_only_when_asked_for() -> None:
    assert "--headless=new" in command_line(**DEFAULTS)
    assert "--headless=new" not in command_line(**{**DEFAULTS, "headless": False})


def test_what_is_given_wins_and_lists_are_joined() -> None:
    line = command_line(**{**DEFAULTS, "extra": ["--disable-features=Mine", "--lang=de"]})
    features = [flag for flag in line if flag.startswith("--disable-features=")]
    assert len(features) == 1
    assert {"Mine", "Translate"} <= set(features[0].partition("=")[2].split(","))
    assert line.index("--lang=de") > line.index("--window-size=1280,800")


def test_options_become_flags() -> None:
    line = command_line(
        **{**DEFAULTS, "proxy": "http://p:1", "user_agent": "me", "ignore_https_errors": True, "window": (800, 600)}
    )
    for flag in (
        "--proxy-server=http://p:1",
        "--user-agent=me",
        "--ignore-certificate-errors",
        "--window-size=800,600",
        "--user-data-dir=/profile",
    ):
        assert flag in line
    assert line[-1] == "about:blank"
