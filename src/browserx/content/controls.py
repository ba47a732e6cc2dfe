"""What is done with controls besides pressing them, by script: boxes, lists, drags, files and forms.

They raise what ``pressing`` says.
"""

import asyncio
import os
from collections.abc import Sequence
from functools import partial

from browserx.actions import ActionResult
from browserx.actions.choosing import Chosen, no_choice, not_chosen, not_taken, wanted_options
from browserx.actions.dragging import apart, check_end
from browserx.actions.files import not_held, readable, takes_one
from browserx.actions.submitting import Submitter, in_no_form, unsendable
from browserx.actions.typing import Typing
from browserx.content.files import handed_in
from browserx.content.performing import Performance
from browserx.content.pressing import NodeId, Pressing
from browserx.content.sight import Target
from browserx.page.hand import Expected


class Controls(Pressing):
    """The actions on controls."""

    async def check(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box, radio or switch is on; one that is on is left alone."""
        return await self._act_at("check", node_id, partial(self._check, wanted=True), expect)

    async def uncheck(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box or switch is off; one that is off is left alone."""
        return await self._act_at("uncheck", node_id, partial(self._check, wanted=False), expect)

    async def _check(self, performance: Performance, target: Target, *, wanted: bool) -> ActionResult:
        done = await self._perform(performance, "check", target, {"wanted": wanted}, {})

        async def verify() -> str:
            state = await self._ask(performance, "checkedState", target.key, type_=str | None)
            return not_taken(state, checked=wanted)

        return await performance.finish(at=done.place, verify=verify if done.pressed else None)

    async def select_option(
        self,
        node_id: NodeId,
        *,
        value: str | Sequence[str] | None = None,
        label: str | Sequence[str] | None = None,
        index: int | Sequence[int] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Choose in a native list, by value, label or place (from 0); several where it takes several.

        For any other kind of list: ``choose``.
        """
        asked = wanted_options(value=value, label=label, index=index)

        async def act(performance: Performance, target: Target) -> ActionResult:
            await self._perform(performance, "watch", target, {"pointer": False}, {})
            done: Chosen = await self._ask(performance, "selectOptions", target.key, asked, type_=Chosen)
            if not done.ok:
                raise no_choice(target, done, asked)

            async def verify() -> str:
                now = await self._ask(performance, "selectedValues", target.key, type_=list[str] | None)
                return not_chosen(done, now)

            return await performance.finish(verify=verify)

        return await self._act_at("select_option", node_id, act, expect)

    async def drag(
        self,
        node_id: NodeId,
        to: NodeId | None = None,
        *,
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Drag an element onto another, or by ``offset`` in CSS px; with data or by pointer, as the page has it."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            check_end(to, offset)
            end = self._sight.target(to) if to is not None else None
            if end is not None:
                await self._fit(performance, "drop", end, {"enabled": False, "pointer": False})
            options = {"to": end.key if end is not None else 0, "offset": list(offset) if offset else None}
            done = await self._perform(performance, "drag", target, {"enabled": False}, options)
            if done.done == "apart" and end is not None:
                raise apart(target, end)
            return await performance.finish(needs_reach=True, at=done.place)

        return await self._act_at("drag", node_id, act, expect)

    async def upload(
        self, node_id: NodeId, files: Sequence[str | os.PathLike[str]], *, expect: Expected = None
    ) -> ActionResult:
        """Give files to a field, or to the one behind a label, button or area that asks for files.

        Their bytes are handed in with the script, so that they are at most 32 MB together.
        """

        async def act(performance: Performance, target: Target) -> ActionResult:
            paths = await asyncio.to_thread(readable, files)
            given = await asyncio.to_thread(handed_in, paths)
            done = await self._perform(performance, "upload", target, {}, {"files": given})
            if done.done == "one_file":
                raise takes_one(target, len(paths))

            async def verify() -> str:
                return not_held(await self._ask(performance, "filesHeld", done.field, type_=list[str]), paths)

            return await performance.finish(verify=verify if done.field else None)

        return await self._act_at("upload", node_id, act, expect)

    async def submit(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Send the form that an element is, or is in: by its button, or by Enter in one of its fields."""

        async def act(performance: Performance, target: Target) -> ActionResult:
            await self._fit(performance, "submit", target, {"shown": False, "pointer": False, "enabled": False})
            found: Submitter | None = await self._ask(performance, "submitter", target.key, type_=Submitter | None)
            if found is None:
                raise in_no_form(target)
            if found.button:
                return await self._click(performance, self._other(target, found.button), options={})
            if found.field:
                return await self._type(performance, self._other(target, found.field), typing=Typing("\n", clear=False))
            raise unsendable(target)

        return await self._act_at("submit", node_id, act, expect)
