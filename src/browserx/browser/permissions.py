"""Permissions of a context, by the names the web platform gives them."""

from collections.abc import Iterable

from browserx.errors import InvalidArgumentError

#: Names of the Permissions API, and what the protocol calls them.
_PROTOCOL_NAMES = {
    "accelerometer": "sensors",
    "ambient-light-sensor": "sensors",
    "background-fetch": "backgroundFetch",
    "background-sync": "backgroundSync",
    "camera": "videoCapture",
    "clipboard-read": "clipboardReadWrite",
    "clipboard-write": "clipboardSanitizedWrite",
    "display-capture": "displayCapture",
    "geolocation": "geolocation",
    "gyroscope": "sensors",
    "idle-detection": "idleDetection",
    "local-fonts": "localFonts",
    "magnetometer": "sensors",
    "microphone": "audioCapture",
    "midi": "midi",
    "midi-sysex": "midiSysex",
    "notifications": "notifications",
    "payment-handler": "paymentHandler",
    "persistent-storage": "durableStorage",
    "screen-wake-lock": "wakeLockScreen",
    "storage-access": "storageAccess",
    "window-management": "windowManagement",
}


def protocol_names(permissions: Iterable[str]) -> list[str]:
    """What to grant.

    Raises:
        InvalidArgumentError: there is no such permission; names those there are.
    """
    if isinstance(permissions, str):
        raise InvalidArgumentError(f"permissions is a list of names: [{permissions!r}]")
    names: dict[str, None] = {}
    for permission in permissions:
        if (name := _PROTOCOL_NAMES.get(permission)) is None:
            raise InvalidArgumentError(f"there is no permission {permission!r}; there are {', '.join(_PROTOCOL_NAMES)}")
        names[name] = None
    return list(names)
