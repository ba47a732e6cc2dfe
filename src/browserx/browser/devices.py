"""Well-known devices, as pages see them. ``{chrome}`` in a user agent stands for the browser's own major version."""

from typing import NamedTuple

from browserx.errors import InvalidArgumentError


class Device(NamedTuple):
    """A device held upright. ``viewport``: width and height in CSS px."""

    name: str
    viewport: tuple[int, int]
    device_scale_factor: float
    user_agent: str
    is_mobile: bool = True


_IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS {ios} like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/{version} Mobile/15E148 Safari/604.1"
)
_IOS_17 = _IPHONE.format(ios="17_5", version="17.5")
_IOS_18 = _IPHONE.format(ios="18_5", version="18.5")
# Safari on an iPad says it is a Mac.
_IPAD = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Safari/605.1.15"
)
# Chrome on Android tells neither version nor model in its user agent.
_ANDROID = (
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{chrome}.0.0.0 Mobile Safari/537.36"
)
_ANDROID_TABLET = _ANDROID.replace(" Mobile Safari", " Safari")
_WINDOWS = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{chrome}.0.0.0 Safari/537.36"
)
_MAC = (
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/{chrome}.0.0.0 Safari/537.36"
)

DEVICES: dict[str, Device] = {
    device.name.casefold(): device
    for device in (
        Device("iPhone SE", (375, 667), 2, _IOS_17),
        Device("iPhone 13", (390, 664), 3, _IOS_17),
        Device("iPhone 14", (390, 664), 3, _IOS_17),
        Device("iPhone 15", (393, 659), 3, _IOS_17),
        Device("iPhone 15 Pro Max", (430, 739), 3, _IOS_17),
        Device("iPhone 16", (393, 659), 3, _IOS_18),
        Device("iPad", (810, 1080), 2, _IPAD),
        Device("iPad Mini", (768, 1024), 2, _IPAD),
        Device("iPad Pro 11", (834, 1194), 2, _IPAD),
        Device("Pixel 5", (393, 727), 2.75, _ANDROID),
        Device("Pixel 7", (412, 839), 2.625, _ANDROID),
        Device("Pixel 8", (412, 839), 2.625, _ANDROID),
        Device("Galaxy S9+", (320, 658), 4.5, _ANDROID),
        Device("Galaxy S24", (360, 780), 3, _ANDROID),
        Device("Galaxy Tab S9", (640, 1024), 2.5, _ANDROID_TABLET),
        Device("Desktop Windows", (1280, 720), 1, _WINDOWS, is_mobile=False),
        Device("Desktop Mac", (1440, 900), 2, _MAC, is_mobile=False),
    )
}


def find_device(name: str) -> Device:
    """The device of this name, however it is capitalised.

    Raises:
        InvalidArgumentError: there is none in the table; names those that are.
    """
    device = DEVICES.get(name.strip().casefold())
    if device is None:
        known = ", ".join(device.name for device in DEVICES.values())
        raise InvalidArgumentError(
            f"there is no device {name!r}; there are {known}: or give viewport, mobile and so on"
        )
    return device
