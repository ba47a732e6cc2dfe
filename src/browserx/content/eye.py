"""Asking the content script, and putting it where it is not yet."""

import asyncio
import json
from collections.abc import Callable
from typing import Any, TypeVar

import msgspec

from browserx.content.driver import Driver
from browserx.errors import (
    BlockedByPolicyError,
    ContentScriptError,
    EvaluateError,
    OperationTimeoutError,
    SnapshotError,
)
from browserx.inpage import content_holder, content_source

_ABSENT = "absent"

T = TypeVar("T")


class AnotherDocumentError(SnapshotError):
    """What was asked about lives in a document that is not there any more."""


class _Answer(msgspec.Struct):
    world: str = ""
    told: msgspec.Raw = msgspec.Raw(b"null")
    gone: bool = False
    failed: str = ""
    blocked: bool = False


class ContentEye:
    """Asks the content script of one page. Every document that is met gets the script when it is first asked."""

    def __init__(self, driver: Driver, on_world: Callable[[str], None]) -> None:
        self.driver = driver
        #: The document that answered last.
        self.world = ""
        self._on_world = on_world

    async def ask(self, name: str, *arguments: Any, type_: type[T], timeout_s: float, world: str | None = None) -> T:
        """Ask ``name`` of the document that is there, or of ``world`` only.

        Raises:
            AnotherDocumentError: ``world`` is not there any more.
            ContentScriptError: the script could not be put into the page.
            EvaluateError: the question failed, or the document went away under it.
            OperationTimeoutError: no answer came within ``timeout_s`` seconds.
        """
        put = ", ".join(json.dumps(part) for part in (world, name, arguments))
        question = (
            f"(() => {{ const held = globalThis[{content_holder()}]; "
            f'return held ? held.answer({put}) : "{_ABSENT}"; }})()'
        )
        try:
            async with asyncio.timeout(timeout_s):
                said = await self.driver.evaluate(question)
                if said == _ABSENT:
                    if world is not None:
                        raise AnotherDocumentError("the document was replaced; observe again")
                    await self._install()
                    said = await self.driver.evaluate(question)
        except TimeoutError as error:
            raise OperationTimeoutError(
                f"the page did not answer within {timeout_s:g} s; it may be busy, or hold a dialog", timeout_s=timeout_s
            ) from error
        answer = _decode(said)
        if answer.gone:
            raise AnotherDocumentError("the document was replaced; observe again")
        if answer.blocked:
            raise BlockedByPolicyError(f"the browser does not let script do this: {answer.failed}")
        if answer.failed:
            raise EvaluateError(f"the content script failed: {answer.failed}")
        if answer.world != self.world:
            self.world = answer.world
            self._on_world(answer.world)
        return _decoded(answer.told, type_)

    async def _install(self) -> None:
        installed: object = None
        for last in (False, False, True):
            try:
                installed = await self.driver.evaluate(content_source())
                break
            except EvaluateError as error:
                # The document may have been replaced meanwhile; running it twice does nothing.
                if last:
                    words = f"the content script could not be put into the page: {error.message}"
                    raise ContentScriptError(words) from error
        if installed is not True:
            raise ContentScriptError("the content script did not run in the page; use the CDP engine")


def _decode(said: object) -> _Answer:
    if not isinstance(said, str) or said == _ABSENT:
        raise ContentScriptError("the content script is not in the page (any more); observe again")
    return _decoded(said, _Answer)


def _decoded(said: str | msgspec.Raw, type_: type[T]) -> T:
    # In its own world a page can answer in the place of the script: what it says is checked, whoever said it.
    try:
        return msgspec.json.decode(said, type=type_)
    except msgspec.DecodeError as error:
        raise ContentScriptError(f"the page answered in the place of the content script: {error}") from error
