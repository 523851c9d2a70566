"""Entered rounds: what is read, and every fault with its kind, code and place."""

import copy
import json
import math
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine import errors
from games.engine.errors import EngineError, ErrorKind, InvariantViolation
from games.engine.notation import CardEntry, format_cards
from games.engine.round_faults import UNKNOWN_KEYS_MAX
from games.engine.settlement import (
    Bet,
    parse_round,
    round_as_dict,
    round_faults,
    settle,
)
from games.engine.wagers import STAKE_MINOR_MAX, Wager
from tests.engine.builders import AS_WRITTEN, dealt, golden_lines, random_round, seat

DEALER = "As Kd Th 9c 7d 5s 2h"
PLAYER = seat("Ac Qh 9h 6c 4c 3d Ad", "Qh 9h", "Ac Ad 6c", number=3, break_bonus=200)


def good() -> dict[str, Any]:
    return copy.deepcopy(dealt(DEALER, PLAYER, low="Kd Th", high="As 9c 7d"))


def changed(path: str, value: object) -> dict[str, Any]:
    """A good round with one value changed; ``...`` removes it."""
    data = good()
    *steps, last = path.replace("[", ".").replace("]", "").split(".")
    owner: Any = data
    for step in steps:
        owner = owner[int(step)] if step.isdigit() else owner[step]
    key: Any = int(last) if last.isdigit() else last
    if value is ...:
        del owner[key]
    else:
        owner[key] = value
    return data


def only_fault(data: object, card_entry: CardEntry = CardEntry.SUITED) -> EngineError:
    """The one fault of a round, which must be what parse_round raises."""
    faults = round_faults(data, card_entry=card_entry)
    assert len(faults) == 1, faults
    with pytest.raises(EngineError) as caught:
        parse_round(data, card_entry=card_entry)
    assert caught.value.as_dict() == faults[0].as_dict()
    return faults[0]


def test_good_round_is_read_and_has_no_faults() -> None:
    entry = parse_round(good())
    assert round_faults(good()) == ()
    assert format_cards(entry.dealer.cards) == DEALER
    assert format_cards(entry.seats[0].high) == "Ac Ad 6c"
    assert entry.seats[0].bets == (Bet(Wager.MAIN, 1000), Bet(Wager.BREAK_BONUS, 200))
    assert round_as_dict(entry) == good()


def test_keys_seats_and_bets_may_come_in_any_order() -> None:
    first = seat("8s Qs 9s 6s 4s 3s Js", "6s 4s", "Qs 9s 8s", number=1, break_bonus=5)
    first["bets"] = {"break_bonus": 5, "dealer_break_bonus": 6, "main": 7}
    data = dealt(DEALER, PLAYER, dict(reversed(first.items())))
    entry = parse_round(dict(reversed(data.items())))
    assert [s.seat for s in entry.seats] == [1, 3]
    assert [bet.wager for bet in entry.seats[0].bets] == list(Wager)
    assert parse_round(round_as_dict(entry)) == entry


def test_bp_10_canonical_text_is_kept_whatever_the_spelling() -> None:
    spelled = changed("dealer.cards", "a♠ kD 10h 9C 7♦ 5S  2h\n")
    assert parse_round(spelled) == parse_round(good())


SHAPE_FAULTS = [
    ("dealer", ..., "dealer", "round_malformed"),
    ("dealer", [], "dealer", "round_malformed"),
    ("dealer", None, "dealer", "round_malformed"),
    ("dealer.cards", ..., "dealer.cards", "round_malformed"),
    ("dealer.cards", None, "dealer.cards", "card_unreadable"),
    ("dealer.cards", 7, "dealer.cards", "card_unreadable"),
    ("dealer.bets", {}, "dealer.bets", "round_malformed"),
    ("dealer.low", ..., "dealer.low", "round_malformed"),
    ("dealer.high", None, "dealer.high", "round_malformed"),
    ("expect", {}, "expect", "round_malformed"),
    ("seats", ..., "seats", "round_malformed"),
    ("seats", {}, "seats", "round_malformed"),
    ("seats", "x", "seats", "round_malformed"),
    ("seats", [], "seats", "seat_impossible"),
    ("seats[0]", None, "seats[0]", "round_malformed"),
    ("seats[0].seat", ..., "seats[0].seat", "round_malformed"),
    ("seats[0].seat", "3", "seats[0].seat", "round_malformed"),
    ("seats[0].seat", True, "seats[0].seat", "round_malformed"),
    ("seats[0].seat", 3.0, "seats[0].seat", "round_malformed"),
    ("seats[0].seat", 0, "seats[0].seat", "seat_impossible"),
    ("seats[0].seat", 7, "seats[0].seat", "seat_impossible"),
    ("seats[0].seat", -1, "seats[0].seat", "seat_impossible"),
    ("seats[0].seat", 10**30, "seats[0].seat", "seat_impossible"),
    ("seats[0].cards", ..., "seats[0].cards", "round_malformed"),
    ("seats[0].cards", "Ac Qh 9h 6c 4c 3d", "seats[0].cards", "hand_size"),
    ("seats[0].low", ..., "seats[0].low", "round_malformed"),
    ("seats[0].low", None, "seats[0].low", "card_unreadable"),
    ("seats[0].low", "Qh 9x", "seats[0].low", "card_unreadable"),
    ("seats[0].low", "Qh", "seats[0].low", "setting_impossible"),
    ("seats[0].low", "Qh 9h 4c", "seats[0].low", "setting_impossible"),
    ("seats[0].low", "Qh 9s", "seats[0].low", "setting_impossible"),
    ("seats[0].low", "Qh Qh", "seats[0].low", "setting_impossible"),
    ("seats[0].high", "Ac Ad Qh", "seats[0].high", "setting_impossible"),
    ("seats[0].high", "Ac Ad", "seats[0].high", "setting_impossible"),
    ("dealer.high", "As 9c 7h", "dealer.high", "setting_impossible"),
    ("seats[0].bets", ..., "seats[0].bets", "round_malformed"),
    ("seats[0].bets", [], "seats[0].bets", "round_malformed"),
    ("seats[0].bets", {}, "seats[0].bets", "round_malformed"),
    ("seats[0].bets.main", ..., "seats[0].bets", "side_bet_without_main"),
    ("seats[0].bets.tip", 5, "seats[0].bets.tip", "round_malformed"),
    ("seats[0].note", "", "seats[0].note", "round_malformed"),
]


@pytest.mark.parametrize(("path", "value", "place", "code"), SHAPE_FAULTS)
def test_fault_has_its_code_and_place(path: str, value: object, place: str, code: str) -> None:
    fault = only_fault(changed(path, value))
    assert (fault.code, fault.place) == (code, place)
    assert fault.as_dict()["detail"]["place"] == place  # type: ignore[index,call-overload]
    assert fault.message[0].islower()


@pytest.mark.parametrize(
    "value",
    [0, -1, -(10**30), True, False, 1.5, 10.0, "100", "10,0", "１０", None, [], {}, math.nan,
     math.inf, -math.inf],
)  # fmt: skip
@pytest.mark.parametrize("wager", ["main", "break_bonus"])
def test_case_d18_amount_must_be_a_positive_whole_number(wager: str, value: object) -> None:
    fault = only_fault(changed(f"seats[0].bets.{wager}", value))
    assert (fault.code, fault.kind) == ("wager_malformed", ErrorKind.MALFORMED)
    assert fault.place == f"seats[0].bets.{wager}"
    assert fault.detail["seat"] == 3


@pytest.mark.parametrize(
    "value", [STAKE_MINOR_MAX + 1, 10**30, 200000000000.0, 1e300, 10.0**10 + 1]
)
def test_case_x24_amount_above_the_highest_is_over_the_limit_in_any_number_type(
    value: object,
) -> None:
    fault = only_fault(changed("seats[0].bets.main", value))
    assert (fault.code, fault.kind) == ("wager_over_limit", ErrorKind.AGAINST_THE_RULES)
    assert parse_round(changed("seats[0].bets.main", STAKE_MINOR_MAX))
    assert only_fault(changed("seats[0].bets.main", float(STAKE_MINOR_MAX))).code == (
        "wager_malformed"
    )


def test_bp_8_1_card_seen_twice_names_both_places() -> None:
    # 8s at the third seat and at the dealer.
    dealer = "8s Kd Th 9c 7d 5s 2h"
    seats = [
        seat("Jh Qh 9h 6h 4h 3h Ah", "Jh Qh", "9h 6h Ah", number=1),
        seat("Jc Qc Tc 6c 4c 3c Ac", "Jc Qc", "Tc 6c Ac", number=2),
        seat("8s Qs 9s 6s 4s 3s As", "8s Qs", "9s 6s As", number=3),
    ]
    fault = only_fault(dealt(dealer, *seats))
    assert (fault.code, fault.kind) == ("card_seen_twice", ErrorKind.IMPOSSIBLE)
    assert fault.place == "seats[2].cards"
    assert "8s is in seats[2].cards and in dealer.cards" in fault.message
    assert fault.detail["places"] == ["dealer.cards", "seats[2].cards"]
    assert fault.detail["seat"] == 3


def test_case_b06_card_seen_twice_and_49_cards_and_seven_seats() -> None:
    rng = random.Random(6)  # noqa: S311  (test data)
    full = random_round(rng)
    assert len(parse_round(full).seats) == 6
    seventh = copy.deepcopy(full)
    seventh["seats"].append(full["seats"][0] | {"seat": 7})
    fault = only_fault(seventh)
    assert (fault.code, fault.place) == ("seat_impossible", "seats")
    again = copy.deepcopy(full)
    dealt_card = full["dealer"]["cards"].split()[0]
    first = full["seats"][2]["cards"].split()[0]
    for key in ("cards", "low", "high"):
        again["seats"][2][key] = again["seats"][2][key].replace(first, dealt_card)
    fault = only_fault(again)
    assert (fault.code, fault.detail["card"]) == ("card_seen_twice", dealt_card)


@pytest.mark.parametrize("cards", ["7h 7h Jk 2c 5d 9s Kc", "Kc 2c 5d 9s 7h Jk 7h"])
def test_case_a13_card_twice_in_a_hand_is_refused_though_one_is_discarded(cards: str) -> None:
    fault = only_fault(dealt(DEALER.replace("Kd", "Kh"), seat(cards, "7h Kc", "Jk 2c 9s")))
    assert fault.code == "card_seen_twice"
    assert fault.detail["card"] == "7h"
    assert "7h is twice in seats[0].cards" in fault.message


def test_case_a13_two_jokers_in_one_round_are_refused() -> None:
    with_joker = seat("Jk Qh 9h 6c 4c 3d Ad", "Qh 9h", "Jk Ad 6c")
    fault = only_fault(dealt("Jk Kd Th 9c 7d 5s 2h", with_joker))
    assert (fault.code, fault.detail["card"]) == ("card_seen_twice", "Jk")


def test_bp_8_1_hand_of_other_than_seven_cards_is_impossible() -> None:
    fault = only_fault(changed("seats[0].cards", "Ac Qh 9h 6c 4c 3d Ad 8c"))
    assert (fault.code, fault.kind) == ("hand_size", ErrorKind.IMPOSSIBLE)
    assert fault.detail["count"] == 8
    assert "expected 7 cards, got 8: 'Ac Qh" in fault.message
    data = dealt("As Kd Th 9c 7d 5s", PLAYER)
    assert only_fault(data).place == "dealer.cards"


def test_bp_1_4_seats_are_one_to_six_and_each_once() -> None:
    other = seat("8s Qs 9s 6s 4s 3s Js", "6s 4s", "Qs 9s 8s", number=3)
    fault = only_fault(dealt(DEALER, PLAYER, other))
    assert (fault.code, fault.kind) == ("seat_impossible", ErrorKind.IMPOSSIBLE)
    assert fault.place == "seats[1].seat"
    assert fault.detail["places"] == ["seats[0].seat", "seats[1].seat"]


def test_bp_10_ranks_only_round_holds_four_of_a_rank_and_one_joker() -> None:
    first = seat("K K K 8 6 4 2", "8 6", "K K K", number=1)
    data = dealt("K A T 9 7 5 3", first)
    entry = parse_round(data, card_entry=CardEntry.RANKS)
    assert round_as_dict(entry) == data
    assert settle(entry, AS_WRITTEN).seats[0].low == "8-6"
    fifth = dealt("K A T 9 7 5 3", first, seat("K Q 9 8 6 4 2", "Q 9", "K 8 6", number=2))
    fault = only_fault(fifth, CardEntry.RANKS)
    assert (fault.code, fault.detail["card"]) == ("card_seen_twice", "K")
    assert "a deck holds 4" in fault.message
    jokers = dealt("Jk A T 9 7 5 3", seat("Jk K K 8 6 4 2", "8 6", "Jk K K"))
    assert only_fault(jokers, CardEntry.RANKS).detail["card"] == "Jk"
    twice = dealt("K A T 9 7 5 3", seat("K K Q 8 6 4 2", "K K", "K 8 6"))
    fault = only_fault(twice, CardEntry.RANKS)
    assert (fault.code, fault.detail["faults"]) == ("setting_impossible", ["card_used_twice"])


def test_bp_4_3_foul_is_no_fault_of_the_entry() -> None:
    data = changed("seats[0].low", "Ac Ad")
    data["seats"][0]["high"] = "Qh 9h 6c"
    assert round_faults(data) == ()
    assert settle(parse_round(data), AS_WRITTEN).seats[0].foul


def test_all_faults_are_told_in_the_order_of_the_document() -> None:
    data = {
        "extra": 1,
        "dealer": {"cards": "As As Th 9c 7d 5s 2h", "low": "Kd"},
        "seats": [
            {"seat": 9, "cards": "x y", "low": "z", "high": "Ks Qs Js", "bets": {"main": 0}},
            5,
            {"seat": 1, "cards": "Ac", "low": "Ac Ac", "high": "Kc", "bets": {"break_bonus": "1"}},
        ],
    }
    told = [(fault.place, fault.code) for fault in round_faults(data)]
    assert told == [
        ("extra", "round_malformed"),
        ("dealer.cards", "card_seen_twice"),
        ("dealer.high", "round_malformed"),
        ("seats[0].seat", "seat_impossible"),
        ("seats[0].cards", "card_unreadable"),
        ("seats[0].cards", "card_unreadable"),
        ("seats[0].low", "card_unreadable"),
        ("seats[0].bets.main", "wager_malformed"),
        ("seats[1]", "round_malformed"),
        ("seats[2].cards", "hand_size"),
        ("seats[2].high", "setting_impossible"),
        ("seats[2].bets", "side_bet_without_main"),
        ("seats[2].bets.break_bonus", "wager_malformed"),
    ]


def test_faults_of_a_huge_document_are_few_and_short() -> None:
    data = {f"k{number}" * 500: 1 for number in range(1000)} | good()
    faults = round_faults(data)
    assert len(faults) == UNKNOWN_KEYS_MAX
    assert all(len(json.dumps(fault.as_dict())) < 600 for fault in faults)
    data = good() | {"seats": good()["seats"] * 10_000}
    assert len(round_faults(data)) < 60
    fault = round_faults(changed("dealer.cards", "As " * 100_000))[0]
    assert len(json.dumps(fault.as_dict())) < 600


def test_odd_keys_are_told_without_confusing_the_place() -> None:
    fault = only_fault(changed("dealer", {"cards": DEALER, "low].x": 1}))
    assert (fault.place, fault.detail["key"]) == ("dealer.?", "'low].x'")
    data: dict[Any, Any] = good()
    data[5] = 1
    assert only_fault(data).place == "?"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


def check_door(data: object) -> None:
    """Whatever comes, parse_round passes exactly what has no faults, and raises the first."""
    for card_entry in CardEntry:
        faults = round_faults(data, card_entry=card_entry)
        for fault in faults:
            assert isinstance(fault, EngineError)
            json.dumps(fault.as_dict(), allow_nan=False)
        if not faults:
            parse_round(data, card_entry=card_entry)
            continue
        with pytest.raises(EngineError) as caught:
            parse_round(data, card_entry=card_entry)
        assert caught.value.as_dict() == faults[0].as_dict()


@given(JSON_VALUES)
def test_any_json_is_read_or_refused_with_an_engine_error(data: object) -> None:
    check_door(data)


PATHS = [path for path, *_ in SHAPE_FAULTS] + [
    "seats[0].bets.main",
    "seats[0].bets.break_bonus",
    "dealer.cards",
]


@given(st.sampled_from(PATHS), JSON_VALUES)
def test_round_with_any_value_in_any_place_is_read_or_refused(path: str, value: object) -> None:
    check_door(changed(path, value))


@given(st.text(alphabet="AKQJT98765432shdcjk 01♠x\x00", max_size=30), st.sampled_from(PATHS))
def test_round_with_any_card_like_text_is_read_or_refused(text: str, path: str) -> None:
    check_door(changed(path, text))


@pytest.mark.parametrize("line", golden_lines("rounds.jsonl")[:50], ids=lambda line: line["id"])
def test_canonical_form_reads_back_as_the_same_round(line: dict[str, Any]) -> None:
    entry = parse_round({"dealer": line["dealer"], "seats": line["seats"]})
    assert parse_round(round_as_dict(entry)) == entry
    assert json.loads(json.dumps(round_as_dict(entry))) == {
        "dealer": line["dealer"],
        "seats": line["seats"],
    }


def test_round_refused_without_a_fault_is_a_fault_of_the_program(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("games.engine.round_entry.round_faults", lambda *_, **__: ())
    with pytest.raises(InvariantViolation, match="no fault"):
        parse_round({})


def test_each_error_has_one_code_and_kind() -> None:
    # Programs beside the engine may add their own.
    classes = [cls for cls in EngineError.__subclasses__() if cls.__module__ == errors.__name__]
    codes = [cls.code for cls in classes]
    assert len(set(codes)) == len(codes) == 16
    assert {cls.kind for cls in classes} == set(ErrorKind)


def test_shown_values_are_short() -> None:
    assert errors.shown("Kd") == "'Kd'"
    for value in (
        "x" * 10_000,
        10**4000,
        10**9999,
        [[["deep"] * 99] * 99],
        {"a" * 99: 1},
        b"x" * 999,
    ):
        assert len(errors.shown(value)) <= errors.SHOWN_CHARACTERS_MAX
    assert errors.shown(10**9999) == "a int too long to show"


def test_error_says_place_and_message() -> None:
    error = errors.SeatError("expected a seat", place="seats[1]", detail={"seat": 9})
    assert str(error) == "seats[1]: expected a seat"
    assert str(errors.SeatError("expected a seat")) == "expected a seat"
    assert error.as_dict() == {
        "code": "seat_impossible",
        "message": "expected a seat",
        "detail": {"kind": "impossible", "place": "seats[1]", "seat": 9},
    }
