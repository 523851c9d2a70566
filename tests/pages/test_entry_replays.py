"""Sending the form of a round again: once stored, stored once."""

import datetime as dt
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.models import Round
from tests.builders import NOON, Clock, Floor, round_body
from tests.pages.conftest import (
    SignedIn,
    faults_of,
    record,
    text_of,
    typed_round,
)

Stored = Callable[[], dict[str, Any]]


def test_f03_a_second_submit_leads_to_the_same_round(page: Client) -> None:
    first, second = record(page, typed_round(0)), record(page, typed_round(0))

    assert first.headers["Location"] == "/tables/BP-01/rounds/1/?note=recorded"
    assert second.headers["Location"] == "/tables/BP-01/rounds/1/?note=replayed"
    assert Round.objects.count() == 1
    assert "recorded already; nothing was stored a second time" in text_of(
        page.get(second.headers["Location"])
    )


def test_c01_the_same_form_a_day_later_leads_to_the_same_round(page: Client, clock: Clock) -> None:
    record(page, typed_round(0))
    clock.now += dt.timedelta(days=1)
    assert record(page, typed_round(0)).headers["Location"].endswith("/1/?note=replayed")
    assert Round.objects.count() == 1


def test_case_n33_a_form_sent_again_under_the_next_sign_in_stores_nothing_twice(
    page: Client, floor: Floor, signed_in: SignedIn
) -> None:
    record(page, typed_round(0, round_id="same"))
    other = signed_in(floor.supervisor)
    answer = record(other, typed_round(0, round_id="same"))
    assert answer.headers["Location"] == "/tables/BP-01/rounds/1/?note=replayed"
    assert record(other, typed_round(1, round_id="same")).status_code == 409


def test_a_used_id_with_other_content_says_how_to_go_on(page: Client, stored: Stored) -> None:
    record(page, typed_round(0))
    before = stored()
    answer = record(page, typed_round(0, seat_2_main="11.00"))

    assert answer.status_code == 409
    assert stored() == before
    text = text_of(answer)
    assert "recorded already, with other content" in text
    body = answer.content.decode()
    assert 'href="/tables/BP-01/rounds/1/"' in body
    assert faults_of(answer) == {"seat_2_main": ["differs from what was recorded"]}
    assert 'value="renew"' in body
    assert 'value="record"' not in body


def test_a_difference_that_has_no_field_is_told_at_the_top(page: Client, stored: Stored) -> None:
    record(page, typed_round(0))
    before = stored()
    elsewhere = record(page, typed_round(0), table="BP-02")
    assert elsewhere.status_code == 409
    assert faults_of(elsewhere) == {}
    assert "id 'typed-1' was used before; table differs" in text_of(elsewhere)
    fewer = typed_round(0)
    fewer = {name: text for name, text in fewer.items() if not name.startswith("seat_4")}
    answer = record(page, fewer)
    assert answer.status_code == 409
    assert faults_of(answer) == {}
    assert "id 'typed-1' was used before; a seat differs" in text_of(answer)
    assert stored() == before


def test_an_id_of_another_command_is_told_and_leads_to_no_round(page: Client) -> None:
    page.post("/tables/BP-01/dealer/", {"id": "typed-1", "dealer": "D103"})
    answer = record(page, typed_round(0))
    assert answer.status_code == 409
    assert "id 'typed-1' was used for dealer_assign before" in text_of(answer)
    assert Round.objects.count() == 0


def test_another_round_gets_an_id_of_its_own_and_keeps_what_was_typed(page: Client) -> None:
    record(page, typed_round(0))
    fields = typed_round(0, seat_2_main="11.00")
    renewed = page.post("/tables/BP-01/entry/", {**fields, "action": "renew"})

    assert renewed.status_code == 200
    round_id = renewed.context["form"]["id"].value()
    assert round_id != "typed-1"
    answer = record(page, {**fields, "id": round_id})
    assert answer.headers["Location"] == "/tables/BP-01/rounds/2/?note=recorded"


@pytest.mark.parametrize("round_id", ["", "a b", "x" * 65, "é", "\x00"])
def test_a_form_without_its_id_is_not_recorded(page: Client, round_id: str) -> None:
    answer = record(page, typed_round(0, round_id=round_id))
    assert answer.status_code == 400
    assert "expected 1 to 64 letters" in text_of(answer)
    assert Round.objects.count() == 0
    assert uuid.UUID(answer.context["form"]["id"].value())


def test_pages_and_api_store_the_same_round(page: Client, floor: Floor) -> None:
    record(page, typed_round(3, round_id="from-page"))
    page.post(
        "/api/v1/rounds/",
        round_body(3, occurred_at=NOON + dt.timedelta(minutes=1)),
        content_type="application/json",
    )
    first, second = Round.objects.order_by("pk")
    assert first.settlement == second.settlement
    assert first.dealer_cards == second.dealer_cards
