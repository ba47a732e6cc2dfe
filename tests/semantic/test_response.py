"""Answers, as backends write them."""

import pytest

from browserx.semantic.response import InteractData, InteractResponse

#: The example of the contract.
EXAMPLE = {
    "success": True,
    "data": {
        "thought": "I'll click the search button to submit the query.",
        "action": "click(42)",
        "actionDetails": {"name": "click", "elementId": 42, "selectorPath": "button[data-testid='search-btn']"},
        "taskId": "e49abedb-f50c-45d2-bf81-62662b6a038e",
        "plan": {
            "steps": [
                {"id": "step_0", "index": 0, "description": "Go", "status": "completed", "toolType": "DOM"},
                {"id": "step_1", "index": 1, "description": "Click", "status": "active", "toolType": "DOM"},
            ],
            "currentStepIndex": 1,
            "createdAt": "2026-01-30T10:00:00.000Z",
        },
        "currentStep": 1,
        "totalSteps": 2,
        "status": "executing",
        "sessionId": "59adf5f0-cddb-42dd-a20d-658ac57278fd",
    },
}


def test_the_example_of_the_contract_comes_back_as_it_was() -> None:
    written = InteractResponse.model_validate(EXAMPLE).to_wire()
    written["data"]["actionDetails"].pop("args")
    assert written == EXAMPLE


def test_negotiation_is_read() -> None:
    data = InteractData.model_validate(
        {
            "status": "needs_context",
            "requestedDomMode": "hybrid",
            "needsScreenshot": True,
            "needsSkeletonDom": True,
            "reason": "User asked about the blue button",
        }
    )
    assert (data.status, data.requested_dom_mode, data.needs_screenshot) == ("needs_context", "hybrid", True)


@pytest.mark.parametrize("given", [{"status": "needs_full_dom"}, {"status": "executing", "action": "needs_full_dom"}])
def test_what_backends_said_before_is_understood(given: dict[str, str]) -> None:
    data = InteractData.model_validate(given)
    assert (data.status, data.requested_dom_mode, data.action) == ("needs_context", "full", None)
