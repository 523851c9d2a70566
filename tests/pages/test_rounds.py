"""The list of rounds, a round's page, and voiding."""

import datetime as dt
import html
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.models import Round, RoundVoid
from tables.web import paging
from tests.builders import NOON, Clock, Floor, golden_rounds
from tests.pages.conftest import SignedIn, faults_of, record, text_of, typed_round

Stored = Callable[[], dict[str, Any]]
GROUNDS = {
    "id": "void-1",
    "reason_code": "dispute",
    "reason": "Seat 2 was paid twice",
    "authority": "la-manager",
}


@pytest.fixture
def supervisor(floor: Floor, signed_in: SignedIn) -> Client:
    return signed_in(floor.supervisor)


def void(client: Client, **changes: str) -> Any:
    return client.post("/tables/BP-01/rounds/1/void/", {**GROUNDS, **changes})


def test_a_round_shows_what_was_set_beside_the_house_way(page: Client) -> None:
    record(page, typed_round(0))
    text = text_of(page.get("/tables/BP-01/rounds/1/"))
    assert "Dealer's setting ✗ Deviation" in text
    assert "As set Jk 5h A-5 Ac 8s 5d A-8-5" in text
    assert re.search(r"House way \w\w \w\w A-A 5s 5h 5d 5-5-5", text)
    assert "Settled on A-A 5-5-5 Lucky Break" in text
    assert "BP-5.1" in text
    assert "House net $186.00" in text
    assert "D101 Dealer D101" in text
    assert "break-poker/rules-as-written@1" in text
    assert "Gaming day 2026-11-29 Shift Day" in text
    assert "Dealt 2026-11-29 12:01:00 PST (UTC-08:00)" in text


def test_bp_5_8_a_match_and_a_setting_not_recorded_are_told_in_words(page: Client) -> None:
    record(page, typed_round(1, round_id="match"))
    record(page, typed_round(2, round_id="none", dealer_low="", dealer_high=""))
    assert "Dealer's setting ✓ Match" in text_of(page.get("/tables/BP-01/rounds/1/"))
    none = text_of(page.get("/tables/BP-01/rounds/2/"))
    assert "Dealer's setting ? Not recorded" in none
    assert "As set not recorded" in none


def test_after_a_round_the_next_one_has_the_focus(page: Client) -> None:
    answer = page.get(record(page, typed_round(0)).headers["Location"])
    assert '<a class="button" href="/tables/BP-01/entry/" autofocus>' in answer.content.decode()


@pytest.mark.parametrize("number", range(5, 200, 20))
def test_a_golden_round_reads_as_its_settlement(page: Client, number: int) -> None:
    expected = golden_rounds()[number]["expect"]
    record(page, typed_round(number))
    settled = page.get("/tables/BP-01/rounds/1/").context["settlement"]
    assert settled.house_net_minor == expected["house_net_minor"]
    assert [(seat.seat, seat.net_minor) for seat in settled.seats] == [
        (seat["seat"], seat["net_minor"]) for seat in expected["seats"]
    ]
    for seat, wanted in zip(settled.seats, expected["seats"], strict=True):
        assert [wager for wager, _ in seat.bets] == ["main", "dealer_break_bonus", "break_bonus"]
        for wager, bet in seat.bets:
            assert (bet.net_minor if bet else None) == wanted.get(wager, {}).get("net_minor")


def test_bp_8_4_a_void_is_shown_with_its_grounds(
    page: Client, supervisor: Client, clock: Clock
) -> None:
    record(page, typed_round(0))
    clock.now = NOON + dt.timedelta(hours=2)
    answer = void(supervisor)

    assert answer.headers["Location"] == "/tables/BP-01/rounds/1/?note=voided"
    shown = page.get("/tables/BP-01/rounds/1/")
    text = text_of(shown)
    assert "round 1 Voided" in text
    assert "Voided: Dispute ruled Seat 2 was paid twice" in text
    assert "Authorised by la-manager" in text
    assert "voided by la-floor_supervisor" in text
    assert "2026-11-29 14:00:00 PST (UTC-08:00)" in text
    assert "Void this round" not in text_of(supervisor.get("/tables/BP-01/rounds/1/"))
    assert Round.objects.count() == 1


def test_only_who_may_void_sees_the_form(page: Client, supervisor: Client) -> None:
    record(page, typed_round(0))
    assert "Void this round" not in text_of(page.get("/tables/BP-01/rounds/1/"))
    assert "Void this round" in text_of(supervisor.get("/tables/BP-01/rounds/1/"))


def test_a_second_void_with_the_same_id_repeats_the_first(page: Client, supervisor: Client) -> None:
    record(page, typed_round(0))
    void(supervisor)
    assert void(supervisor).headers["Location"].endswith("?note=replayed")
    assert RoundVoid.objects.count() == 1


def test_a_voided_round_is_not_voided_again(page: Client, supervisor: Client) -> None:
    record(page, typed_round(0))
    void(supervisor)
    answer = void(supervisor, id="void-2")
    assert answer.status_code == 409
    assert "was voided by la-floor_supervisor" in text_of(answer)
    assert RoundVoid.objects.count() == 1


def test_a_void_says_everything_that_is_missing_and_keeps_the_rest(
    page: Client, supervisor: Client, stored: Stored
) -> None:
    record(page, typed_round(0))
    before = stored()
    answer = void(supervisor, reason_code="", reason="  ", id="kept-1")

    assert answer.status_code == 400
    assert faults_of(answer) == {
        "reason_code": ["expected an answer, got nothing"],
        "reason": ["expected an answer, got nothing"],
    }
    assert '<input type="hidden" name="id" value="kept-1">' in answer.content.decode()
    assert '<option value="la-manager" selected>' in answer.content.decode()
    assert '<details class="void" open>' in answer.content.decode()
    assert stored() == before


def test_a_void_says_what_is_wrong_along_with_what_is_missing(
    page: Client, supervisor: Client
) -> None:
    record(page, typed_round(0))
    answer = void(supervisor, reason_code="because", reason="x" * 501, authority="", id="<b>")
    assert {name: len(faults) for name, faults in faults_of(answer).items()} == {
        "reason_code": 1,
        "reason": 1,
        "authority": 1,
    }
    assert faults_of(answer)["authority"] == ["expected an answer, got nothing"]
    assert "expected 1 to 64 letters" in text_of(answer)
    [renewed] = re.findall(r'name="id" value="([^"]*)"', answer.content.decode())
    assert uuid.UUID(renewed)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"reason_code": "because"}, "reason_code"),
        ({"reason": "x" * 501}, "reason"),
        ({"reason": "nul \x00"}, "reason"),
        ({"authority": "la-clerk"}, "authority"),
        ({"authority": "\x00"}, "authority"),
    ],
)
def test_a_void_is_refused_beside_its_field(
    page: Client, supervisor: Client, stored: Stored, changes: dict[str, str], field: str
) -> None:
    record(page, typed_round(0))
    before = stored()
    answer = void(supervisor, **changes)
    assert answer.status_code == 400
    assert set(faults_of(answer)) == {field}
    assert stored() == before


def test_x13_a_reason_cannot_flip_the_page(page: Client, supervisor: Client) -> None:
    record(page, typed_round(0))
    void(supervisor, reason="\u202egnp.exe <script>alert(1)</script>")
    body = page.get("/tables/BP-01/rounds/1/").content.decode()
    assert "\u202e" not in body
    assert "[U+202E]gnp.exe &lt;script&gt;alert(1)&lt;/script&gt;" in body


def listed(answer: Any) -> list[tuple[str, int]]:
    return [(played.table.code, played.sequence) for played in answer.context["page"].rows]


@pytest.fixture
def three_rounds(page: Client, supervisor: Client) -> None:
    record(page, typed_round(0, round_id="deviation"))
    record(page, typed_round(1, round_id="match", occurred_at="2026-11-28T23:00:00"))
    record(page, typed_round(2, round_id="other"), table="BP-02")
    supervisor.post("/tables/BP-01/rounds/2/void/", GROUNDS)


@pytest.mark.usefixtures("three_rounds")
@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [("BP-02", 1), ("BP-01", 2), ("BP-01", 1)]),
        ("table=BP-01", [("BP-01", 2), ("BP-01", 1)]),
        ("dealer=D102", [("BP-02", 1)]),
        ("dealer=nobody", []),
        ("gaming_day=2026-11-28", [("BP-01", 2)]),
        ("shift=Grave", [("BP-01", 2)]),
        ("compliance=match&table=BP-01", [("BP-01", 2)]),
        ("voided=yes", [("BP-01", 2)]),
        ("voided=no&table=BP-01", [("BP-01", 1)]),
        ("from=2026-11-29T00:00&table=BP-01", [("BP-01", 1)]),
        ("until=2026-11-29T00:00", [("BP-01", 2)]),
        ("id=other", [("BP-02", 1)]),
        ("table=&dealer=&from=&until=&id=", [("BP-02", 1), ("BP-01", 2), ("BP-01", 1)]),
    ],
)
def test_the_list_is_narrowed_by_its_filters(
    page: Client, query: str, found: list[tuple[str, int]]
) -> None:
    answer = page.get(f"/rounds/?{query}")
    assert answer.status_code == 200
    assert listed(answer) == found


def test_a_filter_keeps_what_was_typed_and_fits_what_it_takes(page: Client) -> None:
    query = {"gaming_day": "2026-11-28", "dealer": " D101 ", "compliance": "match"}
    body = page.get("/rounds/", {**query, "from": "2026-11-01T01:30"}).content.decode()
    assert re.search(r'<input type="date" name="gaming_day" value="2026-11-28"[^>]*>', body)
    assert re.search(r'<input type="datetime-local" name="from" value="2026-11-01T01:30"', body)
    assert '<select name="from_which" id="from_which">' in body
    assert 'value=" D101 "' in body
    assert '<option value="match" selected>Match</option>' in body


@pytest.mark.usefixtures("three_rounds")
def test_the_list_shows_voids_and_says_when_it_is_empty(page: Client) -> None:
    assert "BP-01 / 2 Voided" in text_of(page.get("/rounds/"))
    assert "No rounds here." in text_of(page.get("/rounds/?dealer=nobody"))


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("table=BP-99", "table"),
        ("table=%00", "table"),
        ("dealer=%00", "dealer"),
        ("dealer=" + "D" * 17, "dealer"),
        ("gaming_day=2026-02-30", "gaming_day"),
        ("gaming_day=%EF%BC%91", "gaming_day"),
        ("shift=%00", "shift"),
        ("compliance=maybe", "compliance"),
        ("voided=NaN", "voided"),
        ("from=NaN", "from"),
        ("until=9999-12-31T23:59", "until"),
        ("from=2026-11-01T01:30", "from"),
        ("id=%00", "id"),
    ],
)
def test_d18_a_filter_that_cannot_be_read_is_told_beside_its_field(
    page: Client, query: str, field: str
) -> None:
    answer = page.get(f"/rounds/?{query}")
    assert answer.status_code == 400
    assert set(faults_of(answer)) == {field}


@pytest.mark.parametrize(
    "query", ["colour=red", "older_than=x", "newer_than=-1", "%00=1", "limit=x"]
)
def test_an_unknown_filter_is_told(page: Client, query: str) -> None:
    answer = page.get(f"/rounds/?{query}")
    assert answer.status_code == 400
    [told] = answer.context["form"].non_field_errors()
    assert told.startswith("expected only table, gaming_day, dealer, shift, compliance, voided")
    assert "The list cannot be filtered like this" in text_of(answer)
    assert list(answer.context["page"].rows) == []


def test_a_repeated_filter_is_told_beside_its_field(page: Client) -> None:
    answer = page.get("/rounds/?table=BP-01&table=BP-02&dealer=%00")
    assert answer.status_code == 400
    assert faults_of(answer)["table"] == ["expected table once, got it 2 times"]
    assert set(faults_of(answer)) == {"table", "dealer"}


@pytest.mark.parametrize("day", ["2026-W48-7", "20261129", "29.11.2026", " 2026-11-29 T"])
def test_a_gaming_day_is_written_in_one_way(page: Client, day: str) -> None:
    answer = page.get("/rounds/", {"gaming_day": day})
    assert answer.status_code == 400
    told = f"expected a day such as '2026-11-29', got {day.strip()!r}"
    assert faults_of(answer) == {"gaming_day": [told]}


@pytest.mark.parametrize("path", ["/tables/", "/misdeals/", "/tables/BP-01/rounds/1/worth/"])
def test_every_list_refuses_what_it_does_not_know(page: Client, path: str) -> None:
    record(page, typed_round(0))
    assert page.get(path, {"note": "recorded"}).status_code == 200
    for query in ("colour=red", "note=recorded&note=voided"):
        answer = page.get(f"{path}?{query}")
        assert answer.status_code == 400
        assert re.search(r"expected (only .*note, got 'colour'|note once)", text_of(answer))


def test_pages_of_the_list_repeat_and_skip_nothing(
    page: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leads_to(answer: Any, words: str) -> str:
        found = re.search(rf'href="([^"]*)" rel="\w+">{words}<', answer.content.decode())
        return html.unescape(found[1]) if found else ""

    monkeypatch.setattr(paging, "ROWS_A_PAGE_MAX", 2)
    for number in range(5):
        record(page, typed_round(number, round_id=f"r-{number}"))
    first = page.get("/rounds/?table=BP-01")
    record(page, typed_round(5, round_id="r-5"))
    second = page.get("/rounds/" + leads_to(first, "Older"))
    third = page.get("/rounds/" + leads_to(second, "Older"))

    assert [listed(answer) for answer in (first, second, third)] == [
        [("BP-01", 5), ("BP-01", 4)],
        [("BP-01", 3), ("BP-01", 2)],
        [("BP-01", 1)],
    ]
    assert "table=BP-01" in leads_to(second, "Older")
    assert leads_to(third, "Older") == ""
    assert listed(page.get("/rounds/" + leads_to(third, "Newer"))) == listed(second)
    assert listed(page.get("/rounds/" + leads_to(second, "Newer"))) == listed(first)
    assert leads_to(first, "Newer") == ""


def test_unknown_rounds_are_not_there(page: Client) -> None:
    for path in ("/tables/BP-01/rounds/1/", "/tables/BP-01/rounds/999999999999999999/"):
        answer = page.get(path)
        assert answer.status_code == 404
        assert "expected a round of table BP-01" in text_of(answer)


def test_a_note_is_one_of_ours(page: Client) -> None:
    record(page, typed_round(0))
    body = page.get("/tables/BP-01/rounds/1/?note=<script>alert(1)</script>").content.decode()
    assert "alert(1)" not in body
