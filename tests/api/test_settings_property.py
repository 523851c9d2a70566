"""Setting a property up: rules from now on, and what history rests on stays (N14)."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from tables.floor.services.gaming_days import ensure_shift_at
from tables.models import AuditEntry, GamingDayStart, Property, TableSession
from tables.property.services.setup import add_property
from tests.api.conftest import ClientFor
from tests.api.setting_up import change, post
from tests.builders import NOON, Floor, build_user, record, round_body

Stored = Callable[[], dict[str, Any]]
PROPERTY = "/api/v1/settings/property/"
DAY_START = "/api/v1/settings/property/day-start/"
ONE_DAY = dt.timedelta(days=1)


def test_a_property_is_told_as_it_is_set_up(floor: Floor, admin: APIClient) -> None:
    assert admin.get(PROPERTY).json() == [
        {
            "code": "LA",
            "name": "Casino LA",
            "zone": "America/Los_Angeles",
            "currency": "USD",
            "minor_digits": 2,
            "ruleset": "break-poker/rules-as-written@1",
            "card_entry": "suited",
            "dealing_custom": "seven_hands",
            "shifts": [
                {"name": "Day", "starts_at": "06:00"},
                {"name": "Swing", "starts_at": "14:00"},
                {"name": "Grave", "starts_at": "22:00"},
            ],
            "day_start": "06:00",
            "day_starts": [],
        }
    ]


def test_a_ruleset_counts_from_now_on(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    clerk = client_for(floor.clerk)
    post(clerk, "/api/v1/rounds/", round_body(3))
    answer = change(
        admin,
        PROPERTY,
        {"ruleset": "break-poker/rules-as-written@1"},
        {"ruleset": "break-poker/published-analysis@1"},
    )
    assert answer.status_code == 200
    post(clerk, "/api/v1/rounds/", round_body(3))
    found = clerk.get("/api/v1/rounds/").json()["results"]
    assert [row["ruleset"] for row in found] == [
        "break-poker/published-analysis@1",
        "break-poker/rules-as-written@1",
    ]


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [("currency", "USD", "EUR"), ("zone", "America/Los_Angeles", "Asia/Macau")],
)
def test_case_n14_what_history_rests_on_stays(
    floor: Floor, admin: APIClient, stored: Stored, name: str, old: str, new: str
) -> None:
    record(floor, round_body(3))
    before = stored()
    answer = change(admin, PROPERTY, {name: old}, {name: new})
    assert (answer.status_code, answer.json()["code"]) == (409, "setting_in_use")
    assert answer.json()["detail"]["place"] == f"changes.{name}"
    assert stored() == before
    assert getattr(Property.objects.get(), name) == old


def test_before_anything_was_recorded_currency_and_zone_may_change(
    floor: Floor, client_for: ClientFor
) -> None:
    casino = add_property(code="JP", name="Tokyo", zone="Asia/Macau", currency="USD", at=NOON)
    client = client_for(build_user(casino, "administrator", "jp"))  # type: ignore[arg-type]
    answer = change(
        client,
        PROPERTY,
        {"currency": "USD", "zone": "Asia/Macau"},
        {"currency": "JPY", "zone": "Asia/Tokyo"},
    )
    assert (answer.status_code, answer.json()["minor_digits"]) == (200, 0)
    casino.refresh_from_db()
    assert (casino.currency, casino.minor_digits, casino.zone) == ("JPY", 0, "Asia/Tokyo")


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ({"ruleset": "break-poker/rules-as-written@1"}, {"ruleset": "of-nowhere@1"}, "ruleset"),
        ({"card_entry": "suited"}, {"card_entry": "pictures"}, "changes.card_entry"),
        ({"name": "Casino LA"}, {"name": ""}, "changes.name"),
    ],
)
def test_values_of_nowhere_are_refused(
    floor: Floor, admin: APIClient, old: dict[str, str], new: dict[str, str], place: str
) -> None:
    answer = change(admin, PROPERTY, old, new)
    assert (answer.status_code, answer.json()["detail"]["place"]) == (400, place)


def test_shifts_are_changed_for_days_to_come(floor: Floor, admin: APIClient) -> None:
    ensure_shift_at(property=floor.casino, at=NOON)
    old = admin.get(PROPERTY).json()[0]["shifts"]
    new = [{"name": "Late", "starts_at": "18:00"}, {"name": "Early", "starts_at": "06:00"}]

    answer = change(admin, PROPERTY, {"shifts": old}, {"shifts": new})

    assert [shift["name"] for shift in answer.json()["shifts"]] == ["Early", "Late"]
    assert str(ensure_shift_at(property=floor.casino, at=NOON)) == "2026-11-29 Day"
    assert str(ensure_shift_at(property=floor.casino, at=NOON + ONE_DAY)) == "2026-11-30 Early"
    entry = AuditEntry.objects.get(command="property_change")
    assert entry.detail["old"] == {"shifts": old}
    assert entry.detail["new"] == {"shifts": sorted(new, key=lambda shift: shift["starts_at"])}


def test_shifts_that_begin_together_are_refused(floor: Floor, admin: APIClient) -> None:
    old = admin.get(PROPERTY).json()[0]["shifts"]
    for other in ({"name": "Day", "starts_at": "07:00"}, {"name": "Dawn", "starts_at": "06:00"}):
        answer = change(admin, PROPERTY, {"shifts": old}, {"shifts": [*old, other]})
        assert (answer.status_code, answer.json()["detail"]["place"]) == (400, "shifts")


def _start(from_date: str, starts_at: str, expected: str = "06:00") -> dict[str, str]:
    return {
        "id": f"{from_date}.{starts_at}",
        "from_date": from_date,
        "starts_at": starts_at,
        "expected": expected,
    }


def test_gaming_days_begin_at_another_time_from_a_date_on(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    answer = post(admin, DAY_START, _start("2026-12-01", "04:00"))

    assert answer.status_code == 200, answer.content
    assert answer.json()["day_starts"] == [{"from_date": "2026-12-01", "starts_at": "04:00"}]
    entry = AuditEntry.objects.get(command="day_start_change")
    assert entry.detail["old"] == {"starts_at": "06:00"}
    assert entry.detail["new"] == {"starts_at": "04:00"}
    # The 30th is cut short by two hours: it begins at six and ends at four.
    last = ensure_shift_at(property=floor.casino, at=NOON + ONE_DAY).gaming_day
    next_one = ensure_shift_at(property=floor.casino, at=NOON + 2 * ONE_DAY).gaming_day
    assert last.ends_at - last.starts_at == dt.timedelta(hours=22)
    assert (next_one.date, next_one.starts_at) == (dt.date(2026, 12, 1), last.ends_at)
    account = client_for(floor.clerk).get("/api/v1/me/").json()
    assert account["property"]["gaming_day_start"] == "06:00:00"


def test_the_account_tells_the_start_in_force(
    floor: Floor, admin: APIClient, client_for: ClientFor, clock: Any
) -> None:
    post(admin, DAY_START, _start("2026-12-01", "04:00"))
    clock.now = NOON + 2 * ONE_DAY
    account = client_for(floor.clerk).get("/api/v1/me/").json()
    assert account["property"]["gaming_day_start"] == "04:00:00"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (_start("2026-11-29", "04:00"), 409, "setting_in_use"),
        (_start("2026-01-01", "04:00"), 409, "setting_in_use"),
        (_start("2026-12-01", "04:00", "05:00"), 409, "setting_conflict"),
        (_start("2026-12-01", "06:00"), 409, "setting_unchanged"),
        (_start("2026-12-01", "24:00"), 400, "field_invalid"),
        (_start("2026-12-01", "6"), 400, "field_invalid"),
        (_start("1.12.2026", "04:00"), 400, "field_invalid"),
    ],
)
def test_a_day_that_has_begun_keeps_its_start(
    floor: Floor, admin: APIClient, body: dict[str, str], status: int, code: str
) -> None:
    answer = post(admin, DAY_START, body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert GamingDayStart.objects.count() == 0


def test_a_plan_is_taken_back_by_another(floor: Floor, admin: APIClient) -> None:
    post(admin, DAY_START, _start("2026-12-01", "04:00"))
    again = post(admin, DAY_START, _start("2026-12-01", "06:00", "04:00"))
    assert again.status_code == 200
    day = ensure_shift_at(property=floor.casino, at=NOON + 2 * ONE_DAY).gaming_day
    assert day.starts_at.hour == 14  # six in Los Angeles


def test_an_opening_is_enough_for_history(floor: Floor, admin: APIClient) -> None:
    assert TableSession.objects.exists()
    assert floor.casino.gaming_days.count() == 0
    answer = change(admin, PROPERTY, {"currency": "USD"}, {"currency": "EUR"})
    assert answer.json()["code"] == "setting_in_use"
