"""The floor over REST: sign-in, tables, dealers, shifts and who dealt when."""

import datetime as dt
from typing import Any

import pytest
from rest_framework.test import APIClient

from tables.models import AuditEntry, DealerAssignment, TableSession
from tests.api.conftest import ClientFor
from tests.builders import NOON, OPENED_AT, Clock, Floor, build_floor, round_body

ASSIGNMENTS = "/api/v1/assignments/"


@pytest.fixture
def supervisor(floor: Floor, client_for: ClientFor) -> APIClient:
    """The floor supervisor's client."""
    return client_for(floor.supervisor)


def test_a_program_signs_in_with_a_token(floor: Floor) -> None:
    client = APIClient()
    token = client.post(
        "/api/v1/token/", {"username": "la-clerk", "password": "password"}, format="json"
    ).json()["token"]
    client.credentials(HTTP_AUTHORIZATION=f"Token {token}")

    account = client.get("/api/v1/me/").json()

    assert account == {
        "username": "la-clerk",
        "role": "clerk",
        "property": {
            "code": "LA",
            "name": "Casino LA",
            "zone": "America/Los_Angeles",
            "gaming_day_start": "06:00:00",
            "currency": "USD",
            "minor_digits": 2,
            "ruleset": "break-poker/rules-as-written@1",
            "card_entry": "suited",
        },
    }


def test_a_wrong_name_and_a_wrong_password_look_alike(floor: Floor) -> None:
    answers = [
        APIClient().post("/api/v1/token/", body, format="json")
        for body in (
            {"username": "la-clerk", "password": "wrong"},
            {"username": "nobody", "password": "password"},
        )
    ]
    assert [answer.status_code for answer in answers] == [401, 401]
    assert answers[0].json() == answers[1].json()
    assert answers[0].json()["code"] == "authentication_failed"


@pytest.mark.parametrize(
    "body", [{}, [], {"username": "la-clerk"}, {"username": "a\x00", "password": "b"}]
)
def test_a_sign_in_of_another_form_is_refused(floor: Floor, body: Any) -> None:
    answer = APIClient().post("/api/v1/token/", body, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "field_invalid")


def test_tables_tell_how_they_stand(api: APIClient, supervisor: APIClient) -> None:
    api.post("/api/v1/rounds/", round_body(1), format="json")
    supervisor.post("/api/v1/tables/BP-02/close/")

    one, two = api.get("/api/v1/tables/").json()

    assert one == {
        "code": "BP-01",
        "pit": "PIT-1",
        "seat_count": 6,
        "limits": {
            "main": {"minor_min": 500, "minor_max": 1_000_000},
            "side_bet": {"minor_min": 100, "minor_max": 100_000},
        },
        "is_open": True,
        "opened_at": OPENED_AT.isoformat(),
        "dealer_badge": "D101",
        "last_sequence": 1,
    }
    assert (two["code"], two["is_open"], two["dealer_badge"]) == ("BP-02", False, None)
    assert api.get("/api/v1/tables/BP-01/").json() == one


def test_a_table_opens_and_closes_once(supervisor: APIClient, floor: Floor, clock: Clock) -> None:
    close, reopen = "/api/v1/tables/BP-01/close/", "/api/v1/tables/BP-01/open/"

    assert supervisor.post(reopen).json()["code"] == "table_open"
    closed = supervisor.post(close)
    assert (closed.status_code, closed.json()["is_open"]) == (200, False)
    again = supervisor.post(close)
    assert (again.status_code, again.json()["code"]) == (409, "table_closed")
    clock.now += dt.timedelta(minutes=5)
    assert supervisor.post(reopen).json()["is_open"] is True

    sessions = TableSession.objects.filter(table=floor.tables[0]).order_by("pk")
    assert [(item.opened_at, item.closed_at) for item in sessions] == [
        (OPENED_AT, clock.now - dt.timedelta(minutes=5)),
        (clock.now, None),
    ]
    assert list(
        AuditEntry.objects.filter(subject="table BP-01", recorded_at__gt=NOON)
        .order_by("pk")
        .values_list("command", flat=True)
    ) == ["table_close", "table_open"]


def test_who_was_dealing_at_21_14(api: APIClient, clock: Clock) -> None:
    def assign(badge: str | None, at: str) -> Any:
        clock.now = dt.datetime.fromisoformat(at)
        return api.post(ASSIGNMENTS, {"table": "BP-01", "dealer": badge}, format="json")

    def dealing_at(at: str) -> list[str]:
        found = api.get(ASSIGNMENTS, {"table": "BP-01", "at": at}).json()["results"]
        return [item["dealer_badge"] for item in found]

    assert assign("D103", "2026-11-29T21:00:00-08:00").status_code == 201
    assert assign("D101", "2026-11-29T21:14:00-08:00").status_code == 201
    assert assign(None, "2026-11-29T21:20:00-08:00").status_code == 204

    assert dealing_at("2026-11-29T21:13:59-08:00") == ["D103"]
    assert dealing_at("2026-11-29T21:14:00-08:00") == ["D101"]
    assert dealing_at("2026-11-29T21:20:00-08:00") == []


def test_a_dealer_who_moves_leaves_the_table_they_dealt_at(api: APIClient, floor: Floor) -> None:
    api.post(ASSIGNMENTS, {"table": "BP-02", "dealer": "D101"}, format="json")

    tables = {item["code"]: item["dealer_badge"] for item in api.get("/api/v1/tables/").json()}
    assert tables == {"BP-01": None, "BP-02": "D101"}
    assert DealerAssignment.objects.filter(ends_at=None).count() == 1


def test_a_late_tap_reaches_back_but_not_into_what_has_ended(api: APIClient, clock: Clock) -> None:
    def assign(badge: str, starts_at: dt.datetime) -> Any:
        body = {"table": "BP-01", "dealer": badge, "starts_at": starts_at.isoformat()}
        return api.post(ASSIGNMENTS, body, format="json")

    minute = dt.timedelta(minutes=1)
    clock.now = NOON + 30 * minute
    assert assign("D103", NOON + 10 * minute).status_code == 201
    # D103 has dealt since 20:10: 20:10 itself and anything before is taken.
    for starts_at in (NOON + 10 * minute, NOON + 5 * minute):
        answer = assign("D102", starts_at)
        assert (answer.status_code, answer.json()["code"]) == (409, "assignment_conflict")
    assert assign("D102", NOON + 11 * minute).status_code == 201


@pytest.mark.parametrize(
    ("body", "status", "place"),
    [
        ({"table": "BP-01", "dealer": "D999"}, 404, "dealer"),
        ({"table": "BP-09", "dealer": "D101"}, 404, "table"),
        ({"table": "BP-01", "dealer": 5}, 400, "dealer"),
        ({"table": "BP-01", "dealer": "D\x00"}, 400, "dealer"),
        ({"dealer": "D101"}, 400, "table"),
        ({"table": "BP-01", "dealer": "D101", "starts_at": "soon"}, 400, "starts_at"),
        ({"table": "BP-01", "dealer": "D101", "until": 1}, 400, "until"),
    ],
)
def test_an_assignment_of_another_form_is_refused(
    api: APIClient, body: dict[str, Any], status: int, place: str
) -> None:
    before = DealerAssignment.objects.count()
    answer = api.post(ASSIGNMENTS, body, format="json")

    assert (answer.status_code, answer.json()["detail"]["place"]) == (status, place)
    assert DealerAssignment.objects.count() == before


def test_a_dealer_who_left_or_works_elsewhere_is_not_found(api: APIClient, floor: Floor) -> None:
    build_floor(code="LV")
    floor.dealers[2].is_active = False
    floor.dealers[2].save()

    answer = api.post(ASSIGNMENTS, {"table": "BP-01", "dealer": "D103"}, format="json")

    assert answer.status_code == 404
    badges = [item["badge"] for item in api.get("/api/v1/dealers/").json()]
    assert badges == ["D101", "D102", "D103"]


def test_shifts_are_those_in_which_something_happened(api: APIClient, clock: Clock) -> None:
    api.post("/api/v1/rounds/", round_body(1), format="json")

    shifts = api.get("/api/v1/shifts/").json()["results"]

    assert [item["name"] for item in shifts] == ["Grave", "Swing", "Day"]
    assert shifts[-1] == {
        "gaming_day": "2026-11-29",
        "name": "Day",
        "starts_at": "2026-11-29T14:00:00+00:00",
        "ends_at": "2026-11-29T22:00:00+00:00",
    }
    assert api.get("/api/v1/shifts/?gaming_day=2026-11-28").json()["results"] == []
