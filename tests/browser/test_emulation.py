"""From one emulation to another: only what differs is sent, and everything can be taken back."""

from dataclasses import fields
from typing import Any

import pytest

from browserx import Emulation, InvalidArgumentError
from browserx.browser.devices import DEVICES, find_device
from browserx.browser.emulation import client_hints, commands, of_device

NOTHING = Emulation()
EVERYTHING = Emulation(
    viewport=(400, 800),
    device_scale_factor=2,
    mobile=True,
    touch=True,
    user_agent="Tester/1.0",
    locale="de-DE",
    timezone="Asia/Tokyo",
    color_scheme="dark",
    reduced_motion="reduce",
    media="print",
    geolocation=(1, 2),
    offline=True,
    cpu_throttling=4,
)


def test_nothing_to_do_sends_nothing() -> None:
    assert commands(NOTHING, NOTHING, top=True) == []
    assert commands(EVERYTHING, EVERYTHING, top=True) == []


def test_every_setting_is_sent_and_taken_back() -> None:
    for field in fields(Emulation):
        one = Emulation(**{field.name: getattr(EVERYTHING, field.name)})
        assert commands(NOTHING, one, top=True), field.name
        assert commands(one, NOTHING, top=True), field.name


def test_only_what_differs_is_sent() -> None:
    sent = commands(EVERYTHING, Emulation(timezone="Europe/Berlin").over(EVERYTHING), top=True)
    assert sent == [("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})]


def test_frames_are_not_told_of_the_size_of_the_screen() -> None:
    methods = [method for method, _ in commands(NOTHING, EVERYTHING, top=False)]
    assert "Emulation.setDeviceMetricsOverride" not in methods
    assert "Emulation.setTimezoneOverride" in methods


def test_taking_back_is_said_in_the_protocols_way() -> None:
    assert dict(commands(EVERYTHING, NOTHING, top=True)) == {
        "Emulation.clearDeviceMetricsOverride": {},
        "Emulation.setTouchEmulationEnabled": {"enabled": False},
        "Emulation.setUserAgentOverride": {"userAgent": ""},
        "Emulation.setLocaleOverride": {},
        "Emulation.setTimezoneOverride": {"timezoneId": ""},
        "Emulation.setEmulatedMedia": {
            "media": "",
            "features": [
                {"name": "prefers-color-scheme", "value": ""},
                {"name": "prefers-reduced-motion", "value": ""},
            ],
        },
        "Emulation.clearGeolocationOverride": {},
        "Network.emulateNetworkConditions": {
            "offline": False,
            "latency": 0,
            "downloadThroughput": -1,
            "uploadThroughput": -1,
        },
        "Emulation.setCPUThrottlingRate": {"rate": 1},
    }


def test_a_phone_on_its_side() -> None:
    ((_, params),) = commands(NOTHING, Emulation(viewport=(800, 400), mobile=True), top=True)
    assert params["screenOrientation"] == {"type": "landscapePrimary", "angle": 90}


@pytest.mark.parametrize("device", DEVICES.values(), ids=lambda device: device.name)
def test_every_device_is_a_sound_emulation(device: Any) -> None:
    emulation = of_device(device.name.upper(), "Chrome/140.0.1.2")
    assert emulation.viewport == device.viewport
    assert "{" not in (emulation.user_agent or "")
    if "Chrome/" in device.user_agent:
        assert "Chrome/140.0.0.0" in (emulation.user_agent or "")
    assert find_device(f" {device.name} ") is device


def test_hints_are_those_of_the_user_agent() -> None:
    phone = client_hints(of_device("Pixel 8", "Chrome/140.0.1.2").user_agent or "")
    assert phone is not None
    assert (phone["platform"], phone["mobile"]) == ("Android", True)
    assert {"brand": "Chromium", "version": "140"} in phone["brands"]
    tablet = client_hints(of_device("Galaxy Tab S9", "Chrome/140.0.1.2").user_agent or "")
    assert tablet is not None
    assert (tablet["platform"], tablet["mobile"]) == ("Android", False)
    assert client_hints(of_device("iPhone 15", "Chrome/140.0.1.2").user_agent or "") is None


@pytest.mark.parametrize(
    "wrong",
    [
        {"viewport": (0, 100)},
        {"viewport": (100,)},
        {"viewport": (1.5, 100)},
        {"device_scale_factor": 0},
        {"cpu_throttling": 0},
        {"locale": "d"},
        {"locale": "de DE"},
        {"timezone": ""},
        {"user_agent": " "},
        {"user_agent": "a\r\nb"},
        {"color_scheme": "sepia"},
        {"reduced_motion": "yes"},
        {"media": "tv"},
        {"geolocation": (91, 0)},
        {"geolocation": (0, 181)},
        {"geolocation": (0, 0, -1)},
        {"geolocation": (0,)},
    ],
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgumentError):
        Emulation(**wrong)


def test_a_value_over_another() -> None:
    below = Emulation(locale="de", offline=True, viewport=(1, 2))
    assert Emulation(locale="fr", offline=False).over(below) == Emulation(locale="fr", offline=False, viewport=(1, 2))
