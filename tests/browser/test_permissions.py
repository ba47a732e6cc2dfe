"""Names of permissions."""

import pytest

from browserx import InvalidArgumentError
from browserx.browser.permissions import protocol_names


def test_names_of_the_web_become_those_of_the_protocol() -> None:
    assert protocol_names(["camera", "clipboard-read", "gyroscope", "accelerometer"]) == [
        "videoCapture",
        "clipboardReadWrite",
        "sensors",
    ]
    assert protocol_names([]) == []


def test_others_are_refused_with_those_there_are() -> None:
    with pytest.raises(InvalidArgumentError, match=r"no permission 'x'; there are .*geolocation"):
        protocol_names(["camera", "x"])
    with pytest.raises(InvalidArgumentError, match=r"\['camera'\]"):
        protocol_names("camera")
