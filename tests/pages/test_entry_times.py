"""When a round was dealt: the wall clock of the property, and when the table was open."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.floor.services.tables import close_table
from tables.models import Round, User
from tests.builders import NOON, OPENED_AT, Clock, Floor
from tests.pages.conftest import (
    SignedIn,
    faults_of,
    record,
    text_of,
    typed_round,
)

Stored = Callable[[], dict[str, Any]]


def test_a_closed_table_has_a_page_of_its_own(
    page: Client, floor: Floor, signed_in: SignedIn
) -> None:
    close_table.send(data={}, actor=floor.supervisor, table="BP-01", at=NOON)
    answer = page.get("/tables/BP-01/entry/")
    assert "BP-01 is closed" in text_of(answer)
    assert "/tables/BP-01/open/" not in answer.content.decode()
    supervisor = signed_in(floor.supervisor).get("/tables/BP-01/entry/")
    assert "/tables/BP-01/open/" in supervisor.content.decode()


def test_a_round_is_not_recorded_at_a_closed_table(
    page: Client, floor: Floor, stored: Stored
) -> None:
    close_table.send(data={}, actor=floor.supervisor, table="BP-01", at=NOON)
    before = stored()
    answer = record(page, typed_round(0))
    assert answer.status_code == 409
    assert "expected a time at which table BP-01 was open" in faults_of(answer)["occurred_at"][0]
    assert stored() == before


def test_a_late_round_is_dated_by_hand(page: Client, floor: Floor) -> None:
    close_table.send(data={}, actor=floor.supervisor, table="BP-01", at=NOON)
    assert page.get("/tables/BP-01/entry/?late=1").context["form"]["occurred_at"].value().text == ""
    answer = record(page, typed_round(0, occurred_at="2026-11-29T11:59:59"))
    assert answer.status_code == 302


def test_an_hour_that_comes_twice_must_be_told_apart(page: Client, clock: Clock) -> None:
    clock.now = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
    twice = {"occurred_at": "2026-11-01T01:30:00"}
    answer = record(page, typed_round(0) | twice)
    assert answer.status_code == 400
    assert "say whether the first or the second" in faults_of(answer)["occurred_at"][0]
    assert "2026-11-01 01:30:00 PST (UTC-08:00)" in text_of(answer)

    assert record(page, typed_round(0, occurred_which="second") | twice).status_code == 302
    assert Round.objects.get().occurred_at == dt.datetime(2026, 11, 1, 9, 30, tzinfo=dt.UTC)


def test_the_form_opened_in_the_second_of_two_hours_stays_there(page: Client, clock: Clock) -> None:
    clock.now = dt.datetime(2026, 11, 1, 9, 30, tzinfo=dt.UTC)
    answer = page.get("/tables/BP-01/entry/")
    typed = answer.context["form"]["occurred_at"].value()
    assert (typed.text, typed.which) == ("2026-11-01T01:30:00", "second")
    body = answer.content.decode()
    assert '<option value="second" selected>2026-11-01 01:30:00 PST (UTC-08:00)</option>' in body
    assert '<details class="time" open>' in body


def test_an_hour_that_the_clocks_skipped_is_no_time(page: Client) -> None:
    answer = record(page, typed_round(0, occurred_at="2026-03-08T02:30"))
    assert faults_of(answer)["occurred_at"] == [
        "expected a time that the clocks did not skip, got '2026-03-08T02:30'"
    ]


@pytest.mark.parametrize("time", ["0001-01-01T00:00", "9999-12-31T23:59", "2026-13-01T00:00"])
def test_a_time_out_of_all_bounds_is_a_fault(page: Client, time: str) -> None:
    answer = record(page, typed_round(0, occurred_at=time))
    assert answer.status_code in {400, 409}
    assert "occurred_at" in faults_of(answer)


def test_a_dismissed_clerk_records_nothing(page: Client, stored: Stored) -> None:
    before = stored()
    User.objects.update(is_active=False)
    assert record(page, typed_round(0)).status_code == 302
    assert stored() == before


def test_a_round_before_the_table_was_open_is_refused(page: Client) -> None:
    too_early = (OPENED_AT - dt.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert record(page, typed_round(0, occurred_at=too_early)).status_code == 409
