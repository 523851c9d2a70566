"""The house way: each step by hand-set examples, and what must hold for any seven cards."""

import random
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, JOKER
from games.engine.errors import InvariantViolation
from games.engine.hand_setting import all_settings, is_foul
from games.engine.hands import high_hand, low_hand
from games.engine.house_way import house_way, place_cards
from games.engine.lookup import break_bonus_line, house_way_table
from games.engine.notation import CardEntry, format_cards, parse_cards
from games.engine.patterns import pattern_of
from games.engine.rulesets import HouseWayStep, Ruleset
from tests.engine.builders import AS_WRITTEN, PUBLISHED, cards, golden_lines, shuffled


def way_of(text: str, ruleset: Ruleset = AS_WRITTEN) -> tuple[str, str, str]:
    way = house_way(cards(text), ruleset)
    return way.rule, way.low.label, way.high.label


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("9s 9d 9c 4s 4d Ah Ks", "4-4", "9-9-9"),
        ("9s 9d 9c 4s 4d 4h Ks", "9-9", "4-4-4"),  # the highest possible pair
        ("Ks Kd Kc Kh Jk 4s 3d", "K-K", "K-K-K"),
        ("As Ad Ac Ah Jk 4s 3d", "A-A", "A-A-A"),
        ("As Jk 9d 9c 9s 4h 2c", "A-A", "9-9-9"),  # the joker as an ace
        ("As Ad 9c 9s Jk 4h 2c", "A-A", "9-9-9"),  # the joker as a nine: a pair of aces either way
    ],
)
def test_bp_5_1_pair_and_trips_sets_the_highest_pair_low(text: str, low: str, high: str) -> None:
    assert way_of(text) == ("BP-5.1", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Kh 9d Td Tc Ac 8h Qs", "T-T", "A-K-Q"),
        ("9s 9d 8c 7d 6s As 2d", "9-9", "8-7-6"),
        ("As Jk Kd Qc Js 4h 4d", "A-A", "K-Q-J"),
        ("5s 5d 4c 3d 2s As Ad", "A-A", "5-4-3"),
    ],
)
def test_bp_5_2_pair_and_straight_sets_the_highest_pair_low(text: str, low: str, high: str) -> None:
    assert way_of(text) == ("BP-5.2", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("9s 9d 9c Kh 7d 4s 2h", "K-7", "9-9-9"),
        ("9s 9d 9c 9h Kd 4s 2h", "K-9", "9-9-9"),  # a nine is the second-highest possible card
        ("9s 9d 9c Jk Kh 6d 3s", "A-K", "9-9-9"),  # the joker as an ace
    ],
)
def test_bp_5_3_no_pair_and_trips_sets_the_two_highest_possible_cards_low(
    text: str, low: str, high: str
) -> None:
    assert way_of(text) == ("BP-5.3", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("5c Jh Td 4s 7c Qd 9d", "Q-7", "J-T-9"),  # the queen goes low: J-T-9 remains
        ("As Kd Qc 9s 7d 5h 3s", "9-7", "A-K-Q"),
        ("As 2d 3c Ks 9d 7h Js", "K-J", "A-2-3"),
        ("Jk Jd 2s 9d 6s Tc 5d", "A-6", "J-T-9"),
    ],
)
def test_bp_5_4_no_pair_and_straight_sets_the_two_highest_possible_cards_low(
    text: str, low: str, high: str
) -> None:
    assert way_of(text) == ("BP-5.4", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("9s 9d 4c 4d Ks 7h 2c", "4-4", "9-9-K"),
        ("9s 9d 5c 5d 2s 2h Kc", "5-5", "9-9-K"),
        ("Ks Kd 9c 9d 5s 5h 2c", "9-9", "K-K-5"),  # the best card beside it is of the third pair
    ],
)
def test_bp_5_5_pair_and_pair_sets_the_second_highest_pair_low(
    text: str, low: str, high: str
) -> None:
    assert way_of(text) == ("BP-5.5", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("Ks Js 3c 5c 2h 7c 5s", "K-J", "5-5-7"),
        ("As Ad Kc Td 7s 5h 2c", "K-T", "A-A-7"),
    ],
)
def test_bp_5_6_no_pair_and_pair_sets_the_two_highest_possible_cards_low(
    text: str, low: str, high: str
) -> None:
    assert way_of(text) == ("BP-5.6", low, high)


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [("As Kd Th 9c 7d 5s 2h", "K-T", "A-9-7"), ("Qs Td 9c 7d 6s 3h 2c", "T-9", "Q-7-6")],
)
def test_bp_5_7_otherwise_second_and_third_highest_cards_low(
    text: str, low: str, high: str
) -> None:
    assert way_of(text) == ("BP-5.7", low, high)


def test_house_way_of_all_golden_hands() -> None:
    lines = golden_lines("house_way.jsonl")
    assert len(lines) == 280
    for line in lines:
        hand = cards(line["cards"])
        for ruleset in (AS_WRITTEN, PUBLISHED):
            way = house_way(hand, ruleset)
            found = {
                "cards": line["cards"],
                "step": way.step,
                "low": way.low.label,
                "high": way.high.label,
                "break_bonus": break_bonus_line(pattern_of(hand)),
            }
            assert found == line
    assert {line["step"] for line in lines} == {1, 2, 3, 4, 5, 6, 7}


def test_house_way_says_in_words_what_it_sets() -> None:
    way = house_way(cards("As Kd Th 9c 7d 5s 2h"), AS_WRITTEN)
    assert way.words == (
        "Step 7 (BP-5.7), neither pair, straight nor trips: the second- and third-highest cards "
        "low. Low K-T, high A-9-7."
    )
    assert not way.is_lucky_break
    assert house_way(cards("Kh 9d Td Tc Ac 8h Qs"), AS_WRITTEN).is_lucky_break


def test_house_way_takes_a_natural_ace_before_the_joker() -> None:
    # Low A-T and high A-A-A, whether the joker is low or high.
    way = house_way(cards("Jk 4c Ac 7d Th Ad As"), AS_WRITTEN)
    assert (way.rule, way.low.label, way.high.label) == ("BP-5.3", "A-T", "A-A-A")
    assert (format_cards(way.low_cards), format_cards(way.high_cards)) == ("As Th", "Jk Ad Ac")


def test_house_way_works_with_ranks_only() -> None:
    hand = parse_cards("9 9 9 4 4 A K", card_entry=CardEntry.RANKS)
    way = house_way(hand, AS_WRITTEN)
    assert (format_cards(way.low_cards), format_cards(way.high_cards)) == ("4 4", "9 9 9")
    assert format_cards(way.discards) == "A K"


def test_case_b01_all_5040_orders_of_seven_cards_are_set_the_same() -> None:
    for text in ("As Kd Th 9c 7d 5s 2h", "Jk As Ad 9c 9d 9s 4h"):
        ways = {house_way(order, AS_WRITTEN) for order in permutations(cards(text))}
        assert len(ways) == 1


def post_conditions_hold(hand: tuple[object, ...], ruleset: Ruleset) -> None:
    way = house_way(hand, ruleset)  # type: ignore[arg-type]
    assert (len(way.low_cards), len(way.high_cards), len(way.discards)) == (2, 3, 2)
    assert {*way.low_cards, *way.high_cards, *way.discards} == set(hand)
    assert low_hand(way.low_cards) is way.low
    assert high_hand(way.high_cards) is way.high
    assert not is_foul(way.low, way.high)


@pytest.mark.slow
def test_case_a12_post_conditions_of_200000_random_hands() -> None:
    rng = random.Random(12)  # noqa: S311  (test data)
    with_joker = 0
    for number in range(200_000):
        hand = tuple(rng.sample(DECK, 7))
        with_joker += JOKER in hand
        post_conditions_hold(hand, AS_WRITTEN)
        if number % 20 == 0:
            assert house_way(shuffled(rng, hand), AS_WRITTEN) == house_way(hand, AS_WRITTEN)
    assert with_joker > 20_000


@pytest.mark.slow
def test_case_a12_no_other_legal_setting_is_better_in_one_hand_and_as_good_in_the_other() -> None:
    rng = random.Random(13)  # noqa: S311  (test data)
    for _ in range(1500):
        hand = tuple(rng.sample(DECK, 7))
        way = house_way(hand, AS_WRITTEN)
        for setting in all_settings(hand):
            low, high = low_hand(setting.low_cards), high_hand(setting.high_cards)
            if not is_foul(low, high) and low >= way.low and high >= way.high:
                assert (low, high) == (way.low, way.high)


@given(st.permutations(DECK).map(lambda deck: tuple(deck[:7])))
def test_house_way_is_never_foul(hand: tuple[object, ...]) -> None:
    post_conditions_hold(hand, AS_WRITTEN)


def mutations() -> list[tuple[str, tuple[HouseWayStep, ...]]]:
    """Each step left out, exchanged with the next, or asking for another class."""
    steps = AS_WRITTEN.house_way
    found = []
    for place, step in enumerate(steps):
        found.append((f"without {step.number}", steps[:place] + steps[place + 1 :]))
        if place + 1 < len(steps):
            swapped = [*steps[:place], steps[place + 1], step, *steps[place + 2 :]]
            found.append((f"{step.number} after {steps[place + 1].number}", tuple(swapped)))
    return found


@pytest.mark.parametrize(("name", "steps"), mutations(), ids=[name for name, _ in mutations()])
def test_case_a10_changing_any_single_step_breaks_a_golden_hand(
    name: str, steps: tuple[HouseWayStep, ...]
) -> None:
    mutant = replace(AS_WRITTEN, house_way=steps)
    broken = 0
    for line in golden_lines("house_way.jsonl"):
        try:
            way = house_way(cards(line["cards"]), mutant)
        except InvariantViolation:
            broken += 1
            continue
        broken += (way.step, way.low.label, way.high.label) != (
            line["step"],
            line["low"],
            line["high"],
        )
    assert broken > 0, name


def test_case_a10_no_fallback_when_no_step_applies() -> None:
    only_trips = replace(AS_WRITTEN, house_way=AS_WRITTEN.house_way[:1])
    with pytest.raises(InvariantViolation, match="no step of the house way"):
        house_way(cards("As Kd Th 9c 7d 5s 2h"), only_trips)


def test_case_a10_every_step_of_the_signed_sheet_is_there_in_order() -> None:
    steps = AS_WRITTEN.house_way
    assert [(step.number, step.rule) for step in steps] == [
        (number, f"BP-5.{number}") for number in range(1, 8)
    ]
    assert PUBLISHED.house_way == steps


@pytest.mark.parametrize("text", ["As", "As Kd Th 9c 7d 5s", "As Kd Th 9c 7d 5s 2h 3h"])
def test_house_way_of_other_than_seven_cards_is_a_fault_of_the_program(text: str) -> None:
    with pytest.raises(ValueError, match="unpack"):
        house_way(cards(text), AS_WRITTEN)
    with pytest.raises(InvariantViolation, match="no step"):
        house_way_table(AS_WRITTEN.house_way)(pattern_of(cards(text)))


def test_place_cards_lays_out_any_hand_of_the_pattern() -> None:
    way = house_way_table(AS_WRITTEN.house_way)(pattern_of(cards("As Kd Th 9c 7d 5s 2h")))
    placed = place_cards(cards("2d 5h 7c 9s Tc Kh Ad"), way)
    assert format_cards(placed.low_cards) == "Kh Tc"
    assert format_cards(placed.high_cards) == "Ad 9s 7c"
