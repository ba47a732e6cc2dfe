"""Acting on one tab: one method for each action. ``DomService`` is this, and the seeing half.

Every action on an element takes a node id of the current snapshot, and raises

- ``NoSnapshotError``: the page was not looked at since the last action;
- ``NodeNotFoundError``: there is no such element (any more), or two may be meant;
- ``NotActionableError``: it is hidden, covered (says by what), disabled or moving, or a dialog is open;
- ``InvalidArgumentError``: what was given makes no sense.

``expect`` says what should be so afterwards; the result tells whether it is (``expectation``).
"""

import os
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Literal

from browserx.actions import ActionResult, Verdict
from browserx.actions.choosing import check, select_option
from browserx.actions.dragging import drag
from browserx.actions.files import upload
from browserx.actions.focusing import blur, focus
from browserx.actions.perform import Performance
from browserx.actions.pointer import Button, click, hover
from browserx.actions.scrolling import Direction, more_comes, scroll
from browserx.actions.submitting import submit
from browserx.actions.target import Target
from browserx.actions.typing import Typing, focused_frame, press_key, type_focused, type_text
from browserx.actions.visit import visit
from browserx.browser.attachment import Attachment
from browserx.browser.frames import Frame
from browserx.errors import InvalidArgumentError
from browserx.page import waiting
from browserx.page.expectation import State, expectation
from browserx.page.hand import Expected, Hand

_MOST_SCROLLS = 50
Modifiers = list[str] | tuple[str, ...]
NodeId = str | int


class Acting(Hand):
    """One method for each action."""

    @property
    def _ignore(self) -> bool:
        return self.config.ignore_opt_out

    async def click(
        self,
        node_id: NodeId,
        *,
        button: Button = "left",
        click_count: int = 1,
        modifiers: Modifiers = (),
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Click an element, at the centre of what shows of it or at ``offset`` from its top left corner."""
        return await self._act_on(
            "click",
            node_id,
            lambda performance, target: click(
                performance,
                target,
                button=button,
                click_count=click_count,
                modifiers=modifiers,
                offset=offset,
                ignore_opt_out=self._ignore,
            ),
            expect,
        )

    async def type(
        self,
        node_id: NodeId | None,
        text: str,
        *,
        clear: bool | None = None,
        char_by_char: bool = False,
        char_delay: float | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Type into a field: focus, clear, insert exactly ``text``; a newline at its end presses Enter.

        With ``clear=False`` the text comes after what the field holds. Without a ``node_id`` it goes to the caret of
        what has the focus, which is cleared only with ``clear=True``.

        ``char_delay`` is the time between two keys in seconds, for pages that watch how fast somebody types.
        """
        typing = Typing(text, clear is not False and (clear or node_id is not None), char_by_char, char_delay)
        if node_id is not None:
            return await self._act_on(
                "type",
                node_id,
                lambda performance, target: type_text(performance, target, typing, ignore_opt_out=self._ignore),
                expect,
            )

        async def act(attachment: Attachment) -> ActionResult:
            frame = await focused_frame(attachment)
            return await self._perform(
                frame, lambda performance: type_focused(performance, typing, ignore_opt_out=self._ignore)
            )

        return await self._act("type", act, expect)

    async def keypress(self, key: str, modifiers: Modifiers = (), *, expect: Expected = None) -> ActionResult:
        """Press one key ("Enter", "a") or chord ("Control+A") on whatever has the focus."""

        async def act(attachment: Attachment) -> ActionResult:
            frame = await focused_frame(attachment)
            return await self._perform(frame, lambda performance: press_key(performance, key, modifiers))

        return await self._act("keypress", act, expect)

    async def scroll(
        self,
        node_id: NodeId | None = None,
        direction: Direction = "down",
        *,
        amount: float = 1.0,
        to: Literal["start", "end"] | None = None,
        until: Literal["end"] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Scroll the page, or the box that ``node_id`` is or is in, by ``amount`` windows or to its start or end.

        ``until="end"`` goes to the end again and again, for lists that load more when it comes into view: until nothing
        more comes, at most fifty times.
        """
        if until not in (None, "end"):
            raise InvalidArgumentError('until is "end"')

        async def go(performance: Performance, target: Target | None) -> ActionResult:
            return await scroll(performance, target, direction=direction, amount=amount, to=until or to)

        async def go_on(performance: Performance, target: Target | None) -> ActionResult:
            done = await go(performance, target)
            if done.verdict is Verdict.NO_EFFECT and await more_comes(performance, target):
                done = await go(performance, target)
            return done

        async def all_the_way(target: Target | None, frame: Frame) -> ActionResult:
            result = await self._perform(frame, lambda performance: go(performance, target))
            for _ in range(_MOST_SCROLLS if until else 0):
                more = await self._perform(frame, lambda performance: go_on(performance, target))
                if more.verdict is Verdict.NO_EFFECT:
                    break
            return result

        if node_id is not None:
            return await self._act_at("scroll", node_id, lambda target: all_the_way(target, target.frame), expect)

        async def act(attachment: Attachment) -> ActionResult:
            return await all_the_way(None, attachment.frames.main)

        return await self._act("scroll", act, expect)

    async def hover(
        self, node_id: NodeId, *, offset: tuple[float, float] | None = None, expect: Expected = None
    ) -> ActionResult:
        """Move the pointer onto an element, and leave it there."""
        return await self._act_on(
            "hover",
            node_id,
            lambda performance, target: hover(performance, target, offset=offset, ignore_opt_out=self._ignore),
            expect,
        )

    async def focus(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Give an element the focus, without pressing it."""
        return await self._act_on(
            "focus",
            node_id,
            lambda performance, target: focus(performance, target, ignore_opt_out=self._ignore),
            expect,
        )

    async def blur(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Take the focus away from an element."""
        return await self._act_on(
            "blur", node_id, lambda performance, target: blur(performance, target, ignore_opt_out=self._ignore), expect
        )

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
        return await self._act_on(
            "select_option",
            node_id,
            lambda performance, target: select_option(
                performance, target, value=value, label=label, index=index, ignore_opt_out=self._ignore
            ),
            expect,
        )

    async def check(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box, radio or switch is on; one that is on is left alone."""
        return await self._act_on(
            "check",
            node_id,
            lambda performance, target: check(performance, target, checked=True, ignore_opt_out=self._ignore),
            expect,
        )

    async def uncheck(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """See to it that a box or switch is off; one that is off is left alone."""
        return await self._act_on(
            "uncheck",
            node_id,
            lambda performance, target: check(performance, target, checked=False, ignore_opt_out=self._ignore),
            expect,
        )

    async def drag(
        self,
        node_id: NodeId,
        to: NodeId | None = None,
        *,
        offset: tuple[float, float] | None = None,
        expect: Expected = None,
    ) -> ActionResult:
        """Drag an element onto another, or by ``offset`` in CSS px; with data or by pointer, as the page has it."""
        return await self._act_on(
            "drag",
            node_id,
            lambda performance, target: drag(
                performance,
                target,
                to=None if to is None else self._sight.target(to),
                offset=offset,
                ignore_opt_out=self._ignore,
            ),
            expect,
        )

    async def upload(
        self, node_id: NodeId, files: Sequence[str | os.PathLike[str]], *, expect: Expected = None
    ) -> ActionResult:
        """Give files to a field, or to the one behind a label, button or area that asks for files."""
        return await self._act_on(
            "upload",
            node_id,
            lambda performance, target: upload(performance, target, files, ignore_opt_out=self._ignore),
            expect,
        )

    async def submit(self, node_id: NodeId, *, expect: Expected = None) -> ActionResult:
        """Send the form that an element is, or is in: by its button, or by Enter in one of its fields."""
        return await self._act_on(
            "submit",
            node_id,
            lambda performance, target: submit(performance, target, ignore_opt_out=self._ignore),
            expect,
        )

    # going, and waiting

    async def navigate(self, url: str, *, expect: Expected = None) -> ActionResult:
        """Open ``url`` in the tab; returns when its page is loaded and quiet.

        Raises:
            NavigationError, OperationTimeoutError: no page came.
        """
        return await self._go("navigate", lambda: self.tab.goto(url), expect)

    async def back(self, *, expect: Expected = None) -> ActionResult:
        """Go back in the tab's history."""
        return await self._go("back", self.tab.back, expect)

    async def forward(self, *, expect: Expected = None) -> ActionResult:
        """Go forward in the tab's history."""
        return await self._go("forward", self.tab.forward, expect)

    async def reload(self, *, expect: Expected = None) -> ActionResult:
        """Load the page anew."""
        return await self._go("reload", self.tab.reload, expect)

    async def _go(self, name: str, go: Callable[[], Awaitable[Any]], expect: Expected) -> ActionResult:
        return await self._act(name, lambda attachment: visit(attachment, go), expect)

    async def wait_for(
        self,
        *,
        text: str | None = None,
        gone: str | None = None,
        url: str | None = None,
        node_id: NodeId | None = None,
        state: State | None = None,
        value: str | None = None,
        timeout_s: float = 10.0,
    ) -> ActionResult:
        """Wait until a text is there, or gone, the address fits, or an element is in a state or holds a value.

        Raises:
            OperationTimeoutError: it did not come to that within ``timeout_s`` seconds; says what is so instead.
        """
        given = {"text": text, "gone": gone, "url": url, "node_id": node_id, "state": state, "value": value}
        wanted = expectation({name: one for name, one in given.items() if one is not None})

        async def wait_(attachment: Attachment) -> ActionResult:
            return await waiting.wait(
                partial(self._until, attachment, wanted), lambda: attachment.frames.main.url, timeout_s
            )

        return await self._act("wait", wait_)
