"""``POST /api/agent/interact``."""

import time
from typing import Annotated

from fastapi import APIRouter, Header, Request
from fastapi.responses import Response
from pydantic import ValidationError

from browserx.backend.access import Principal
from browserx.backend.interact import Interactor
from browserx.backend.pictures import check_screenshot
from browserx.backend.refusals import RefusedError, invalid
from browserx.backend.store import fingerprint
from browserx.semantic.request import MAX_SCREENSHOT_BYTES, MAX_SCREENSHOT_HASH, MAX_SKELETON_BYTES, InteractRequest
from browserx.semantic.response import InteractResponse, Refusal

PATH = "/api/agent/interact"
router = APIRouter(tags=["interact"])
_REFUSALS: dict[int | str, dict[str, object]] = {
    status: {"model": Refusal, "description": why}
    for status, why in (
        (401, "No token, or a wrong one"),
        (404, "No such task or session"),
        (409, "The task is being worked by another request, or is over"),
        (413, "Something is larger than it may be"),
        (422, "A field is wrong; it is named"),
        (429, "Too many requests"),
        (503, "The storage does not answer"),
    )
}
_BODY = {
    "requestBody": {
        "required": True,
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/InteractRequest"}}},
    }
}


@router.post(PATH, response_model=InteractResponse, responses=_REFUSALS, openapi_extra=_BODY)
async def interact(
    request: Request,
    principal: Principal,
    idempotency_key: Annotated[str | None, Header(min_length=1, max_length=255)] = None,
) -> Response:
    """Tell of the page and of what became of the last action; hear what to do next.

    A request with an ``Idempotency-Key`` that was answered before gets the same answer again. A task is worked by one
    request at a time.
    """
    body = await request.body()
    started = time.perf_counter()
    # No text of a page has it, and not every database takes it.
    if b"\\u0000" in body or b"\x00" in body:
        raise RefusedError(422, "VALIDATION_ERROR", "a text has a NUL character; leave it out")
    try:
        asked = InteractRequest.model_validate_json(body)
    except ValidationError as error:
        return invalid(error.errors(include_input=False, include_url=False, include_context=False))
    _check_sizes(asked)
    interactor: Interactor = request.app.state.interactor
    reply = await interactor.answer(
        principal, asked, key=idempotency_key, fingerprint=fingerprint("POST", PATH, body), started=started
    )
    # What part of the time was the server's own, without that of the brain; browsers and curl show it.
    timing = {"Server-Timing": f"own;dur={reply.own_s * 1000:.2f}"}
    return Response(reply.body, media_type="application/json", headers=timing)


def _check_sizes(asked: InteractRequest) -> None:
    """Refuse what has a size of its own in the contract."""
    for name, text, most in (
        ("skeletonDom", asked.skeleton_dom, MAX_SKELETON_BYTES),
        ("screenshot", asked.screenshot, MAX_SCREENSHOT_BYTES),
        ("screenshotHash", asked.screenshot_hash, MAX_SCREENSHOT_HASH),
    ):
        # A text has no more characters than bytes.
        if text is not None and (len(text) > most or len(text.encode("utf-8", "replace")) > most):
            raise RefusedError(
                413, "TOO_LARGE", f"{name} has at most {most:,} bytes; send less", field=name, maxBytes=most
            )
    if asked.screenshot is not None:
        check_screenshot(asked.screenshot)
