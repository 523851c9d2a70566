"""What is wrong with a typed round, told beside its field."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tests.pages.conftest import (
    NOW_TYPED,
    faults_of,
    preview,
    record,
    text_of,
    typed_round,
)

Stored = Callable[[], dict[str, Any]]


def test_half_a_setting_of_the_dealer_is_a_fault(page: Client) -> None:
    answer = record(page, typed_round(0, dealer_low=""))
    assert faults_of(answer) == {"dealer_low": ["expected 2 cards in the low hand, got 0: ''"]}


@pytest.mark.parametrize("press", [preview, record])
def test_all_faults_stand_at_once_beside_the_rows_they_came_from(
    page: Client, stored: Stored, press: Callable[..., Any]
) -> None:
    before = stored()
    fields = typed_round(
        0,
        seats={1: 2, 2: 3, 3: 5, 4: 6},
        occurred_at="yesterday",
        dealer_cards="Ac Jk As 5s 5h 8s",
        seat_2_cards="Jh 7s Ad 4s Qd 9c Xx",
        seat_3_low="6h 6h",
        seat_5_main="10,0",
        seat_5_break_bonus="1e5",
        seat_6_main="",
    )
    answer = press(page, fields)

    assert answer.status_code == 400
    assert faults_of(answer) == {
        "occurred_at": ["expected a date and a time, got 'yesterday'"],
        "dealer_cards": ["expected 7 cards, got 6: 'Ac Jk As 5s 5h 8s'"],
        "seat_2_cards": ["expected a card such as As, Td, 10d or Jk, got 'Xx' as token 7"],
        "seat_3_low": ["expected each card once in a setting, but 6h is used again"],
        "seat_5_main": ["expected an amount such as 100 or 12.50, got '10,0'"],
        "seat_5_break_bonus": ["expected an amount such as 100 or 12.50, got '1e5'"],
        "seat_6_main": ["expected a main bet beside side bets, got only break_bonus"],
    }
    assert stored() == before


def test_a_fault_is_tied_to_its_field_and_has_the_focus(page: Client) -> None:
    body = record(page, typed_round(0, seat_2_main="ten")).content.decode()

    field = re.search(r'<input[^>]*id="seat_2_main"[^>]*>', body)
    assert field is not None
    assert 'aria-invalid="true"' in field[0]
    assert 'aria-describedby="seat_2_main_fault"' in field[0]
    assert field[0].endswith(" autofocus>")
    assert body.count("autofocus") == 1
    assert 'value="ten"' in field[0]
    assert '<span class="fault" id="seat_2_main_fault">' in body
    assert '<a href="#seat_2_main">Seat 2: Main bet</a>' in body


def test_faults_name_seats_as_the_form_does(page: Client) -> None:
    fields = typed_round(0, seats={1: 4, 2: 5, 3: 6, 4: 1})
    fields["seat_6_cards"] = fields["seat_5_cards"].replace("2d", "Js")
    faults = faults_of(record(page, fields))["seat_6_cards"]
    assert "expected each card once in a round, but 3s is in seat 6 cards and in seat 5 cards" in (
        faults
    )


def test_a_time_that_is_too_late_does_not_hide_the_hands(page: Client) -> None:
    answer = record(
        page, typed_round(0, occurred_at="2026-11-29T13:00:00", seat_1_low="Jh", seat_1_main="1")
    )
    assert answer.status_code == 400
    assert set(faults_of(answer)) == {"occurred_at", "seat_1_low"}
    assert "no later than now" in faults_of(answer)["occurred_at"][0]


def test_an_empty_form_asks_for_hands(page: Client, stored: Stored) -> None:
    before = stored()
    answer = record(page, {"id": "empty-1", "occurred_at": NOW_TYPED})
    assert answer.status_code == 400
    assert faults_of(answer) == {
        "dealer_cards": ["expected 7 cards, got 0: ''"],
        "seat_1_cards": ["expected 1 to 6 seats, got 0"],
    }
    assert stored() == before


def test_a_table_of_another_property_is_not_there(page: Client) -> None:
    for answer in (page.get("/tables/BP-99/entry/"), record(page, typed_round(0), table="BP-99")):
        assert answer.status_code == 404
        assert "expected a table of your property, got 'BP-99'" in text_of(answer)


@pytest.mark.parametrize(
    "nonsense",
    ["\x00", "\u202e", "A" * 200_000, "<script>alert(1)</script>", "As " * 5000, "\ud83d", "１０"],
)
@pytest.mark.parametrize(
    "name", ["dealer_cards", "seat_1_low", "seat_1_main", "occurred_at", "occurred_which"]
)
def test_x20_nonsense_is_refused_and_never_a_500(
    page: Client, stored: Stored, name: str, nonsense: str
) -> None:
    before = stored()
    typed_nonsense = nonsense.encode("utf-8", "replace").decode()
    answer = record(page, {**typed_round(0), name: typed_nonsense})
    if name == "occurred_which":
        # Read only where the clock showed a time twice.
        assert answer.status_code == 302
        return
    assert answer.status_code == 400
    assert name in faults_of(answer)
    assert b"<script>alert" not in answer.content
    assert stored() == before


def test_f01_a_scanned_badge_in_a_bet_is_refused(page: Client, stored: Stored) -> None:
    before = stored()
    answer = preview(page, typed_round(0, seat_1_main="412345678901"))
    assert answer.status_code == 400
    assert faults_of(answer)["seat_1_main"] == [
        "expected at most $100,000,000.00, got '412345678901'"
    ]
    assert stored() == before
