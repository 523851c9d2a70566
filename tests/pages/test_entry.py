"""Entering a round on its page."""

import datetime as dt
import html
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.models import Property, Round, Table, User
from tables.services.floor import assign_dealer, close_table
from tests.builders import NOON, OPENED_AT, Floor, golden_rounds, round_body
from tests.pages.conftest import (
    NOW_TYPED,
    Clock,
    SignedIn,
    faults_in,
    preview,
    record,
    typed_round,
)

Stored = Callable[[], dict[str, Any]]


def text_of(answer: Any) -> str:
    """What a person reads of a page, on one line."""
    plain = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return html.unescape(re.sub(r"\s+", " ", plain))


def test_the_empty_form_has_a_new_id_the_time_and_the_focus(page: Client) -> None:
    first, second = page.get("/tables/BP-01/entry/"), page.get("/tables/BP-01/entry/")

    entry = first.context["entry"]
    assert first.status_code == 200
    assert str(uuid.UUID(entry.round_id)) == entry.round_id
    assert entry.round_id != second.context["entry"].round_id
    assert entry.time.value == NOW_TYPED
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
    entry = page.get("/tables/BP-01/entry/").context["entry"]
    assert [row.label for row in entry.rows] == ["Dealer", "Seat 1", "Seat 2"]


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
    assert answer.context["entry"].round_id == "kept-1"
    values = {f.name: f.value for row in answer.context["entry"].rows for f in row.fields}
    assert {name: values[name] for name in fields if name in values} == {
        name: text for name, text in fields.items() if name not in {"id", "occurred_at"}
    }


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


def test_half_a_setting_of_the_dealer_is_a_fault(page: Client) -> None:
    answer = record(page, typed_round(0, dealer_low=""))
    assert faults_in(answer) == {"dealer_low": ["expected 2 cards in the low hand, got 0: ''"]}


def test_a_row_left_blank_is_a_seat_not_in_play(page: Client) -> None:
    record(page, typed_round(0, seats={1: 2, 2: 3, 3: 5, 4: 6}, seat_1_cards="  "))
    assert list(Round.objects.get().seat_hands.values_list("seat", flat=True)) == [2, 3, 5, 6]


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
    assert faults_in(answer) == {
        "occurred_at": ["expected a date and a time, got 'yesterday'"],
        "dealer_cards": ["expected 7 cards, got 6: 'Ac Jk As 5s 5h 8s'"],
        "dealer_high": ["expected cards of the hand, but 5d is not one of its seven"],
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
    assert 'aria-describedby="seat_2_main_fault ' in field[0]
    assert field[0].endswith(" autofocus>")
    assert body.count("autofocus") == 1
    assert 'value="ten"' in field[0]
    assert '<span class="fault" id="seat_2_main_fault">' in body
    assert '<a href="#seat_2_main">Seat 2: Main bet</a>' in body


def test_faults_name_seats_as_the_form_does(page: Client) -> None:
    fields = typed_round(0, seats={1: 4, 2: 5, 3: 6, 4: 1})
    fields["seat_6_cards"] = fields["seat_5_cards"].replace("2d", "Js")
    faults = faults_in(record(page, fields))["seat_6_cards"]
    assert "expected each card once in a round, but 3s is in seat 6 cards and in seat 5 cards" in (
        faults
    )


def test_a_time_that_is_too_late_does_not_hide_the_hands(page: Client) -> None:
    answer = record(
        page, typed_round(0, occurred_at="2026-11-29T13:00:00", seat_1_low="Jh", seat_1_main="1")
    )
    assert answer.status_code == 400
    assert set(faults_in(answer)) == {"occurred_at", "seat_1_low"}
    assert "no later than now" in faults_in(answer)["occurred_at"][0]


def test_an_empty_form_asks_for_hands(page: Client, stored: Stored) -> None:
    before = stored()
    answer = record(page, {"id": "empty-1", "occurred_at": NOW_TYPED})
    assert answer.status_code == 400
    assert faults_in(answer) == {
        "dealer_cards": ["expected 7 cards, got 0: ''"],
        "seat_1_cards": ["expected 1 to 6 seats, got 0"],
    }
    assert stored() == before


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


def test_c03_two_clerks_with_one_id_do_not_collide(
    page: Client, floor: Floor, signed_in: SignedIn
) -> None:
    record(page, typed_round(0, round_id="same"))
    other = signed_in(floor.supervisor)
    answer = record(other, typed_round(1, round_id="same"))
    assert answer.headers["Location"] == "/tables/BP-01/rounds/2/?note=recorded"


def test_a_used_id_with_other_content_says_how_to_go_on(page: Client, stored: Stored) -> None:
    record(page, typed_round(0))
    before = stored()
    answer = record(page, typed_round(0, seat_2_main="11.00"))

    assert answer.status_code == 409
    assert stored() == before
    text = text_of(answer)
    assert "recorded already, with other content" in text
    assert "seat 2 main differs" in text
    body = answer.content.decode()
    assert 'href="/tables/BP-01/rounds/1/"' in body
    assert "seat_2_main" in faults_in(answer)
    assert 'value="renew"' in body
    assert 'value="record"' not in body


def test_another_round_gets_an_id_of_its_own_and_keeps_what_was_typed(page: Client) -> None:
    record(page, typed_round(0))
    fields = typed_round(0, seat_2_main="11.00")
    renewed = page.post("/tables/BP-01/entry/", {**fields, "action": "renew"})

    assert renewed.status_code == 200
    entry = renewed.context["entry"]
    assert entry.round_id != "typed-1"
    answer = record(page, {**fields, "id": entry.round_id})
    assert answer.headers["Location"] == "/tables/BP-01/rounds/2/?note=recorded"


@pytest.mark.parametrize("round_id", ["", "a b", "x" * 65, "é", "\x00"])
def test_a_form_without_its_id_is_not_recorded(page: Client, round_id: str) -> None:
    answer = record(page, typed_round(0, round_id=round_id))
    assert answer.status_code == 400
    assert "expected 1 to 64 letters" in text_of(answer)
    assert Round.objects.count() == 0
    assert uuid.UUID(answer.context["entry"].round_id)


def test_bp_8_2_a_bet_outside_the_limits_is_told_and_stands(page: Client) -> None:
    fields = typed_round(1, seat_1_main="4.99", seat_1_dealer_break_bonus="1000.01")
    shown = text_of(preview(page, fields))
    assert "Seat 1, Main bet: $4.99 is below the minimum. The bet stands." in shown
    assert "Seat 1, Dealer Break Bonus: $1,000.01 is above the maximum." in shown

    recorded = page.get(record(page, fields).headers["Location"])
    assert "$4.99 is below the minimum" in text_of(recorded)


def test_a_round_without_a_dealer_is_told_and_stands(page: Client, floor: Floor) -> None:
    assign_dealer(
        actor=floor.supervisor,
        body={"table": "BP-01", "starts_at": (NOON - dt.timedelta(hours=1)).isoformat()},
        at=NOON,
    )
    told = "Nobody was assigned to deal at this table at that time."
    assert told in text_of(preview(page, typed_round(0)))
    assert told in text_of(page.get(record(page, typed_round(0)).headers["Location"]))


def test_a_closed_table_has_a_page_of_its_own(
    page: Client, floor: Floor, signed_in: SignedIn
) -> None:
    close_table(actor=floor.supervisor, table_code="BP-01", at=NOON)
    answer = page.get("/tables/BP-01/entry/")
    assert "BP-01 is closed" in text_of(answer)
    assert "/tables/BP-01/open/" not in answer.content.decode()
    supervisor = signed_in(floor.supervisor).get("/tables/BP-01/entry/")
    assert "/tables/BP-01/open/" in supervisor.content.decode()


def test_a_round_is_not_recorded_at_a_closed_table(
    page: Client, floor: Floor, stored: Stored
) -> None:
    close_table(actor=floor.supervisor, table_code="BP-01", at=NOON)
    before = stored()
    answer = record(page, typed_round(0))
    assert answer.status_code == 409
    assert "expected a time at which table BP-01 was open" in faults_in(answer)["occurred_at"][0]
    assert stored() == before


def test_a_late_round_is_dated_by_hand(page: Client, floor: Floor) -> None:
    close_table(actor=floor.supervisor, table_code="BP-01", at=NOON)
    assert page.get("/tables/BP-01/entry/?late=1").context["entry"].time.value == ""
    answer = record(page, typed_round(0, occurred_at="2026-11-29T11:59:59"))
    assert answer.status_code == 302


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
    answer = record(page, typed_round(0, **{name: typed_nonsense}))
    if name == "occurred_which":
        # Read only where the clock showed a time twice.
        assert answer.status_code == 302
        return
    assert answer.status_code == 400
    assert name in faults_in(answer)
    assert b"<script>alert" not in answer.content
    assert stored() == before


def test_f01_a_scanned_badge_in_a_bet_is_refused(page: Client, stored: Stored) -> None:
    before = stored()
    answer = preview(page, typed_round(0, seat_1_main="412345678901"))
    assert answer.status_code == 400
    assert faults_in(answer)["seat_1_main"] == [
        "expected at most $100,000,000.00, got '412345678901'"
    ]
    assert stored() == before


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


def test_an_hour_that_comes_twice_must_be_told_apart(page: Client, clock: Clock) -> None:
    clock.now = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
    twice = {"occurred_at": "2026-11-01T01:30:00"}
    answer = record(page, typed_round(0, **twice))
    assert answer.status_code == 400
    assert "say whether the first or the second" in faults_in(answer)["occurred_at"][0]
    assert "2026-11-01 01:30:00 PST (UTC-08:00)" in text_of(answer)

    assert record(page, typed_round(0, **twice, occurred_which="second")).status_code == 302
    assert Round.objects.get().occurred_at == dt.datetime(2026, 11, 1, 9, 30, tzinfo=dt.UTC)


def test_the_form_opened_in_the_second_of_two_hours_stays_there(page: Client, clock: Clock) -> None:
    clock.now = dt.datetime(2026, 11, 1, 9, 30, tzinfo=dt.UTC)
    entry = page.get("/tables/BP-01/entry/").context["entry"]
    assert (entry.time.value, entry.time.which.value) == ("2026-11-01T01:30:00", "second")
    assert entry.shows_time


def test_an_hour_that_the_clocks_skipped_is_no_time(page: Client) -> None:
    answer = record(page, typed_round(0, occurred_at="2026-03-08T02:30"))
    assert faults_in(answer)["occurred_at"] == [
        "expected a time that the clocks did not skip, got '2026-03-08T02:30'"
    ]


@pytest.mark.parametrize("time", ["0001-01-01T00:00", "9999-12-31T23:59", "2026-13-01T00:00"])
def test_a_time_out_of_all_bounds_is_a_fault(page: Client, time: str) -> None:
    answer = record(page, typed_round(0, occurred_at=time))
    assert answer.status_code in {400, 409}
    assert "occurred_at" in faults_in(answer)


def test_the_last_rounds_of_the_table_stand_below(page: Client) -> None:
    for number in range(7):
        record(page, typed_round(number, round_id=f"r-{number}"))
    record(page, typed_round(7, round_id="elsewhere"), table="BP-02")
    rounds = page.get("/tables/BP-01/entry/").context["last_rounds"]
    assert [(played.table.code, played.sequence) for played in rounds] == [
        ("BP-01", sequence) for sequence in (7, 6, 5, 4, 3)
    ]


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


def test_a_dismissed_clerk_records_nothing(page: Client, stored: Stored) -> None:
    before = stored()
    User.objects.update(is_active=False)
    assert record(page, typed_round(0)).status_code == 302
    assert stored() == before


def test_a_round_before_the_table_was_open_is_refused(page: Client) -> None:
    too_early = (OPENED_AT - dt.timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%S")
    assert record(page, typed_round(0, occurred_at=too_early)).status_code == 409
