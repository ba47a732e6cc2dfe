"""Choosing: options of a list, and boxes, radios and switches."""

import json
from collections.abc import Sequence

import msgspec

from browserx.actions.perform import Performance
from browserx.actions.pointer import click
from browserx.actions.result import ActionResult
from browserx.actions.target import Aimed, Target, make_ready
from browserx.errors import InvalidArgumentError, NotActionableError

_TIMEOUT_S = 10.0
_OPTIONS_NAMED = 12


class Chosen(msgspec.Struct):
    """What the page says of a choice (``selectOptions`` in the eye): the values that are chosen now, or why none is."""

    ok: bool
    why: str = ""
    chosen: list[str] = []
    options: list[str] = []


async def select_option(
    performance: Performance,
    target: Target,
    *,
    value: str | Sequence[str] | None = None,
    label: str | Sequence[str] | None = None,
    index: int | Sequence[int] | None = None,
    ignore_opt_out: bool = False,
) -> ActionResult:
    """Choose in a native list: by value, by label as it is read, or by place (from 0); several where it takes several.

    An ``<option>`` as target chooses itself. The list is not opened: its popup is drawn by the system, outside of the
    page.
    """
    asked = wanted_options(value=value, label=label, index=index)
    attachment = performance.attachment
    await make_ready(attachment, target, performance.ids, pointer=False, ignoreOptOut=ignore_opt_out)
    expression = f"__browserx.selectOptions({target.key}, {json.dumps(asked)})"
    answer = await attachment.call(target.frame, expression, timeout_s=_TIMEOUT_S)
    done = msgspec.convert(answer.result.value, Chosen)
    if not done.ok:
        raise no_choice(target, done, asked)

    async def verify() -> str:
        held = await attachment.call(target.frame, f"__browserx.selectedValues({target.key})", timeout_s=_TIMEOUT_S)
        return not_chosen(done, held.result.value)

    return await performance.finish(verify=verify)


def wanted_options(**given: object) -> dict[str, list[object] | None]:
    """What to choose, as the eye takes it: by ``value``, ``label`` or ``index``, one or several of it.

    Raises:
        InvalidArgumentError: more than one of the three was given.
    """
    if sum(wanted is not None for wanted in given.values()) > 1:
        raise InvalidArgumentError("give value, label or index, not several of them")
    plural = {"value": "values", "label": "labels", "index": "indexes"}
    return {plural[by]: _many(wanted) for by, wanted in given.items()}


def _many(given: object) -> list[object] | None:
    if given is None:
        return None
    return [given] if isinstance(given, str | int) else list(given)  # type: ignore[call-overload]


def not_chosen(done: Chosen, now: list[str] | None) -> str:
    """What is wrong with a choice that was made, "" if nothing is: ``now`` are the values chosen once all is quiet."""
    return "" if now is None or sorted(now) == sorted(done.chosen) else f"the list took another choice: {now}"


def no_choice(
    target: Aimed, done: Chosen, asked: dict[str, list[object] | None]
) -> NotActionableError | InvalidArgumentError:
    """Why a choice could not be made."""
    given = any(wanted is not None for wanted in asked.values())
    offered = ", ".join(done.options[:_OPTIONS_NAMED]) + (", …" if len(done.options) > _OPTIONS_NAMED else "")
    if done.why == "no_option":
        what = "no such option" if given else "nothing was chosen"
        return InvalidArgumentError(f"{what} in list {target.node_id}; it offers: {offered}")
    reasons = {
        "no_list": "is no native list; use choose, or click it and look at what opens",
        "option_disabled": f"has that option disabled; it offers: {offered}",
        "not_multiple": "takes one option only",
        "disabled": "is disabled",
        "detached": "is no longer in the page; observe again",
    }
    return NotActionableError(
        f"element {target.node_id} {reasons.get(done.why, done.why)}", node_id=target.node_id, reason=done.why
    )


async def check(
    performance: Performance, target: Target, *, checked: bool = True, ignore_opt_out: bool = False
) -> ActionResult:
    """See to it that a box, radio or switch is on, or off: it is clicked if it is not, and looked at again then."""
    attachment = performance.attachment
    state = await _state(performance, target)
    if state is None:
        raise uncheckable(target, "not_checkable")
    wanted = "true" if checked else "false"
    if state == wanted:
        await make_ready(attachment, target, performance.ids, pointer=False, ignoreOptOut=ignore_opt_out)
        return await performance.finish()
    if not checked:
        radio = await attachment.call(target.frame, f"__browserx.isRadio({target.key})", timeout_s=_TIMEOUT_S)
        if radio.result.value:
            raise uncheckable(target, "radio")

    async def verify() -> str:
        return not_taken(await _state(performance, target), checked=checked)

    return await click(performance, target, ignore_opt_out=ignore_opt_out, verify=verify)


def uncheckable(target: Aimed, why: str) -> NotActionableError:
    """It cannot be checked, or (``radio``) not be unchecked."""
    words = {
        "not_checkable": "is nothing that can be checked; click it",
        "radio": "is a radio: it goes off when another of its group is checked",
    }[why]
    return NotActionableError(f"element {target.node_id} {words}", node_id=target.node_id, reason=why)


def not_taken(now: str | None, *, checked: bool) -> str:
    """What is wrong with what was clicked to be ``checked``, "" if nothing is: ``now`` is its state, None if gone."""
    wanted = "true" if checked else "false"
    return "" if now in (wanted, None) else f"it was clicked, and is {'not ' if checked else 'still '}checked"


async def _state(performance: Performance, target: Target) -> str | None:
    asked = f"__browserx.checkedState({target.key})"
    answer = await performance.attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)
    return None if answer.result.value is None else str(answer.result.value)
