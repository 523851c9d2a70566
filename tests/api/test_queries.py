"""Query strings and bodies that nothing reads: refused on every address, not ignored (N16, N17)."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from tests.api.conftest import ClientFor
from tests.api.test_permissions import API, PATHS
from tests.builders import Floor, round_body

LISTS = ("api_tables", "api_dealers", "api_shifts", "api_assignments", "api_rounds", "api_misdeals")
PAGED = ("api_shifts", "api_assignments", "api_rounds", "api_misdeals")
READ = sorted(name for name, row in API.items() if "get" in row)
SENT = sorted(name for name, row in API.items() if "post" in row)
# What the report cannot do without.
NEEDED = {"api_performance": "from=2026-11-29&to=2026-11-29&"}


@pytest.fixture
def clients(floor: Floor, client_for: ClientFor) -> list[APIClient]:
    """A client a role; the records that the addresses name are there."""
    clients = [client_for(user) for user in floor.users]
    clients[0].post("/api/v1/rounds/", round_body(1), format="json")
    clients[-1].post("/api/v1/what-if/", {"id": "asked", "changes": {}}, format="json")
    return clients


def _allowed(clients: list[APIClient], floor: Floor, name: str, method: str) -> APIClient:
    return next(
        client
        for client, user in zip(clients, floor.users, strict=True)
        if user.role in API[name][method]
    )


def _refused(answer: Any, place: str) -> None:
    assert (answer.status_code, answer.json()["code"]) == (400, "field_invalid"), answer.content
    assert answer.json()["detail"]["place"] == place


@pytest.mark.parametrize("name", READ)
def test_case_n16_an_unknown_parameter_is_refused(
    floor: Floor, clients: list[APIClient], name: str
) -> None:
    client = _allowed(clients, floor, name, "get")
    _refused(client.get(f"{PATHS[name]}?{NEEDED.get(name, '')}order=up"), "order")


@pytest.mark.parametrize("name", SENT)
def test_case_n16_a_command_reads_no_parameters(
    floor: Floor, clients: list[APIClient], name: str
) -> None:
    client = _allowed(clients, floor, name, "post")
    _refused(client.post(f"{PATHS[name]}?table=BP-01", {}, format="json"), "table")


@pytest.mark.parametrize("name", READ)
def test_case_n16_a_body_that_nothing_reads_is_refused(
    floor: Floor, clients: list[APIClient], name: str
) -> None:
    client = _allowed(clients, floor, name, "get")
    path = f"{PATHS[name]}?{NEEDED.get(name, '')}"
    _refused(client.generic("GET", path, '{"a": 1}', content_type="application/json"), "")


@pytest.mark.parametrize("name", ["api_table_open", "api_table_close"])
def test_case_n16_a_command_names_the_field_that_it_does_not_know(
    floor: Floor, clients: list[APIClient], name: str
) -> None:
    client = _allowed(clients, floor, name, "post")
    _refused(client.post(PATHS[name], {"reason": "x"}, format="json"), "reason")
    _refused(client.post(PATHS[name], {"table": "BP-02"}, format="json"), "table")


@pytest.mark.parametrize("name", LISTS)
def test_case_n16_a_parameter_given_twice_is_refused(
    floor: Floor, clients: list[APIClient], name: str
) -> None:
    client = _allowed(clients, floor, name, "get")
    _refused(client.get(f"{PATHS[name]}?limit=1&limit=2"), "limit")


@pytest.mark.parametrize("name", PAGED)
@pytest.mark.parametrize("limit", ["abc", "0", "-5", "", "1.0", "1e1", "١", "1_0", "+1", " 1"])
def test_case_n17_a_limit_that_is_no_number_is_refused(
    floor: Floor, clients: list[APIClient], name: str, limit: str
) -> None:
    client = _allowed(clients, floor, name, "get")
    _refused(client.get(PATHS[name], {"limit": limit}), "limit")


@pytest.mark.parametrize(
    "day", ["2026-11-9", "20261129", "2026-W48-7", "2026-02-30", "２026-11-29", "29.11.2026", ""]
)
@pytest.mark.parametrize("name", ["api_rounds", "api_shifts"])
def test_a_day_that_is_not_written_as_one_is_refused(
    floor: Floor, clients: list[APIClient], name: str, day: str
) -> None:
    client = _allowed(clients, floor, name, "get")
    _refused(client.get(PATHS[name], {"gaming_day": day}), "gaming_day")


def test_every_fault_of_a_query_is_told(floor: Floor, clients: list[APIClient]) -> None:
    answer = clients[0].get("/api/v1/rounds/?limit=0&gaming_day=x&nothing=1&table=a&table=b")

    places = [fault["detail"]["place"] for fault in answer.json()["detail"]["faults"]]
    assert sorted(places) == ["gaming_day", "limit", "nothing", "table"]
