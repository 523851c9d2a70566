"""Whole rounds: the golden file, and what holds for any round."""

import copy
import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, JOKER, Suit
from games.engine.rulesets import DealerMissetPolicy, FoulPolicy, Ruleset
from games.engine.settlement import (
    BetSettlement,
    CardEntry,
    DealerEntry,
    DealerSettlement,
    RoundEntry,
    RoundSettlement,
    SeatEntry,
    SeatSettlement,
    parse_round,
    settle,
    settlement_as_dict,
)
from games.engine.wagers import SideBetCaps, Wager
from tests.engine.builders import AS_WRITTEN, PUBLISHED, golden_lines, random_round

RULESETS: list[Ruleset] = [
    AS_WRITTEN,
    PUBLISHED,
    replace(AS_WRITTEN, foul=FoulPolicy.RESET_TO_HOUSE_WAY, caps=SideBetCaps(1000, 2500)),
    replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.STAND, caps=SideBetCaps(None, 777)),
    replace(AS_WRITTEN, dealer_misset=DealerMissetPolicy.VOID),
]


def expected_part(expected: Any, found: Any) -> Any:
    """What of ``found`` stands where ``expected`` has something."""
    if isinstance(expected, dict):
        return {key: expected_part(value, found[key]) for key, value in expected.items()}
    if isinstance(expected, list):
        assert len(expected) == len(found)
        return [expected_part(a, b) for a, b in zip(expected, found, strict=True)]
    return found


@pytest.mark.parametrize("line", golden_lines("rounds.jsonl"), ids=lambda line: line["id"])
def test_golden_round_settles_as_expected(line: dict[str, Any]) -> None:
    entry = parse_round({"dealer": line["dealer"], "seats": line["seats"]})
    found = json.loads(json.dumps(settlement_as_dict(settle(entry, AS_WRITTEN))))
    assert expected_part(line["expect"], found) == line["expect"]


def test_golden_file_holds_200_rounds() -> None:
    assert len(golden_lines("rounds.jsonl")) == 200


def test_settlement_has_the_documented_keys() -> None:
    line = golden_lines("rounds.jsonl")[0]
    found: Any = settlement_as_dict(
        settle(parse_round({"dealer": line["dealer"], "seats": line["seats"]}), AS_WRITTEN)
    )
    assert set(found) == {"ruleset", "is_void", "dealer", "seats", "house_net_minor"}
    assert set(found["dealer"]) == {
        *("step", "rule", "words", "low", "high", "low_cards", "high_cards", "discards"),
        *("qualifies", "lucky_break", "compliance", "compliant", "required", "as_set"),
    }
    assert set(found["seats"][0]) == {
        *("seat", "event", "foul", "low", "high", "reset_to", "lucky_break", "net_minor"),
        *("main", "dealer_break_bonus"),
    }
    assert set(found["seats"][0]["dealer_break_bonus"]) == {
        *("amount_minor", "outcome", "net_minor", "line"),
    }
    assert found["ruleset"] == AS_WRITTEN.id


def nets_of(settlement: RoundSettlement) -> list[int]:
    return [bet.net_minor for seat in settlement.seats for bet in seat.bets]


@pytest.mark.slow
def test_case_b12_nets_of_50000_random_rounds_sum_to_zero() -> None:
    rng = random.Random(12)  # noqa: S311  (test data)
    for number in range(50_000):
        seat_count = 1 if number % 50 else 6
        entry = parse_round(random_round(rng, seat_count=seat_count, stake_max=10_000_000_000))
        settlement = settle(entry, RULESETS[number % len(RULESETS)])
        assert sum(nets_of(settlement)) + settlement.house_net_minor == 0
        for seat in settlement.seats:
            assert seat.net_minor == sum(bet.net_minor for bet in seat.bets)
            assert all(type(bet.net_minor) is int for bet in seat.bets)


@given(st.integers(0, 10**9), st.integers(1, 6), st.sampled_from(RULESETS))
def test_case_b12_player_never_loses_more_than_the_stake(
    seed: int, seat_count: int, ruleset: Ruleset
) -> None:
    rng = random.Random(seed)  # noqa: S311  (test data)
    settlement = settle(parse_round(random_round(rng, seat_count=seat_count)), ruleset)
    assert sum(nets_of(settlement)) == -settlement.house_net_minor
    for seat in settlement.seats:
        assert all(bet.net_minor >= -bet.amount_minor for bet in seat.bets)
    caps = ruleset.caps
    wins = [
        (seat.seat, bet.net_minor)
        for seat in settlement.seats
        for bet in seat.bets
        if bet.wager is not Wager.MAIN and bet.net_minor > 0
    ]
    if caps.per_table_minor is not None:
        assert sum(net for _, net in wins) <= caps.per_table_minor
    if caps.per_player_minor is not None:
        for number in range(1, 7):
            assert sum(net for seat, net in wins if seat == number) <= caps.per_player_minor


def relabelled(data: dict[str, Any], suits: dict[str, str]) -> dict[str, Any]:
    """The round with its suits exchanged."""

    def text(cards: str) -> str:
        return " ".join(c if c == "Jk" else c[0] + suits[c[1]] for c in cards.split())

    hands = [data["dealer"], *data["seats"]]
    changed = [
        {k: text(v) if k in ("cards", "low", "high") else v for k, v in hand.items()}
        for hand in hands
    ]
    return {"dealer": changed[0], "seats": changed[1:]}


def without_cards(found: Any) -> Any:
    """A settlement as JSON without the physical cards in it."""
    if isinstance(found, dict):
        return {
            k: without_cards(v)
            for k, v in found.items()
            if k not in ("low_cards", "high_cards", "discards")
        }
    return [without_cards(v) for v in found] if isinstance(found, list) else found


def settled(data: dict[str, Any]) -> Any:
    return settlement_as_dict(settle(parse_round(data), AS_WRITTEN))


@pytest.mark.slow
def test_bp_1_1_and_case_x02_suits_never_matter_in_10000_rounds() -> None:
    rng = random.Random(2)  # noqa: S311  (test data)
    letters = [suit.value for suit in Suit]
    for _ in range(10_000):
        data = random_round(rng, seat_count=1)
        suits = dict(zip(letters, rng.sample(letters, 4), strict=True))
        found = settle(parse_round(data), AS_WRITTEN)
        again = settle(parse_round(relabelled(data, suits)), AS_WRITTEN)
        assert again.seats == found.seats
        assert again.dealer.way == found.dealer.way
        assert again.dealer.compliance is found.dealer.compliance


@given(st.integers(0, 10**9))
def test_case_b01_order_of_cards_and_seats_changes_nothing(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  (test data)
    data = random_round(rng, seat_count=3)
    shuffled = copy.deepcopy(data)
    rng.shuffle(shuffled["seats"])
    for hand in [shuffled["dealer"], *shuffled["seats"]]:
        for key in ("cards", "low", "high"):
            hand[key] = " ".join(rng.sample(hand[key].split(), len(hand[key].split())))
    found, again = settled(data), settled(shuffled)
    assert without_cards(again) == without_cards(found)
    assert again["dealer"]["required"] == found["dealer"]["required"]


@given(st.integers(0, 10**9))
def test_bp_10_round_by_ranks_settles_as_the_same_round_by_suits(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311  (test data)
    data = random_round(rng, seat_count=2)
    ranks = copy.deepcopy(data)
    for hand in [ranks["dealer"], *ranks["seats"]]:
        for key in ("cards", "low", "high"):
            hand[key] = " ".join(c if c == "Jk" else c[0] for c in hand[key].split())
    by_ranks = settlement_as_dict(
        settle(parse_round(ranks, card_entry=CardEntry.RANKS), AS_WRITTEN)
    )
    assert without_cards(by_ranks) == without_cards(settled(data))


def test_case_x04_name_and_rank_come_from_one_object() -> None:
    for line in golden_lines("rounds.jsonl")[:20]:
        data = {"dealer": line["dealer"], "seats": line["seats"]}
        dealer = settle(parse_round(data), AS_WRITTEN).dealer
        assert (dealer.step, dealer.rule) == (dealer.way.step.number, f"BP-5.{dealer.step}")
        assert dealer.required_low == dealer.required.low.label
        assert dealer.required_high == dealer.required.high.label
        assert dealer.words == dealer.required.words
        setting = dealer.setting
        assert {*setting.low_cards, *setting.high_cards, *setting.discards} == set(dealer.cards)
        assert dealer.as_dict()["rule"] == dealer.rule


def test_entries_and_settlements_are_values() -> None:
    rng = random.Random(7)  # noqa: S311  (test data)
    data = random_round(rng, seat_count=2)
    entry, settlement = parse_round(data), settle(parse_round(data), AS_WRITTEN)
    assert isinstance(entry, RoundEntry)
    assert isinstance(entry.dealer, DealerEntry)
    assert isinstance(entry.seats[0], SeatEntry)
    assert isinstance(settlement.dealer, DealerSettlement)
    assert isinstance(settlement.seats[0], SeatSettlement)
    assert isinstance(settlement.seats[0].bets[0], BetSettlement)
    assert hash(entry) == hash(parse_round(data))
    assert settlement == settle(entry, AS_WRITTEN)
    for value in (entry, entry.seats[0], settlement, settlement.dealer):
        with pytest.raises(AttributeError):
            value.seats = ()  # type: ignore[misc,union-attr]


def test_full_table_of_49_cards_with_the_joker_settles() -> None:
    rng = random.Random(49)  # noqa: S311  (test data)
    seen = 0
    while not seen:
        data = random_round(rng)
        entry = parse_round(data)
        cards = [*entry.dealer.cards, *(card for seat in entry.seats for card in seat.cards)]
        seen = JOKER in cards
    assert len(set(cards)) == 49 == len(DECK) - 4
    assert len(settle(entry, AS_WRITTEN).seats) == 6
