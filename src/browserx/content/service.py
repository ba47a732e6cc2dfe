"""``ContentService``: looking at one page and acting on it, by script alone."""

import time
from collections.abc import Callable
from typing import cast

from browserx.browser import Tab
from browserx.browser.screenshot import Clip
from browserx.content.camera import DriverCamera, unable
from browserx.content.controls import Controls
from browserx.content.driver import AnswersDialogs, Driver, OpenDialog, TabDriver
from browserx.content.going import Going
from browserx.content.hand import ASK_TIMEOUT_S, DetachedError
from browserx.content.locating import Locating
from browserx.content.performing import Performance, Place
from browserx.content.sight import ContentSight
from browserx.dom import DomSnapshot, SerializationOptions
from browserx.dom.options import DEADLINE_MS
from browserx.errors import NotActionableError, NotSupportedError, OperationTimeoutError, SnapshotError
from browserx.page import DialogSeen, DomService, Observation, ServiceConfig, describe
from browserx.page.picturing import Picturing
from browserx.page.steps import Steps


class ContentService(Controls, Going, Locating, Picturing[ContentSight], Steps):
    """``DomService`` for a driver that can only evaluate script: ``ContentService(PlaywrightDriver(page))``.

    The same calls give the same types. Calls from several callers are served one after the other. The script is put
    into each document when it is first asked, and taken out by ``detach``. Pictures, prints and dialogs are the
    driver's: where it has none, ``NotSupportedError`` says so.
    """

    def __init__(
        self,
        driver: Driver,
        config: ServiceConfig | None = None,
        *,
        on_detach: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(driver, config or ServiceConfig(engine="content"))
        self._on_detach = on_detach

    async def detach(self) -> None:
        """Take the script and its stamps out of the page. Calls after this raise ``NotAttachedError``."""
        async with self._lock:
            if self._on_detach is not None:
                self._on_detach()
            await self._sight.close()

    @property
    def _window(self) -> ContentSight:
        return self._sight

    async def _observe(self, options: SerializationOptions, deadline: float) -> Observation:
        await self._sight.attached()
        try:
            snapshot = await self._sight.look(
                whole=not options.viewport_only,
                deadline_s=max(0.01, deadline - time.perf_counter()),
                scope=options.scope,
            )
        except NotActionableError as error:
            if error.reason != "dialog":
                raise
            # Without the driver's word nobody can tell of which kind it is.
            found = await self._dialog()
            return describe.dialog(self._sight, self.nonce, found or DialogSeen("alert", error.message))
        return self._teller.tell(snapshot, options, start=0 if options.scope is not None else -1)

    async def _dialog(self) -> OpenDialog | None:
        if not isinstance(self.driver, AnswersDialogs):
            return None
        try:
            return await self.driver.dialog()
        except NotSupportedError:
            return None

    async def get_attributes(self, node_id: str | int) -> dict[str, str]:
        """What is written on an element now, protected values excepted.

        Raises:
            NodeNotFoundError: there is no such element.
        """
        async with self._lock:
            eye = await self._sight.attached()
            target = self._sight.target(node_id)
            try:
                told = await eye.ask(
                    "attributes",
                    target.key,
                    type_=dict[str, str] | None,  # type: ignore[arg-type]
                    timeout_s=ASK_TIMEOUT_S,
                    world=target.world,
                )
            except SnapshotError:
                told = None
            if told is None:
                raise describe.not_found(target.node_id, self._sight.snapshot)
            return dict(told)

    # what only a driver can do

    async def answer_dialog(self, accept: bool, text: str | None = None) -> DialogSeen:
        """Press OK, with ``text`` typed into a prompt, or Cancel; tells which dialog that was.

        Raises:
            NotSupportedError: the driver does not tell of dialogs.
            NotActionableError: none is open.
        """
        if not isinstance(self.driver, AnswersDialogs):
            raise unable(self.driver, "answers no dialogs", "dialog")
        async with self._lock:
            await self._sight.attached()
            dialog = await self.driver.dialog()
            if dialog is None:
                raise NotActionableError("no dialog is open; observe, and go on", node_id="", reason="dialog")
            seen = DialogSeen(dialog.kind, dialog.text, dialog.default_text)
            await (dialog.accept(text) if accept else dialog.dismiss())
            self._sight.forget()
            return seen

    async def show_ids(self, shown: bool = True) -> None:
        """Refused: by script alone nothing can be drawn that the page cannot see.

        Raises:
            NotSupportedError: always, unless nothing is to be shown.
        """
        if shown:
            raise NotSupportedError("the content engine draws nothing over a page; show ids with the CDP engine")

    async def _camera(self) -> DriverCamera:
        eye = await self._sight.attached()
        try:
            await eye.ask("hello", type_=Place, timeout_s=ASK_TIMEOUT_S)
        except (NotActionableError, NotSupportedError, OperationTimeoutError) as error:
            raise SnapshotError(error.message) from error
        return DriverCamera(self.driver)

    async def _glance(self) -> DomSnapshot:
        return await self._sight.look(whole=False, deadline_s=DEADLINE_MS / 1000)

    async def _place(self, node_id: str | int) -> Clip:
        target = self._sight.target(node_id)
        performance = Performance(self._sight.eye, self._sight.ids, self.config)
        await performance.begin()
        try:
            fit = await self._fit(performance, "picture", target, {"enabled": False, "pointer": False})
        except DetachedError as error:
            raise describe.not_found(target.node_id, self._sight.snapshot) from error
        if fit.box[2] < 1 or fit.box[3] < 1:
            raise NotActionableError(
                f"element {target.node_id} has no size; observe again", node_id=target.node_id, reason="zero_size"
            )
        return fit.box


def service_for(tab: Tab, config: ServiceConfig, on_detach: Callable[[], object]) -> DomService:
    """The content engine on one of our own tabs: a service in all but its class."""
    return cast(DomService, ContentService(TabDriver(tab), config, on_detach=on_detach))
