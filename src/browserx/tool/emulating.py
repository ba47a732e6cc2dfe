"""The emulating family: ``emulate``."""

from dataclasses import asdict
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from browserx.browser.devices import DEVICES
from browserx.errors import InvalidArgumentError
from browserx.tool.action import Action, Call

_EXAMPLES = ", ".join(device.name for device in list(DEVICES.values())[2:14:4])


class Place(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    """A place on earth."""

    latitude: float
    longitude: float
    accuracy: float = 0.0


class EmulateOptions(msgspec.Struct, rename="camel", forbid_unknown_fields=True, kw_only=True):
    """Options of ``emulate``; what is left out stays as it is."""

    device: Annotated[str | None, Meta(description=f"a well-known one: {_EXAMPLES}, …")] = None
    width: Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="of the viewport, CSS px; with height")] = None
    height: Annotated[Annotated[int, Meta(ge=1)] | None, Meta(description="of the viewport, CSS px; with width")] = None
    device_scale_factor: Annotated[
        Annotated[float, Meta(gt=0, le=10)] | None, Meta(description="device px for a CSS px")
    ] = None
    mobile: Annotated[bool | None, Meta(description="laid out as on a phone")] = None
    touch: Annotated[bool | None, Meta(description="can be touched")] = None
    user_agent: Annotated[str | None, Meta(description="takes effect when the page is loaded again")] = None
    locale: Annotated[str | None, Meta(description="such as de-DE")] = None
    timezone: Annotated[str | None, Meta(description="such as Europe/Berlin")] = None
    color_scheme: Annotated[Literal["light", "dark", "no-preference"] | None, Meta(description="preferred")] = None
    reduced_motion: Annotated[Literal["reduce", "no-preference"] | None, Meta(description="preferred")] = None
    media: Annotated[Literal["screen", "print"] | None, Meta(description="as on a screen, or printed")] = None
    geolocation: Annotated[Place | None, Meta(description="degrees, and metres")] = None
    offline: Annotated[bool | None, Meta(description="nothing can be reached")] = None
    cpu_throttling: Annotated[Annotated[float, Meta(ge=1, le=1000)] | None, Meta(description="times slower")] = None
    clear: Annotated[bool, Meta(description="take back what was emulated before")] = False


async def emulate(call: Call) -> Any:
    """Show the page as another device, place or person would see it."""
    options: EmulateOptions = call.options
    dom = await call.dom()
    if (options.width is None) != (options.height is None):
        raise InvalidArgumentError("width and height go together; give both")
    given = msgspec.structs.asdict(options)
    clear, width, height = given.pop("clear"), given.pop("width"), given.pop("height")
    place: Place | None = given.pop("geolocation")
    if width is not None:
        given["viewport"] = (width, height)
    if place is not None:
        given["geolocation"] = (place.latitude, place.longitude, place.accuracy)
    if not clear and not any(value is not None for value in given.values()):
        raise InvalidArgumentError("nothing to emulate; give a device, width and height, locale, …, or clear")
    if clear:
        await dom.tab.clear_emulation()
    emulated = dom.tab.emulation
    try:
        if any(value is not None for value in given.values()):
            emulated = await dom.tab.emulate(**given)
    finally:
        dom.invalidate_snapshot()
    return {"emulated": {name: value for name, value in asdict(emulated).items() if value is not None}}


ACTIONS = (
    Action(
        "emulate",
        "show the page as on another device, or in another place, language or time zone",
        emulate,
        options=EmulateOptions,
    ),
)
