"""Giving files to a field, also to one that is hidden behind a button."""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from browserx.actions.perform import Performance
from browserx.actions.pointer import click
from browserx.actions.result import ActionResult
from browserx.actions.target import Aimed, Target, make_ready, unfit
from browserx.errors import InvalidArgumentError, NotActionableError

_TIMEOUT_S = 10.0
_CHOOSER_TIMEOUT_S = 2.0


class _Field(msgspec.Struct):
    key: int
    many: bool
    disabled: bool


class _ChooserOpened(msgspec.Struct, rename="camel"):
    mode: str = ""
    backend_node_id: int = 0


class _Asked(NamedTuple):
    backend_id: int
    many: bool


async def upload(
    performance: Performance, target: Target, files: Sequence[str | os.PathLike[str]], *, ignore_opt_out: bool = False
) -> ActionResult:
    """Give files to an ``<input type=file>``, or to the one behind a label, a button or an area that asks for files.

    A button that opens the system's dialog by script is clicked, and the dialog answered before it is drawn.
    """
    paths = await asyncio.to_thread(readable, files)
    attachment = performance.attachment
    session = target.frame.session
    await make_ready(
        attachment,
        target,
        performance.ids,
        shown=False,
        pointer=False,
        enabled=False,
        ignoreOptOut=ignore_opt_out,
    )
    field_ = await _field(performance, target)
    if field_ is None:
        asked = await _ask_for_files(performance, target, ignore_opt_out)
    else:
        if field_.disabled:
            raise unfit(target, "disabled")
        await attachment.call(target.frame, f"__browserx.beginWatch({field_.key})", timeout_s=_TIMEOUT_S)
        asked = _Asked(await _backend_id(performance, target, field_.key), field_.many)
    if len(paths) > 1 and not asked.many:
        raise takes_one(target, len(paths))
    await session.send("DOM.setFileInputFiles", {"files": paths, "backendNodeId": asked.backend_id})
    if field_ is None:
        return await performance.finish()
    key = field_.key

    async def verify() -> str:
        held = await attachment.call(target.frame, f"__browserx.filesHeld({key})", timeout_s=_TIMEOUT_S)
        return not_held(held.result.value, paths)

    return await performance.finish(verify=verify)


def readable(files: Sequence[str | os.PathLike[str]]) -> list[str]:
    """The whole paths of files that are there and may be read. Asks the disk.

    Raises:
        InvalidArgumentError: one is not, or none was given.
    """
    listed: list[str | os.PathLike[str]] = [files] if isinstance(files, str | os.PathLike) else list(files)
    if not listed:
        raise InvalidArgumentError("no files were given; give at least one path")
    return [_readable(given) for given in listed]


def _readable(given: str | os.PathLike[str]) -> str:
    path = Path(given).expanduser().absolute()
    if not path.is_file():
        raise InvalidArgumentError(f"{os.fspath(given)!r} is no file that is there")
    if not os.access(path, os.R_OK):
        raise InvalidArgumentError(f"{os.fspath(given)!r} cannot be read")
    return str(path)


def takes_one(target: Aimed, given: int) -> InvalidArgumentError:
    """Several files for a field of one."""
    return InvalidArgumentError(f"element {target.node_id} takes one file; {given} were given")


def no_file_field(target: Aimed) -> NotActionableError:
    """Nobody asked for files."""
    return NotActionableError(
        f"element {target.node_id} did not ask for files when it was clicked; choose the field or its button",
        node_id=target.node_id,
        reason="no_file_field",
    )


def not_held(names: list[str] | None, paths: Sequence[str]) -> str:
    """What is wrong with the files that a field holds now, "" if nothing is.

    Many pages take the files and empty the field: what is not there any more was taken.
    """
    wrong = names and sorted(names) != sorted(os.path.basename(path) for path in paths)
    return f"the field holds other files: {names}" if wrong else ""


async def _field(performance: Performance, target: Target) -> _Field | None:
    asked = f"__browserx.fileField({target.key})"
    answer = await performance.attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)
    return None if answer.result.value is None else msgspec.convert(answer.result.value, _Field)


async def _backend_id(performance: Performance, target: Target, key: int) -> int:
    asked = f"[__browserx.element({key})]"
    found = await performance.attachment.nodes(target.frame, asked, timeout_s=_TIMEOUT_S)
    if not found or found[0] is None:
        raise NotActionableError(
            f"element {target.node_id} is no longer in the page; observe again",
            node_id=target.node_id,
            reason="detached",
        )
    return found[0].backend_node_id


async def _ask_for_files(performance: Performance, target: Target, ignore_opt_out: bool) -> _Asked:
    """Click what opens the system's dialog; the browser hands it to us instead.

    Raises:
        NotActionableError: no dialog was asked for.
    """
    session = target.frame.session
    loop = asyncio.get_running_loop()
    opened: asyncio.Future[_ChooserOpened] = loop.create_future()

    def heard(event: _ChooserOpened) -> None:
        if not opened.done():
            opened.set_result(event)

    subscription = session.on("Page.fileChooserOpened", _ChooserOpened, heard)
    await session.send("Page.setInterceptFileChooserDialog", {"enabled": True})
    try:
        await click(performance, target, ignore_opt_out=ignore_opt_out)
        async with asyncio.timeout(_CHOOSER_TIMEOUT_S):
            event = await opened
    except TimeoutError as error:
        raise no_file_field(target) from error
    finally:
        subscription.cancel()
        session.post("Page.setInterceptFileChooserDialog", {"enabled": False})
    # What the click did is over; what the files do begins.
    await performance.attachment.call(target.frame, "__browserx.beginWatch(0)", timeout_s=_TIMEOUT_S)
    return _Asked(event.backend_node_id, event.mode == "selectMultiple")
