"""Emulation: what a page is told of the screen, the place, the language and the network it is seen through.

A setting that is None is the browser's own. ``Emulation`` is a value; ``commands`` says how to go from one to another.

Source: https://chromedevtools.github.io/devtools-protocol/tot/Emulation/
"""

import logging
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, NamedTuple

from browserx.browser.devices import find_device
from browserx.errors import CdpError, InvalidArgumentError

_log = logging.getLogger("browserx.browser")

ColorScheme = Literal["light", "dark", "no-preference"]
ReducedMotion = Literal["reduce", "no-preference"]
Media = Literal["screen", "print"]

_LARGEST_PX = 10_000_000
_LANGUAGE_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_CHOICES: dict[str, tuple[str, ...]] = {
    "color_scheme": ("light", "dark", "no-preference"),
    "reduced_motion": ("reduce", "no-preference"),
    "media": ("screen", "print"),
}


class Geolocation(NamedTuple):
    """A place on earth, in degrees; ``accuracy`` in metres."""

    latitude: float
    longitude: float
    accuracy: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Emulation:
    """What is emulated.

    Attributes:
        viewport: width and height in CSS px.
        device_scale_factor: device px for a CSS px.
        mobile: whether the page is laid out as on a phone (its viewport tag counts, scroll bars lie over it).
        touch: whether it can be touched.
        user_agent: as pages and servers see it.
        locale: such as "de-DE": language, formats of dates and numbers.
        timezone: such as "Europe/Berlin".
        color_scheme: ``light``, ``dark`` or ``no-preference``.
        reduced_motion: ``reduce`` or ``no-preference``.
        media: ``screen`` or ``print``.
        geolocation: latitude, longitude and, in metres, accuracy; told to pages that were granted the permission.
        offline: whether nothing can be reached.
        cpu_throttling: how many times slower the page computes.
    """

    viewport: tuple[int, int] | None = None
    device_scale_factor: float | None = None
    mobile: bool | None = None
    touch: bool | None = None
    user_agent: str | None = None
    locale: str | None = None
    timezone: str | None = None
    color_scheme: ColorScheme | None = None
    reduced_motion: ReducedMotion | None = None
    media: Media | None = None
    geolocation: Geolocation | tuple[float, float] | tuple[float, float, float] | None = None
    offline: bool | None = None
    cpu_throttling: float | None = None

    def __post_init__(self) -> None:
        """Check what can be checked here; the browser itself knows locales and time zones.

        Raises:
            InvalidArgumentError: a value makes no sense.
        """
        _check(self)

    def over(self, below: "Emulation") -> "Emulation":
        """This, and where this says nothing, what is ``below``."""
        given = {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}
        return replace(below, **given)


def of_device(name: str, browser_version: str) -> Emulation:
    """What the device of this name is like. ``browser_version``, such as "Chrome/140.0.1.2", goes into its user agent.

    Raises:
        InvalidArgumentError: there is no such device in the table.
    """
    device = find_device(name)
    return Emulation(
        viewport=device.viewport,
        device_scale_factor=device.device_scale_factor,
        mobile=device.is_mobile,
        touch=device.is_mobile,
        user_agent=device.user_agent.replace("{chrome}", _major(browser_version)),
    )


def _check(emulation: Emulation) -> None:
    if (viewport := emulation.viewport) is not None and not (
        len(viewport) == 2 and all(isinstance(px, int) and 1 <= px <= _LARGEST_PX for px in viewport)
    ):
        raise InvalidArgumentError(f"viewport {viewport!r} is no (width, height) in CSS px; one is (1280, 800)")
    if (scale := emulation.device_scale_factor) is not None and not 0 < scale <= 10:
        raise InvalidArgumentError(
            f"device_scale_factor {scale!r} is not between 0 and 10; most screens have 1, 2 or 3"
        )
    if (times := emulation.cpu_throttling) is not None and not 1 <= times <= 1000:
        raise InvalidArgumentError(f"cpu_throttling {times!r} is not between 1 (not at all) and 1000")
    if (locale := emulation.locale) is not None and not _LANGUAGE_TAG.fullmatch(locale):
        raise InvalidArgumentError(f'locale {locale!r} is no language tag; one is "de-DE"')
    if emulation.timezone == "":
        raise InvalidArgumentError('timezone is empty; one is "Europe/Berlin"')
    if (agent := emulation.user_agent) is not None and (not agent.strip() or not agent.isprintable()):
        raise InvalidArgumentError("user_agent is one line of text, and not empty")
    for name, choices in _CHOICES.items():
        if (value := getattr(emulation, name)) is not None and value not in choices:
            raise InvalidArgumentError(f"{name} is one of {', '.join(choices)}, not {value!r}")
    if (place := emulation.geolocation) is not None:
        _check_place(place)


def _check_place(place: tuple[float, ...]) -> None:
    if len(place) not in (2, 3) or not (
        -90 <= place[0] <= 90 and -180 <= place[1] <= 180 and (len(place) == 2 or place[2] >= 0)
    ):
        raise InvalidArgumentError(
            f"geolocation {place!r} is no (latitude -90 to 90, longitude -180 to 180, accuracy in m); "
            "one is (52.52, 13.40)"
        )


# Commands

Command = tuple[str, dict[str, Any]]


class _Aspect(NamedTuple):
    """Settings that one command sets together; it also takes them back."""

    settings: tuple[str, ...]
    command: Callable[[Emulation], Command]
    #: Whether only the tab's own session takes it, for all its frames.
    top_only: bool = False


def _metrics(emulation: Emulation) -> Command:
    if emulation.viewport is None and emulation.device_scale_factor is None and emulation.mobile is None:
        return "Emulation.clearDeviceMetricsOverride", {}
    # 0: the browser's own.
    width, height = emulation.viewport or (0, 0)
    params: dict[str, Any] = {
        "width": width,
        "height": height,
        "deviceScaleFactor": emulation.device_scale_factor or 0,
        "mobile": bool(emulation.mobile),
    }
    if emulation.mobile and emulation.viewport is not None:
        upright = height >= width
        params |= {
            "screenWidth": width,
            "screenHeight": height,
            "screenOrientation": {
                "type": "portraitPrimary" if upright else "landscapePrimary",
                "angle": 0 if upright else 90,
            },
        }
    return "Emulation.setDeviceMetricsOverride", params


def _touch(emulation: Emulation) -> Command:
    if not emulation.touch:
        return "Emulation.setTouchEmulationEnabled", {"enabled": False}
    return "Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5}


def _identity(emulation: Emulation) -> Command:
    # An empty user agent is the browser's own.
    params: dict[str, Any] = {"userAgent": emulation.user_agent or ""}
    if emulation.locale is not None:
        params["acceptLanguage"] = _accepted(emulation.locale)
    if emulation.user_agent is not None:
        params["platform"] = _platform(emulation.user_agent)
        if (hints := client_hints(emulation.user_agent)) is not None:
            params["userAgentMetadata"] = hints
    return "Emulation.setUserAgentOverride", params


def _locale(emulation: Emulation) -> Command:
    tag = emulation.locale
    return "Emulation.setLocaleOverride", {} if tag is None else {"locale": tag.replace("_", "-")}


def _timezone(emulation: Emulation) -> Command:
    return "Emulation.setTimezoneOverride", {"timezoneId": emulation.timezone or ""}


def _media(emulation: Emulation) -> Command:
    return "Emulation.setEmulatedMedia", {
        "media": emulation.media or "",
        "features": [
            {"name": "prefers-color-scheme", "value": emulation.color_scheme or ""},
            {"name": "prefers-reduced-motion", "value": emulation.reduced_motion or ""},
        ],
    }


def _place(emulation: Emulation) -> Command:
    if emulation.geolocation is None:
        return "Emulation.clearGeolocationOverride", {}
    return "Emulation.setGeolocationOverride", Geolocation(*emulation.geolocation)._asdict()


def _network(emulation: Emulation) -> Command:
    unlimited = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    return "Network.emulateNetworkConditions", {"offline": bool(emulation.offline), **unlimited}


def _cpu(emulation: Emulation) -> Command:
    return "Emulation.setCPUThrottlingRate", {"rate": emulation.cpu_throttling or 1}


_ASPECTS = (
    _Aspect(("viewport", "device_scale_factor", "mobile"), _metrics, top_only=True),
    _Aspect(("touch",), _touch),
    _Aspect(("user_agent", "locale"), _identity),
    _Aspect(("locale",), _locale),
    _Aspect(("timezone",), _timezone),
    _Aspect(("color_scheme", "reduced_motion", "media"), _media),
    _Aspect(("geolocation",), _place),
    _Aspect(("offline",), _network),
    _Aspect(("cpu_throttling",), _cpu),
)


def commands(before: Emulation, after: Emulation, *, top: bool) -> list[Command]:
    """What leads from ``before`` to ``after`` in one session. ``top``: the tab's own, not one of a frame in it."""
    return [
        aspect.command(after)
        for aspect in _ASPECTS
        if (top or not aspect.top_only)
        and any(getattr(before, name) != getattr(after, name) for name in aspect.settings)
    ]


#: What may be asked for that only the browser knows whether it is there.
_ASKED_OF_THE_BROWSER = ("Emulation.setLocaleOverride", "Emulation.setTimezoneOverride")


async def obeyed(command: Command, reply: Awaitable[object]) -> bool:
    """Wait for the reply to one of ``commands``; False when another tab of the same process stands in its way.

    Raises:
        InvalidArgumentError: the browser does not know the locale, or the time zone.
        CdpError: it refused something else.
    """
    method, params = command
    try:
        await reply
    except CdpError as error:
        if "already in effect" in error.message:
            # A process has one locale and one time zone, and whoever sets them first has them.
            _log.debug("%s %s: %s", method, params, error.message)
            return False
        if method not in _ASKED_OF_THE_BROWSER:
            raise
        what = ", ".join(f"{name} {value!r}" for name, value in params.items())
        raise InvalidArgumentError(
            f'the browser does not take {what} ({error.message}); locales are like "de-DE", '
            'time zones like "Europe/Berlin"'
        ) from error
    return True


# What a user agent goes with

_CHROME = re.compile(r"Chrome/(\d+)(\.[\d.]*)?")


def _major(version: str) -> str:
    """Of "Chrome/140.0.1.2": "140"."""
    return version.rpartition("/")[2].partition(".")[0]


def _accepted(locale: str) -> str:
    """The languages a page may be sent in: "de-DE" also takes "de"."""
    tag = locale.replace("_", "-")
    language = tag.partition("-")[0]
    return tag if tag == language else f"{tag},{language}"


def _platform(user_agent: str) -> str:
    """``navigator.platform``, which the user agent must not contradict."""
    for word, platform in (
        ("iPhone", "iPhone"),
        ("Android", "Linux armv81"),
        ("Macintosh", "MacIntel"),
        ("Windows", "Win32"),
    ):
        if word in user_agent:
            return platform
    return "Linux x86_64"


def client_hints(user_agent: str) -> dict[str, Any] | None:
    """What Chrome tells beside its user agent (UA-CH); None for browsers that tell nothing.

    Source: https://wicg.github.io/ua-client-hints/
    """
    chrome = _CHROME.search(user_agent)
    if chrome is None:
        return None
    major, full = chrome[1], chrome[1] + (chrome[2] or ".0.0.0")
    system = next(
        (
            (platform, version)
            for word, platform, version in (
                ("Android", "Android", "14.0.0"),
                ("Macintosh", "macOS", "14.0.0"),
                ("Windows", "Windows", "15.0.0"),
            )
            if word in user_agent
        ),
        ("Linux", ""),
    )
    names = (("Not:A-Brand", "8", "8.0.0.0"), ("Chromium", major, full))
    return {
        "brands": [{"brand": name, "version": short} for name, short, _ in names],
        "fullVersionList": [{"brand": name, "version": long} for name, _, long in names],
        "platform": system[0],
        "platformVersion": system[1],
        "architecture": "" if "Android" in user_agent else "x86",
        "model": "",
        "mobile": "Mobile" in user_agent,
    }


__all__ = ["Emulation", "Geolocation", "commands", "obeyed", "of_device"]
