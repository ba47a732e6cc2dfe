"""The contract as it is published, and every answer held against it, for requests that a machine makes up."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from browserx.backend.app import create_app
from browserx.backend.settings import Settings
from tests.backend.served import Served

_TOKEN = "token-of-the-tests-of-openapi"
_METHODS = ("GET", "POST", "PATCH", "DELETE")


async def test_the_contract_is_published(served: Served) -> None:
    async with served.client() as http:
        contract = (await http.get("/openapi.json")).json()
    request = contract["components"]["schemas"]["InteractRequest"]
    assert {"url", "query"} == set(request["required"])
    assert {"verification_passed", "interactiveTree", "dom_filtered"} <= set(request["properties"])
    assert set(contract["paths"]) >= {"/api/agent/interact", "/api/session", "/api/session/{session_id}/messages"}


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    folder = tmp_path_factory.mktemp("openapi")
    app = create_app(Settings(data_dir=str(folder), token=_TOKEN, rate="1000000/minute"))
    with TestClient(
        app, base_url="http://localhost", headers={"Authorization": f"Bearer {_TOKEN}"}, raise_server_exceptions=False
    ) as client:
        yield client


def _operations(http: TestClient) -> list[Any]:
    schema = schemathesis.openapi.from_dict(http.get("/openapi.json").json())
    found: list[Any] = list(schema.get_all_operations())
    return [one.ok() for one in found]


def test_made_up_requests_are_answered_by_the_contract(http: TestClient) -> None:
    operations = _operations(http)
    assert len(operations) > 8
    for operation in operations:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=25,
            deadline=None,
            phases=[Phase.generate],
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
        def answered(case: Any) -> None:
            kwargs = case.as_transport_kwargs(base_url="http://localhost")
            kwargs["headers"] = {
                name: value
                for name, value in dict(kwargs.get("headers") or {}).items()
                if name.lower() not in ("authorization", "host", "origin")
            }
            kwargs.pop("cookies", None)
            answer = http.request(**kwargs)
            assert answer.status_code < 500, (kwargs, answer.text)
            if answer.status_code != 204:
                told = answer.json()
                assert answer.status_code < 400 or told["error"]["code"], kwargs

        answered()


@given(body=st.binary(max_size=200))
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_any_bytes_are_refused_by_name(http: TestClient, body: bytes) -> None:
    answer = http.post("/api/agent/interact", content=body)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


def test_the_push_server_takes_no_nonsense(http: TestClient, tmp_path: Path) -> None:
    for body in (b"", b"{", b"socket_id=1", b'{"socket_id": 7}', b"\xff" * 10):
        assert http.post("/api/pusher/auth", content=body).status_code in (403, 422)
    for method in _METHODS:
        assert http.request(method, "/apps/1/events", content=b"{").status_code in (400, 401, 404, 405)
