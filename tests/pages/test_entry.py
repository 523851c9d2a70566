"""Entering a round on its page: the form, the preview, and what is recorded."""

import datetime as dt
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.floor.services.tables import assign_dealer
from tables.models import Property, Round, Table
from tests.builders import NOON, Floor, golden_rounds
from tests.pages.conftest import (
    NOW_TYPED,
    preview,
    record,
    text_of,
    typed_round,
)

Stored = Callable[[], dict[str, Any]]


def test_the_empty_form_has_a_new_id_the_time_and_the_focus(page: Client) -> None:
    first, second = page.get("/tables/BP-01/entry/"), page.get("/tables/BP-01/entry/")

    form = first.context["form"]
    round_id = form["id"].value()
    assert first.status_code == 200
    assert str(uuid.UUID(round_id)) == round_id
    assert f'name="id" value="{round_id}"' in first.content.decode()
    assert round_id != second.context["form"]["id"].value()
    assert form["occurred_at"].value().text == NOW_TYPED
    assert f'name="occurred_at" value="{NOW_TYPED}"' in first.content.decode()
    assert first.content.decode().count("autofocus") == 1
    assert re.search(r'<input[^>]*id="dealer_cards"[^>]* autofocus>', first.content.decode())


def test_fields_come_in_the_order_in_which_hands_are_turned_over(page: Client) -> None:
    body = page.get("/tables/BP-01/entry/").content.decode()
    names = re.findall(r'<input type="text"[^>]* name="(\w+)"', body)
    parts = ["cards", "low", "high", "main", "dealer_break_bonus", "break_bonus"]
    assert names == [
        "dealer_cards",
        "dealer_low",
        "dealer_high",
        *(f"seat_{seat}_{part}" for seat in range(1, 7) for part in parts),
    ]


def test_no_field_helps_itself_to_what_is_typed_x29(page: Client) -> None:
    body = page.get("/tables/BP-01/entry/").content.decode()
    for field in re.findall(r"<input [^>]*>", body):
        assert 'type="number"' not in field
        if 'type="text"' in field:
            assert 'autocapitalize="off"' in field
            assert 'autocomplete="off"' in field
            assert 'spellcheck="false"' in field


def test_every_field_has_its_label(page: Client) -> None:
    body = page.get("/tables/BP-01/entry/").content.decode()
    ids = set(re.findall(r'<(?:input|select|textarea) (?!type="hidden")[^>]*id="(\w+)"', body))
    assert len(ids) == 1 + 3 + 6 * 6
    assert ids == set(re.findall(r'<label for="(\w+)"', body))


def test_a_table_has_as_many_rows_as_seats(page: Client, floor: Floor) -> None:
    Table.objects.filter(code="BP-01").update(seat_count=2)
    body = page.get("/tables/BP-01/entry/").content.decode()
    rows = re.findall(r'role="group" aria-label="([^"]*)"', body)
    assert rows == ["Dealer", "Seat 1", "Seat 2"]


def test_enter_previews_because_preview_is_the_first_button(page: Client) -> None:
    for answer in (page.get("/tables/BP-01/entry/"), preview(page, typed_round(0))):
        form = re.search(r'<form[^>]*id="entry".*?</form>', answer.content.decode(), re.DOTALL)
        assert form is not None
        assert re.findall(r'<button[^>]*value="(\w+)"', form[0])[0] == "preview"


def test_preview_settles_seat_by_seat_and_stores_nothing(page: Client, stored: Stored) -> None:
    before = stored()
    answer = preview(page, typed_round(0))

    assert answer.status_code == 200
    text = text_of(answer)
    assert "Dealer has a Lucky Break" in text
    assert "Foul: low outranks high" in text
    assert "$100.00 loses -$100.00" in text
    assert "$25.00 wins $25.00 dealer only" in text
    assert "House net $186.00" in text
    assert stored() == before


def test_preview_shows_the_cards_as_they_were_read(page: Client) -> None:
    fields = typed_round(
        1, dealer_cards="8D kd 8♠ 4s 9s 9H 5s", seat_1_cards="qs 2s ad 10c js 10S 7h"
    )
    text = text_of(preview(page, fields))
    assert "8d Kd 8s 4s 9s 9h 5s" in text
    assert "Qs 2s Ad Tc Js Ts 7h" in text


def test_bp_5_10_preview_does_not_show_the_house_way(page: Client) -> None:
    # The required setting of this dealer's hand is A-A and 5-5-5, which no seat has.
    fields = typed_round(0)
    shown = preview(page, fields).content.decode()
    recorded = page.get(record(page, fields).headers["Location"]).content.decode()

    for secret in ("BP-5", "Step 1", "5-5-5", "5s 5h 5d", "As Ac", "Deviation", "ompliance"):
        assert secret not in shown
    for told in ("BP-5.1", "Step 1", "5-5-5", "5s 5h 5d", "As Ac", "Deviation"):
        assert told in recorded
    assert "house way" not in shown.lower().replace("houseway", "")


def test_preview_keeps_the_id_and_what_was_typed(page: Client) -> None:
    fields = typed_round(0, round_id="kept-1", seat_1_cards="JH 7s ad 4S Qd 9c 7d")
    answer = preview(page, fields)
    form = answer.context["form"]
    assert 'name="id" value="kept-1"' in answer.content.decode()
    values = {bound.html_name: bound.value() for row in form.rows for bound in row}
    assert {name: values[name] for name in fields if name in values} == {
        name: text for name, text in fields.items() if name not in {"id", "occurred_at"}
    }
    for name, text in fields.items():
        assert f'name="{name}" value="{text}"' in answer.content.decode()


@pytest.mark.parametrize("number", range(0, 200, 20))
def test_recording_leads_to_the_round_as_the_golden_files_have_it(
    page: Client, number: int
) -> None:
    answer = record(page, typed_round(number))

    assert answer.status_code == 302
    assert answer.headers["Location"] == "/tables/BP-01/rounds/1/?note=recorded"
    expected = golden_rounds()[number]["expect"]
    played = Round.objects.get()
    assert played.house_net_minor == expected["house_net_minor"]
    assert played.house_way_step == expected["dealer"]["step"]
    assert played.occurred_at == NOON + dt.timedelta(minutes=1)
    shown = page.get(answer.headers["Location"])
    assert shown.status_code == 200
    assert "Recorded." in text_of(shown)


def test_a_blank_setting_of_the_dealer_is_not_recorded(page: Client) -> None:
    record(page, typed_round(0, dealer_low=" ", dealer_high=""))
    assert Round.objects.get().compliance == "not_recorded"


def test_a_row_left_blank_is_a_seat_not_in_play(page: Client) -> None:
    record(page, typed_round(0, seats={1: 2, 2: 3, 3: 5, 4: 6}, seat_1_cards="  "))
    assert list(Round.objects.get().seat_hands.values_list("seat", flat=True)) == [2, 3, 5, 6]


def test_bp_8_2_a_bet_outside_the_limits_is_told_and_stands(page: Client) -> None:
    fields = typed_round(1, seat_1_main="4.99", seat_1_dealer_break_bonus="1000.01")
    shown = text_of(preview(page, fields))
    assert "Seat 1, Main bet: $4.99 is below the minimum. The bet stands." in shown
    assert "Seat 1, Dealer Break Bonus: $1,000.01 is above the maximum." in shown

    recorded = page.get(record(page, fields).headers["Location"])
    assert "$4.99 is below the minimum" in text_of(recorded)


def test_a_round_without_a_dealer_is_told_and_stands(page: Client, floor: Floor) -> None:
    assign_dealer.send(
        actor=floor.supervisor,
        data={"table": "BP-01", "starts_at": (NOON - dt.timedelta(hours=1)).isoformat()},
        at=NOON,
    )
    told = "Nobody was assigned to deal at this table at that time."
    assert told in text_of(preview(page, typed_round(0)))
    assert told in text_of(page.get(record(page, typed_round(0)).headers["Location"]))


def test_bp_10_ranks_without_suits_where_the_property_enters_so(page: Client, floor: Floor) -> None:
    Property.objects.update(card_entry="ranks")
    fields = {
        "id": "ranks-1",
        "occurred_at": NOW_TYPED,
        "dealer_cards": "A K 10 9 7 5 2",
        "seat_1_cards": "A K 10 9 7 5 Jk",
        "seat_1_low": "A K",
        "seat_1_high": "Jk 10 9",
        "seat_1_main": "10",
    }
    assert "without suits" in text_of(page.get("/tables/BP-01/entry/"))
    assert "A K T 9 7 5 Jk" in text_of(preview(page, fields))
    assert record(page, fields).status_code == 302


def test_the_last_rounds_of_the_table_stand_below(page: Client) -> None:
    for number in range(7):
        record(page, typed_round(number, round_id=f"r-{number}"))
    record(page, typed_round(7, round_id="elsewhere"), table="BP-02")
    rounds = page.get("/tables/BP-01/entry/").context["last_rounds"]
    assert [(played.table.code, played.sequence) for played in rounds] == [
        ("BP-01", sequence) for sequence in (7, 6, 5, 4, 3)
    ]


def test_everything_works_without_a_script(page: Client) -> None:
    body = page.get("/tables/BP-01/entry/").content.decode()
    assert re.findall(r"<script[^>]*>[^<]", body) == []
    assert re.findall(r"\son\w+=", body) == []
    assert "style=" not in body
    assert 'method="post" action="/tables/BP-01/entry/"' in body


def test_rows_beyond_the_seats_of_the_table_are_not_read(page: Client) -> None:
    Table.objects.filter(code="BP-01").update(seat_count=4)
    fields = typed_round(0, seat_5_cards="nonsense")
    assert record(page, fields).status_code == 302
    assert Round.objects.get().seat_hands.count() == 4
