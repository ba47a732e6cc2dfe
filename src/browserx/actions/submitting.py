"""Sending a form the way a person does: by its button, or by Enter in one of its fields."""

import msgspec

from browserx.actions.perform import Performance
from browserx.actions.pointer import click
from browserx.actions.result import ActionResult
from browserx.actions.target import Aimed, Target, make_ready
from browserx.actions.typing import Typing, type_text
from browserx.errors import NotActionableError

_TIMEOUT_S = 10.0


class Submitter(msgspec.Struct):
    """What sends a form: the key of its button, or of a field to press Enter in; 0 for none."""

    button: int
    field: int


async def submit(performance: Performance, target: Target, *, ignore_opt_out: bool = False) -> ActionResult:
    """Send the form that ``target`` is, or is in.

    Raises:
        NotActionableError: it is in no form, or in one without a button or a text field; or the button is not fit.
    """
    await make_ready(
        performance.attachment,
        target,
        performance.ids,
        shown=False,
        pointer=False,
        enabled=False,
        ignoreOptOut=ignore_opt_out,
    )
    asked = f"__browserx.submitter({target.key})"
    answer = await performance.attachment.call(target.frame, asked, timeout_s=_TIMEOUT_S)
    if answer.result.value is None:
        raise in_no_form(target)
    found = msgspec.convert(answer.result.value, Submitter)
    if found.button:
        return await click(performance, _other(performance, target, found.button), ignore_opt_out=ignore_opt_out)
    if found.field:
        field = _other(performance, target, found.field)
        return await type_text(performance, field, Typing("\n", clear=False), ignore_opt_out=ignore_opt_out)
    raise unsendable(target)


def in_no_form(target: Aimed) -> NotActionableError:
    """There is nothing to send."""
    return NotActionableError(
        f"element {target.node_id} is in no form; observe again, and click what sends it",
        node_id=target.node_id,
        reason="no_form",
    )


def unsendable(target: Aimed) -> NotActionableError:
    """There is a form, and nobody could send it."""
    return NotActionableError(
        f"the form of element {target.node_id} has no button and no field to press Enter in; observe again",
        node_id=target.node_id,
        reason="no_form",
    )


def _other(performance: Performance, target: Target, key: int) -> Target:
    if key == target.key:
        return target
    return Target(performance.ids.id_of(target.frame.world_id, key), target.frame, key)
