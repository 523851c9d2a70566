"""Setting a casino up: every change is a command, with what was and what is, who and when (N04)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from tables.models import AuditEntry, Dealer, RefusedCommand, Round, Table
from tests.api.conftest import ClientFor
from tests.api.setting_up import change, post
from tests.builders import Floor, build_floor, record, round_body

Stored = Callable[[], dict[str, Any]]
TABLE = "/api/v1/settings/tables/BP-01/"
LIMITS = {
    "main_minor_min": 500,
    "main_minor_max": 1_000_000,
    "side_bet_minor_min": 100,
    "side_bet_minor_max": 100_000,
}
NEW_TABLE = {"id": "t", "code": "BP-03", "pit": "PIT-1", **LIMITS}


def test_a_limit_is_changed_with_what_was_and_what_is(floor: Floor, admin: APIClient) -> None:
    answer = change(admin, TABLE, {"main_minor_max": 1_000_000}, {"main_minor_max": 50_000})

    assert answer.status_code == 200, answer.content
    assert answer.json() == {
        "code": "BP-01",
        "pit": "PIT-1",
        "seat_count": 6,
        **LIMITS,
        "main_minor_max": 50_000,
        "is_active": True,
        "replayed": False,
    }
    entry = AuditEntry.objects.get(command="table_change")
    assert entry.detail["old"] == {"main_minor_max": 1_000_000}
    assert entry.detail["new"] == {"main_minor_max": 50_000}
    assert (entry.subject, entry.actor_name) == ("table BP-01", "la-administrator")
    assert Table.objects.get(code="BP-01").main_minor_max == 50_000


def test_case_f05_the_later_save_is_told_what_the_earlier_did(
    floor: Floor, admin: APIClient, stored: Stored
) -> None:
    seen = {"main_minor_max": 1_000_000}
    assert change(admin, TABLE, seen, {"main_minor_max": 50_000}).status_code == 200
    before = stored()

    late = change(admin, TABLE, seen, {"main_minor_max": 20_000})

    assert (late.status_code, late.json()["code"]) == (409, "setting_conflict")
    detail = late.json()["detail"]
    assert (detail["expected"], detail["current"], detail["changes"]) == (
        {"main_minor_max": 1_000_000},
        {"main_minor_max": 50_000},
        {"main_minor_max": 20_000},
    )
    assert stored() == before
    refused = RefusedCommand.objects.get()
    assert (refused.code, refused.subject) == ("setting_conflict", "table BP-01")


def test_changes_of_different_values_do_not_meet(floor: Floor, admin: APIClient) -> None:
    change(admin, TABLE, {"main_minor_max": 1_000_000}, {"main_minor_max": 50_000})
    answer = change(admin, TABLE, {"seat_count": 6}, {"seat_count": 5})
    assert answer.status_code == 200
    assert Table.objects.filter(code="BP-01", seat_count=5, main_minor_max=50_000).exists()


@pytest.mark.parametrize(
    ("old", "new", "status", "code", "place"),
    [
        ({"seat_count": 6}, {"seat_count": 6}, 409, "setting_unchanged", "changes"),
        ({}, {}, 400, "field_invalid", "expected"),
        ({}, {"seat_count": 5}, 400, "field_invalid", "expected"),
        ({"pit": "PIT-1"}, {"seat_count": 5}, 400, "field_invalid", "expected"),
        ({"seat_count": 6}, {"seat_count": 7}, 400, "field_invalid", "changes.seat_count"),
        ({"seat_count": 6}, {"seat_count": None}, 400, "field_invalid", "changes.seat_count"),
        ({"main_minor_max": 1_000_000}, {"main_minor_max": 1}, 400, "field_invalid", ""),
        ({"pit": "PIT-1"}, {"pit": "PIT-9"}, 404, "not_found", "pit"),
        ({"is_active": True}, {"is_active": False}, 409, "setting_in_use", "is_active"),
        ({"code": "BP-01"}, {"code": "BP-09"}, 400, "field_invalid", "expected.code"),
        ({"property": "LA"}, {"property": "MO"}, 400, "field_invalid", "expected.property"),
    ],
)
def test_a_change_that_cannot_be_is_refused_and_changes_nothing(
    floor: Floor,
    admin: APIClient,
    stored: Stored,
    old: dict[str, Any],
    new: dict[str, Any],
    status: int,
    code: str,
    place: str,
) -> None:
    before, tables = stored(), list(Table.objects.order_by("pk").values())
    answer = change(admin, TABLE, old, new)
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert answer.json()["detail"]["place"] == place
    assert stored() == before
    assert list(Table.objects.order_by("pk").values()) == tables


def test_tables_pits_and_dealers_are_added(floor: Floor, admin: APIClient) -> None:
    pit = post(admin, "/api/v1/settings/pits/", {"id": "p", "code": "PIT-2"})
    table = post(admin, "/api/v1/settings/tables/", {**NEW_TABLE, "pit": "PIT-2"})
    dealer = post(
        admin, "/api/v1/settings/dealers/", {"id": "d", "badge": "D104", "name": "Eva Novak"}
    )

    assert (pit.status_code, pit.json()["code"]) == (201, "PIT-2")
    assert (table.status_code, table.json()["pit"], table.json()["seat_count"]) == (201, "PIT-2", 6)
    assert (dealer.status_code, dealer.json()["is_active"]) == (201, True)
    entry = AuditEntry.objects.get(command="table_add")
    assert (entry.subject, entry.detail["old"]) == ("table BP-03", {})
    assert entry.detail["new"] == {
        "code": "BP-03",
        "pit": "PIT-2",
        "seat_count": 6,
        **LIMITS,
        "is_active": True,
    }
    listed = admin.get("/api/v1/settings/tables/").json()
    assert [row["code"] for row in listed] == ["BP-01", "BP-02", "BP-03"]
    assert admin.get("/api/v1/settings/pits/").json() == [{"code": "PIT-1"}, {"code": "PIT-2"}]
    assert admin.get("/api/v1/settings/dealers/").json()[-1] == {
        "badge": "D104",
        "name": "Eva Novak",
        "is_active": True,
    }


def test_the_same_addition_twice_is_one(floor: Floor, admin: APIClient) -> None:
    answers = [post(admin, "/api/v1/settings/tables/", NEW_TABLE) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [201, 200]
    assert Table.objects.count() == 3


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tables", {**NEW_TABLE, "code": "BP-01"}),
        ("pits", {"id": "p", "code": "PIT-1"}),
        ("dealers", {"id": "d", "badge": "D101", "name": "Eva Novak"}),
    ],
)
def test_a_name_is_taken_once(
    floor: Floor, admin: APIClient, stored: Stored, path: str, body: dict[str, Any]
) -> None:
    before = stored()
    answer = post(admin, f"/api/v1/settings/{path}/", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "setting_taken")
    assert stored() == before


def test_names_are_taken_for_each_property(floor: Floor, client_for: ClientFor) -> None:
    macau = build_floor(code="MO", zone="Asia/Macau")
    client = client_for(macau.administrator)
    assert post(client, "/api/v1/settings/pits/", {"id": "p", "code": "PIT-2"}).status_code == 201
    answer = change(client, TABLE, {"seat_count": 6}, {"seat_count": 5})
    assert answer.status_code == 200
    assert Table.objects.get(property=floor.casino, code="BP-01").seat_count == 6


def test_a_table_out_of_use_opens_no_more_and_keeps_its_rounds(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    record(floor, round_body(3))
    supervisor = client_for(floor.supervisor)
    post(supervisor, "/api/v1/tables/BP-01/close/", {})
    answer = change(admin, TABLE, {"is_active": True}, {"is_active": False})
    assert answer.status_code == 200

    opened = post(supervisor, "/api/v1/tables/BP-01/open/", {})

    assert (opened.status_code, opened.json()["code"]) == (409, "table_inactive")
    assert supervisor.get("/api/v1/tables/BP-01/rounds/1/").status_code == 200
    assert change(admin, TABLE, {"is_active": False}, {"is_active": True}).status_code == 200
    assert post(supervisor, "/api/v1/tables/BP-01/open/", {}).status_code == 200


def test_a_dealer_who_deals_does_not_leave(floor: Floor, admin: APIClient) -> None:
    path = "/api/v1/settings/dealers/{}/"
    left = ({"is_active": True}, {"is_active": False})
    dealing = change(admin, path.format("D101"), *left)
    assert (dealing.status_code, dealing.json()["code"]) == (409, "setting_in_use")
    assert change(admin, path.format("D103"), *left).status_code == 200
    renamed = change(admin, path.format("D101"), {"name": "Dealer D101"}, {"name": "Ana Reyes"})
    assert renamed.json()["name"] == "Ana Reyes"
    assert Dealer.objects.filter(badge="D101", name="Ana Reyes", is_active=True).exists()


def test_a_round_is_settled_by_the_limits_of_its_own_time(floor: Floor, admin: APIClient) -> None:
    before = record(floor, round_body(3)).settlement
    change(admin, TABLE, {"main_minor_min": 500}, {"main_minor_min": 900_000})
    after = record(floor, round_body(3)).settlement
    assert before != after
    assert Round.objects.get(sequence=1).settlement == before


def test_case_c14_a_change_behind_the_services_is_refused_where_history_rests_on_it(
    floor: Floor,
) -> None:
    # A limit may be changed by SQL; then the trail has nothing. What history rests on may not.
    macau = build_floor(code="MO", zone="Asia/Macau")
    with pytest.raises(IntegrityError), transaction.atomic():
        Table.objects.filter(property=floor.casino).update(property=macau.casino)
    assert Table.objects.filter(property=floor.casino).count() == 2
