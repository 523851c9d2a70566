"""The OpenAPI document: valid, served without a CDN, and true of what the API answers."""

import re
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator
from rest_framework.test import APIClient

from tests.api.conftest import ClientFor
from tests.builders import NOON, Floor, round_body


@pytest.fixture(scope="module")
def schema() -> dict[str, Any]:
    """The document as the generator makes it."""
    return dict(SchemaGenerator().get_schema(request=None, public=True))


def _closed(node: Any) -> Any:
    """The schema with no room for keys it does not name, and nulls where it says nullable."""
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items()}
    if "properties" in closed:
        closed.setdefault("additionalProperties", False)
    return {"anyOf": [closed, {"type": "null"}]} if node.get("nullable") else closed


def check_answer(schema: dict[str, Any], path: str, method: str, answer: Any) -> None:
    responses = schema["paths"][path][method]["responses"]
    assert str(answer.status_code) in responses, f"{method} {path}: {answer.status_code}"
    shape = responses[str(answer.status_code)]["content"]["application/json"]["schema"]
    document = {**_closed(shape), "components": _closed(schema["components"])}
    Draft202012Validator(document).validate(answer.json())


def test_the_schema_is_valid_openapi_3(schema: dict[str, Any]) -> None:
    validate_schema(schema)
    assert schema["openapi"].startswith("3.")


def test_the_docs_page_loads_nothing_from_elsewhere(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs/").content.decode()
    links = re.findall(r"""(?:src|href)=["']([^"']+)""", page)
    assert links
    assert [link for link in links if "//" in link] == []


def test_answers_are_as_the_schema_says(
    schema: dict[str, Any], floor: Floor, client_for: ClientFor, api: APIClient
) -> None:
    supervisor = client_for(floor.supervisor)
    rounds, round_path = "/api/v1/rounds/", "/api/v1/tables/{table}/rounds/{sequence}/"
    misdeal = {
        "id": "m1",
        "table": "BP-01",
        "occurred_at": NOON.isoformat(),
        "kind": "card_seen_twice",
        "seats_in_play": 3,
        "reason": "two eights",
        "authority": "la-manager",
    }
    grounds = {"id": "v", "reason_code": "other", "reason": "r", "authority": "la-manager"}
    capped = round_body(3)
    capped["seats"][0]["bets"]["main"] = 1
    calls = [
        (rounds, "post", api.post(rounds, capped, format="json")),
        (rounds, "post", api.post(rounds, capped, format="json")),
        (
            rounds,
            "post",
            api.post(
                rounds,
                {**round_body(2), "dealer": {"cards": round_body(2)["dealer"]["cards"]}},
                format="json",
            ),
        ),
        (rounds, "post", api.post(rounds, {}, format="json")),
        (rounds, "post", APIClient().post(rounds, {}, format="json")),
        (rounds, "get", api.get(rounds)),
        (f"{rounds}preview/", "post", api.post(f"{rounds}preview/", round_body(4), format="json")),
        (
            f"{round_path}void/",
            "post",
            supervisor.post("/api/v1/tables/BP-01/rounds/1/void/", grounds, format="json"),
        ),
        (round_path, "get", api.get("/api/v1/tables/BP-01/rounds/1/")),
        (round_path, "get", api.get("/api/v1/tables/BP-01/rounds/2/")),
        (round_path, "get", api.get("/api/v1/tables/BP-01/rounds/9/")),
        (f"{round_path}worth/", "get", api.get("/api/v1/tables/BP-01/rounds/2/worth/")),
        (f"{round_path}worth/", "get", api.get("/api/v1/tables/BP-01/rounds/9/worth/")),
        ("/api/v1/misdeals/", "post", api.post("/api/v1/misdeals/", misdeal, format="json")),
        ("/api/v1/misdeals/", "get", api.get("/api/v1/misdeals/")),
        ("/api/v1/me/", "get", api.get("/api/v1/me/")),
        ("/api/v1/tables/", "get", api.get("/api/v1/tables/")),
        ("/api/v1/tables/{table}/", "get", api.get("/api/v1/tables/BP-01/")),
        ("/api/v1/tables/{table}/close/", "post", supervisor.post("/api/v1/tables/BP-01/close/")),
        ("/api/v1/tables/{table}/open/", "post", supervisor.post("/api/v1/tables/BP-01/open/")),
        ("/api/v1/tables/{table}/open/", "post", supervisor.post("/api/v1/tables/BP-01/open/")),
        ("/api/v1/dealers/", "get", api.get("/api/v1/dealers/")),
        ("/api/v1/shifts/", "get", api.get("/api/v1/shifts/")),
        (
            "/api/v1/assignments/",
            "post",
            api.post("/api/v1/assignments/", {"table": "BP-02", "dealer": "D103"}, format="json"),
        ),
        ("/api/v1/assignments/", "get", api.get("/api/v1/assignments/")),
        (
            "/api/v1/token/",
            "post",
            api.post(
                "/api/v1/token/", {"username": "la-clerk", "password": "password"}, format="json"
            ),
        ),
    ]
    for path, method, answer in calls:
        check_answer(schema, path, method, answer)
