"""Recording rounds over REST: the golden rounds, replays, conflicts, detail and lists."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from games.engine.house_way import house_way
from games.engine.notation import parse_cards
from games.engine.rulesets import get_ruleset
from tables.floor.services.tables import assign_dealer, close_table
from tables.models import (
    AuditEntry,
    Bet,
    CommandKey,
    DirtyBucket,
    Property,
    Role,
    Round,
    SeatHand,
    User,
)
from tests.api.conftest import ClientFor
from tests.builders import NOON, Clock, Floor, build_floor, build_user, golden_rounds, round_body

ROUNDS = "/api/v1/rounds/"
Stored = Callable[[], dict[str, Any]]


def _holds(expected: Any, got: Any, place: str = "") -> None:
    """Assert that `got` holds every key and value that `expected` shows."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert key in got, f"{place}.{key} is missing"
            _holds(value, got[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(got), place
        for index, value in enumerate(expected):
            _holds(value, got[index], f"{place}[{index}]")
    else:
        assert got == expected, f"{place}: expected {expected!r}, got {got!r}"


def test_every_golden_round_is_recorded_as_expected(api: APIClient) -> None:
    for number, golden in enumerate(golden_rounds()):
        answer = api.post(ROUNDS, round_body(number, round_id=golden["id"]), format="json")

        assert answer.status_code == 201, answer.json()
        body = answer.json()
        assert body["id"] == golden["id"]
        assert body["sequence"] == number + 1
        assert body["ruleset"] == "break-poker/rules-as-written@1"
        assert body["gaming_day"] == "2026-11-29"
        assert body["shift"] == "Day"
        assert body["dealer_badge"] == "D101"
        assert body["replayed"] is False
        _holds(golden["expect"], body["settlement"], golden["id"])

    assert Round.objects.count() == 200
    assert SeatHand.objects.count() == sum(len(golden["seats"]) for golden in golden_rounds())
    assert Bet.objects.count() == sum(
        len(seat["bets"]) for golden in golden_rounds() for seat in golden["seats"]
    )
    assert AuditEntry.objects.filter(command="round_record").count() == 200
    assert DirtyBucket.objects.count() == 200


def test_columns_say_what_the_settlement_says(api: APIClient) -> None:
    for number in range(0, 200, 10):
        api.post(ROUNDS, round_body(number), format="json")

    for played in Round.objects.prefetch_related("seat_hands__bets"):
        dealer = played.settlement["dealer"]
        assert played.house_way_step == dealer["step"]
        assert played.house_way_rule == dealer["rule"] == f"BP-5.{dealer['step']}"
        assert played.required_low == dealer["required"]["low_cards"]
        assert played.required_high == dealer["required"]["high_cards"]
        assert played.compliance == dealer["compliance"]
        hands = list(played.seat_hands.all())
        assert [hand.seat for hand in hands] == [s["seat"] for s in played.settlement["seats"]]
        bets = [bet for hand in hands for bet in hand.bets.all()]
        assert played.house_net_minor == -sum(bet.net_minor for bet in bets)
        assert played.house_net_minor == played.settlement["house_net_minor"]
        for hand, seat in zip(hands, played.settlement["seats"], strict=True):
            assert (hand.event, hand.is_foul, hand.net_minor) == (
                seat["event"],
                seat["foul"],
                seat["net_minor"],
            )
            for bet in hand.bets.all():
                settled = seat[bet.wager]
                assert bet.net_minor == settled["net_minor"]
                assert bet.outcome == settled["outcome"]
                assert bet.line == (seat["event"] if bet.wager == "main" else settled["line"])


def test_a_round_stores_codes_and_its_words_are_made_when_it_is_shown(api: APIClient) -> None:
    for number, golden in enumerate(golden_rounds()[:40]):
        answer = api.post(ROUNDS, round_body(number), format="json").json()

        way = house_way(parse_cards(golden["dealer"]["cards"]), get_ruleset(answer["ruleset"]))
        assert answer["settlement"]["dealer"]["words"] == way.words
        stored = Round.objects.get(round_id=answer["id"]).settlement
        assert "words" not in stored["dealer"]
        del answer["settlement"]["dealer"]["words"]
        assert answer["settlement"] == {"id": answer["id"], **stored}


def test_bp_5_9_a_deviation_keeps_both_settings_and_settles_on_the_house_way(
    api: APIClient,
) -> None:
    # Golden round 0: the dealer set A-5 | A-8-5 where BP-5.1 asks for A-A | 5-5-5.
    answer = api.post(ROUNDS, round_body(0), format="json")

    played = Round.objects.get()
    assert (played.dealer_low, played.dealer_high) == ("Jk 5h", "Ac 8s 5d")
    assert played.compliance == "deviation"
    assert answer.json()["settlement"]["dealer"]["required"]["low"] == "A-A"
    assert answer.json()["settlement"]["dealer"]["as_set"]["low"] == "A-5"


def test_a_dealer_setting_may_be_absent_and_counts_as_not_recorded(api: APIClient) -> None:
    body = round_body(1)
    body["dealer"] = {"cards": body["dealer"]["cards"]}

    answer = api.post(ROUNDS, body, format="json")

    assert answer.status_code == 201
    assert answer.json()["settlement"]["dealer"]["compliant"] is None
    assert Round.objects.get().compliance == "not_recorded"


def test_bp_8_2_a_bet_outside_the_limits_stands_and_warns(api: APIClient) -> None:
    body = round_body(1)
    body["seats"] = [{**body["seats"][0], "bets": {"main": 499, "break_bonus": 100_001}}]

    answer = api.post(ROUNDS, body, format="json")

    assert answer.status_code == 201
    assert [(w["code"], w["place"]) for w in answer.json()["warnings"]] == [
        ("bet_outside_limits", "seats[0].bets.main"),
        ("bet_outside_limits", "seats[0].bets.break_bonus"),
    ]
    assert list(Bet.objects.order_by("pk").values_list("amount_minor", "limit_breach")) == [
        (499, "below_minimum"),
        (100_001, "above_maximum"),
    ]


def test_a_round_without_an_assigned_dealer_is_taken_with_a_warning(
    api: APIClient, floor: Floor
) -> None:
    assign_dealer.send(actor=floor.supervisor, data={"table": "BP-01"}, at=NOON)

    answer = api.post(ROUNDS, round_body(1, occurred_at=NOON), format="json")

    assert answer.status_code == 201
    assert answer.json()["dealer_badge"] is None
    assert [warning["code"] for warning in answer.json()["warnings"]] == ["no_dealer_assigned"]


def test_case_c01_a_repeated_round_gets_the_first_answer(
    api: APIClient, clock: Clock, stored: Stored
) -> None:
    body = round_body(5)
    first = api.post(ROUNDS, body, format="json")
    before = stored()
    clock.now += dt.timedelta(hours=24)

    again = api.post(ROUNDS, body, format="json")

    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() == {**first.json(), "replayed": True}
    assert stored() == before


def test_case_c01_the_same_cards_in_another_notation_are_the_same_round(
    api: APIClient, stored: Stored
) -> None:
    body = round_body(5)
    api.post(ROUNDS, body, format="json")
    before = stored()
    respelt = {**body, "dealer": dict(body["dealer"])}
    glyphs = str.maketrans({"s": "♠", "h": "♥", "d": "♦", "c": "♣", "T": "t"})
    respelt["dealer"]["cards"] = body["dealer"]["cards"].translate(glyphs)

    again = api.post(ROUNDS, respelt, format="json")

    assert again.status_code == 200, again.json()
    assert again.json()["replayed"] is True
    assert stored() == before


def test_case_c01_a_replay_answers_even_after_the_rules_of_the_property_changed(
    api: APIClient, floor: Floor
) -> None:
    body = round_body(5)
    first = api.post(ROUNDS, body, format="json")
    Property.objects.update(ruleset_id="break-poker/published-analysis@1")

    again = api.post(ROUNDS, body, format="json")

    assert again.json()["settlement"] == first.json()["settlement"]
    assert again.json()["ruleset"] == "break-poker/rules-as-written@1"


def _other_table(body: dict[str, Any]) -> None:
    body["table"] = "BP-02"


def _other_time(body: dict[str, Any]) -> None:
    body["occurred_at"] = (NOON - dt.timedelta(seconds=1)).isoformat()


def _no_dealer_setting(body: dict[str, Any]) -> None:
    body["dealer"] = {"cards": body["dealer"]["cards"]}


def _other_bet(body: dict[str, Any]) -> None:
    body["seats"][1]["bets"]["main"] += 1


def _bet_more(body: dict[str, Any]) -> None:
    body["seats"][0]["bets"]["break_bonus"] = 100


def _seat_less(body: dict[str, Any]) -> None:
    body["seats"].pop()


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (_other_table, "table"),
        (_other_time, "occurred_at"),
        (_no_dealer_setting, "dealer.low"),
        (_other_bet, "seats[1].bets.main"),
        (_bet_more, "seats[0].bets.break_bonus"),
        (_seat_less, "seats[4]"),
    ],
)
def test_the_same_id_with_other_content_names_the_first_field_that_differs(
    api: APIClient, stored: Stored, change: Callable[[dict[str, Any]], None], place: str
) -> None:
    # Golden round 3 has five seats; its first seat bets no dealer break bonus.
    body = round_body(3)
    del body["seats"][0]["bets"]["break_bonus"]
    api.post(ROUNDS, body, format="json")
    before = stored()
    other = round_body(3, round_id=body["id"])
    del other["seats"][0]["bets"]["break_bonus"]
    change(other)

    answer = api.post(ROUNDS, other, format="json")

    assert answer.status_code == 409, answer.json()
    assert answer.json()["code"] == "id_conflict"
    assert answer.json()["detail"]["place"] == place
    assert stored() == before


def test_case_n33_an_id_sent_again_under_another_sign_in_is_a_replay(
    api: APIClient, floor: Floor, client_for: ClientFor, stored: Stored
) -> None:
    colleague = build_user(floor.casino, Role.CLERK, "colleague")
    body = round_body(1, round_id="same")

    first = api.post(ROUNDS, body, format="json")
    before = stored()
    again = client_for(colleague).post(ROUNDS, body, format="json")
    other = client_for(colleague).post(ROUNDS, round_body(2, round_id="same"), format="json")

    assert (first.status_code, again.status_code, other.status_code) == (201, 200, 409)
    assert again.json() == {**first.json(), "replayed": True}
    assert again.json()["entered_by"] == floor.clerk.username
    assert other.json()["detail"]["place"] == "dealer.cards"
    assert stored() == before
    key = CommandKey.objects.get(client_id="same")
    assert (key.actor, [resend.actor for resend in key.resends.all()]) == (floor.clerk, [colleague])


def test_case_n33_an_id_is_another_one_at_another_property(
    api: APIClient, client_for: ClientFor
) -> None:
    elsewhere = client_for(build_floor(code="LV").clerk)
    body = round_body(1, round_id="same")

    answers = [client.post(ROUNDS, body, format="json") for client in (api, elsewhere)]

    assert [answer.status_code for answer in answers] == [201, 201]


def test_a_closed_table_takes_no_round_of_after_its_closing(
    api: APIClient, floor: Floor, stored: Stored
) -> None:
    close_table.send(data={}, actor=floor.supervisor, table="BP-01", at=NOON)
    before = stored()

    late = api.post(ROUNDS, round_body(1, occurred_at=NOON), format="json")
    assert (late.status_code, late.json()["code"]) == (409, "table_closed")
    assert late.json()["detail"]["place"] == "occurred_at"
    assert stored() == before

    # Dealt before the closing, sent after it: not lost.
    earlier = NOON - dt.timedelta(seconds=1)
    assert api.post(ROUNDS, round_body(1, occurred_at=earlier), format="json").status_code == 201


def test_a_table_of_another_property_is_not_found(
    api: APIClient, client_for: ClientFor, stored: Stored
) -> None:
    elsewhere = build_floor(code="LV")
    body = round_body(1)
    client_for(elsewhere.clerk).post(ROUNDS, body, format="json")
    before = stored()

    assert api.post(ROUNDS, round_body(1, table="NONE"), format="json").status_code == 404
    assert api.get(f"{ROUNDS}?table=BP-01").json()["results"] == []
    assert api.get("/api/v1/tables/BP-01/rounds/1/").status_code == 404
    assert stored() == before


def test_a_user_without_a_property_may_do_nothing(client_for: ClientFor, floor: Floor) -> None:
    nobody = client_for(build_user(None, Role.CLERK))

    assert nobody.post(ROUNDS, round_body(1), format="json").status_code == 403
    assert nobody.get(ROUNDS).status_code == 403


def test_preview_answers_what_recording_would_and_stores_nothing(
    api: APIClient, stored: Stored
) -> None:
    body = round_body(7)
    before = stored()

    preview = api.post(f"{ROUNDS}preview/", body, format="json")

    assert preview.status_code == 200
    assert stored() == before
    recorded = api.post(ROUNDS, body, format="json")
    assert preview.json()["settlement"] == recorded.json()["settlement"]


def test_a_round_shows_its_hands_as_they_were_entered(api: APIClient) -> None:
    body = round_body(3)
    recorded = api.post(ROUNDS, body, format="json").json()

    shown = api.get(recorded["url"]).json()

    assert shown["hands"]["dealer"] == body["dealer"]
    assert shown["hands"]["seats"] == body["seats"]
    assert shown["void"] is None
    recorded.pop("replayed")
    assert {key: shown[key] for key in recorded} == recorded


def _walk(api: APIClient, url: str | None, between: Callable[[], None]) -> list[str]:
    ids: list[str] = []
    while url:
        page = api.get(url).json()
        ids += [item["id"] for item in page["results"]]
        url = page["next"]
        between()
    return ids


def test_case_c18_paging_skips_and_repeats_nothing_while_rounds_arrive(api: APIClient) -> None:
    expected = []
    for number in range(100):
        body = round_body(number, occurred_at=NOON)
        assert api.post(ROUNDS, body, format="json").status_code == 201
        expected.append(body["id"])

    def one_more() -> None:
        api.post(ROUNDS, round_body(150, occurred_at=NOON), format="json")

    ids = _walk(api, f"{ROUNDS}?limit=20", one_more)

    assert ids == expected[::-1]


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("", [3, 2, 1, 0]),
        ("table=BP-02", [3, 2]),
        ("dealer=D101", [1, 0]),
        ("compliance=deviation", [2, 0]),
        ("is_voided=true", []),
        ("is_voided=false&table=BP-01", [1, 0]),
        ("gaming_day=2026-11-29", [3, 2, 1, 0]),
        ("gaming_day=2026-11-28", []),
        ("shift=Day", [3, 2, 1, 0]),
        ("shift=Swing", []),
        ("id=r2", [2]),
        ("occurred_from=2026-11-29T20:00:00Z&table=BP-01", [1, 0]),
        ("occurred_until=2026-11-29T20:00:00Z", []),
        ("occurred_from=2026-11-29T12:00:00-08:00", [3, 2, 1, 0]),
    ],
)
def test_rounds_are_filtered(api: APIClient, query: str, numbers: list[int]) -> None:
    # Of the first four golden rounds, 0 and 2 deviate from the house way.
    for number in range(4):
        table = "BP-01" if number < 2 else "BP-02"
        body = round_body(number, table=table, round_id=f"r{number}")
        assert api.post(ROUNDS, body, format="json").status_code == 201

    answer = api.get(f"{ROUNDS}?{query}")

    assert [item["id"] for item in answer.json()["results"]] == [f"r{n}" for n in numbers]


def test_case_x25_a_list_takes_the_same_queries_for_many_rounds_as_for_few(
    api: APIClient,
) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert api.get(f"{ROUNDS}?limit=200").status_code == 200
        return len(captured)

    for number in range(3):
        api.post(ROUNDS, round_body(number), format="json")
    few = queries()
    for number in range(3, 60):
        api.post(ROUNDS, round_body(number), format="json")

    assert queries() == few


def test_a_posted_round_takes_a_fixed_number_of_statements(api: APIClient) -> None:
    # What each statement is for stands in docs/architecture.md; a new one is a decision.
    api.post(ROUNDS, round_body(0), format="json")
    with CaptureQueriesContext(connection) as captured:
        api.post(ROUNDS, round_body(3), format="json")

    statements = [query["sql"].split()[0] for query in captured if "POINT" not in query["sql"]]
    # PostgreSQL writes mark, trail and key in one.
    last = ["WITH"] if connection.vendor == "postgresql" else ["INSERT"] * 3
    assert statements == ["SELECT", "UPDATE", "SELECT", *["INSERT"] * 3, *last]


def test_the_actor_is_the_one_who_was_signed_in(api: APIClient, floor: Floor) -> None:
    api.post(ROUNDS, round_body(1), format="json")

    entry = AuditEntry.objects.get(command="round_record")
    assert (entry.actor, entry.actor_name) == (floor.clerk, floor.clerk.username)
    assert entry.subject == "round BP-01/1"
    User.objects.filter(pk=floor.clerk.pk).update(username="renamed")
    assert AuditEntry.objects.get(pk=entry.pk).actor_name == "la-clerk"
