"""Voids and misdeals: records of their own, with reason and authority (BP-8.1, BP-8.4)."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tables.floor.services.tables import close_table
from tables.models import AuditEntry, DirtyBucket, Misdeal, Role, Round, RoundVoid
from tests.api.conftest import ClientFor
from tests.builders import NOON, Clock, Floor, build_floor, build_user, round_body

VOID = "/api/v1/tables/BP-01/rounds/1/void/"
MISDEALS = "/api/v1/misdeals/"
Stored = Callable[[], dict[str, Any]]


@pytest.fixture
def supervisor(floor: Floor, client_for: ClientFor, api: APIClient) -> APIClient:
    """The floor supervisor's client; the clerk has recorded round BP-01/1."""
    assert api.post("/api/v1/rounds/", round_body(1), format="json").status_code == 201
    return client_for(floor.supervisor)


def _grounds(**changes: Any) -> dict[str, Any]:
    return {
        "id": "v1",
        "reason_code": "entry_error",
        "reason": "seat 2 was typed at seat 1",
        "authority": "la-floor_supervisor",
        **changes,
    }


def test_bp_8_4_a_void_is_a_record_of_its_own_at_its_own_time(
    supervisor: APIClient, clock: Clock
) -> None:
    before = Round.objects.values().get()
    clock.now = NOON + dt.timedelta(hours=20)  # 08:00 of the next gaming day

    answer = supervisor.post(VOID, _grounds(), format="json")

    assert answer.status_code == 201
    assert answer.json() == {
        "id": "v1",
        "table": "BP-01",
        "sequence": 1,
        "reason_code": "entry_error",
        "reason": "seat 2 was typed at seat 1",
        "authority": "la-floor_supervisor",
        "voided_by": "la-floor_supervisor",
        "recorded_at": clock.now.isoformat(),
        "gaming_day": "2026-11-30",
        "replayed": False,
    }
    assert Round.objects.values().get() == before
    void = RoundVoid.objects.get()
    assert void.shift.name == "Day"
    assert void.dealer_id == before["dealer_id"]
    assert DirtyBucket.objects.order_by("-pk")[0].hour == void.hour
    assert AuditEntry.objects.get(command="round_void").subject == "round BP-01/1"
    shown = supervisor.get("/api/v1/tables/BP-01/rounds/1/").json()["void"]
    assert shown == {key: answer.json()[key] for key in shown}


def test_a_round_of_a_table_that_closed_since_can_be_voided(
    supervisor: APIClient, floor: Floor
) -> None:
    close_table.send(
        data={}, actor=floor.supervisor, table="BP-01", at=NOON + dt.timedelta(seconds=30)
    )

    assert supervisor.post(VOID, _grounds(), format="json").status_code == 201


def test_case_c01_a_repeated_void_gets_the_first_answer(
    supervisor: APIClient, stored: Stored
) -> None:
    first = supervisor.post(VOID, _grounds(), format="json")
    before = stored()

    again = supervisor.post(VOID, _grounds(), format="json")

    assert (again.status_code, again.json()) == (200, {**first.json(), "replayed": True})
    assert stored() == before


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"reason_code": "dispute"}, "reason_code"),
        ({"reason": "other"}, "reason"),
        ({"authority": "la-manager"}, "authority"),
    ],
)
def test_the_same_void_id_with_other_grounds_is_a_conflict(
    supervisor: APIClient, stored: Stored, change: dict[str, str], place: str
) -> None:
    supervisor.post(VOID, _grounds(), format="json")
    before = stored()

    answer = supervisor.post(VOID, _grounds(**change), format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "id_conflict")
    assert answer.json()["detail"]["place"] == place
    assert stored() == before


def test_voiding_twice_is_a_conflict(supervisor: APIClient, stored: Stored) -> None:
    supervisor.post(VOID, _grounds(), format="json")
    before = stored()

    answer = supervisor.post(VOID, _grounds(id="v2"), format="json")

    assert (answer.status_code, answer.json()["code"]) == (409, "round_voided")
    assert answer.json()["detail"]["void"]["id"] == "v1"
    assert stored() == before


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"id": ""}, "id"),
        ({"reason_code": "because"}, "reason_code"),
        ({"reason": ""}, "reason"),
        ({"reason": "   "}, "reason"),
        ({"reason": "x" * 501}, "reason"),
        ({"reason": "a\x00b"}, "reason"),
        ({"reason": 5}, "reason"),
        ({"authority": "la-clerk"}, "authority"),
        ({"authority": "la-surveillance"}, "authority"),
        ({"authority": "nobody"}, "authority"),
        ({"authority": "lv-manager"}, "authority"),
        ({"authority": "la-gone"}, "authority"),
        ({"authority": None}, "authority"),
        ({"extra": 1}, "extra"),
    ],
)
def test_bp_8_4_a_void_needs_a_reason_and_an_authority(
    supervisor: APIClient, floor: Floor, stored: Stored, change: dict[str, Any], place: str
) -> None:
    build_floor(code="LV")
    gone = build_user(floor.casino, Role.MANAGER, "la-gone")
    gone.is_active = False
    gone.save()
    before = stored()

    answer = supervisor.post(VOID, _grounds(**change), format="json")

    assert answer.status_code == 400, answer.json()
    assert answer.json()["detail"]["place"] == place
    assert stored() == before


def test_a_round_that_is_not_there_cannot_be_voided(supervisor: APIClient) -> None:
    for address in (
        "/api/v1/tables/BP-01/rounds/2/void/",
        "/api/v1/tables/BP-02/rounds/1/void/",
        "/api/v1/tables/BP-09/rounds/1/void/",
    ):
        assert supervisor.post(address, _grounds(), format="json").status_code == 404


def _misdeal(**changes: Any) -> dict[str, Any]:
    return {
        "id": "m1",
        "table": "BP-01",
        "occurred_at": NOON.isoformat(),
        "kind": "card_seen_twice",
        "seats_in_play": 3,
        "stub_counted": 4,
        "reason": "two eights of spades",
        "authority": "la-floor_supervisor",
        **changes,
    }


@pytest.mark.parametrize(("custom", "stub"), [("seven_hands", 4), ("live_seats", 25)])
def test_bp_8_1_a_misdeal_sets_the_deck_aside_and_knows_the_stub(
    api: APIClient, floor: Floor, custom: str, stub: int
) -> None:
    floor.casino.dealing_custom = custom
    floor.casino.save()

    answer = api.post(MISDEALS, _misdeal(), format="json")

    assert answer.status_code == 201, answer.json()
    assert answer.json()["stub_expected"] == stub
    assert answer.json()["dealer_badge"] == "D101"
    assert answer.json()["gaming_day"] == "2026-11-29"
    assert api.get(MISDEALS).json()["results"] == [
        {key: value for key, value in answer.json().items() if key != "replayed"}
    ]
    assert AuditEntry.objects.filter(command="misdeal_record").count() == 1
    # A misdeal is no round: it takes no number.
    floor.tables[0].refresh_from_db()
    assert floor.tables[0].last_sequence == 0


def test_case_c01_a_repeated_misdeal_gets_the_first_answer(api: APIClient) -> None:
    first = api.post(MISDEALS, _misdeal(), format="json")
    again = api.post(MISDEALS, _misdeal(), format="json")
    other = api.post(MISDEALS, _misdeal(seats_in_play=2), format="json")

    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert other.json()["detail"]["place"] == "seats_in_play"
    assert Misdeal.objects.count() == 1


@pytest.mark.parametrize(
    ("change", "status", "place"),
    [
        ({"kind": "bad_luck"}, 400, "kind"),
        ({"seats_in_play": 7}, 400, "seats_in_play"),
        ({"seats_in_play": True}, 400, "seats_in_play"),
        ({"seats_in_play": 2147483648}, 400, "seats_in_play"),
        ({"stub_counted": 54}, 400, "stub_counted"),
        ({"stub_counted": "four"}, 400, "stub_counted"),
        ({"reason": ""}, 400, "reason"),
        ({"authority": "la-clerk"}, 400, "authority"),
        ({"occurred_at": "today"}, 400, "occurred_at"),
        ({"occurred_at": "2020-01-01T00:00:00Z"}, 409, "occurred_at"),
        ({"table": "BP-09"}, 404, "table"),
    ],
)
def test_a_misdeal_of_another_form_is_refused(
    api: APIClient, change: dict[str, Any], status: int, place: str
) -> None:
    answer = api.post(MISDEALS, _misdeal(**change), format="json")

    assert (answer.status_code, answer.json()["detail"]["place"]) == (status, place)
    assert Misdeal.objects.count() == 0
