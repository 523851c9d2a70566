"""The two hand orders and the semi-wild joker."""

import copy
import pickle
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import Suit
from games.engine.errors import CardParseError
from games.engine.hands import (
    ALL_HIGH,
    ALL_LOW,
    HIGH_BY_PATTERN,
    LOW_BY_PATTERN,
    HighClass,
    HighHand,
    LowClass,
    LowHand,
    high_hand,
    low_hand,
    parse_high,
    parse_low,
)
from games.engine.notation import parse_cards
from tests.engine.builders import cards, high, low

SUIT_TRIPLES = [tuple(s.value for s in suits) for suits in product(Suit, repeat=3)]


def test_bp_2_1_high_hands_are_455_in_four_classes() -> None:
    assert len(ALL_HIGH) == len({hand.label for hand in ALL_HIGH}) == 455
    count = {c: sum(hand.hand_class is c for hand in ALL_HIGH) for c in HighClass}
    assert count == {
        HighClass.TRIPS: 13,
        HighClass.STRAIGHT: 12,
        HighClass.PAIR: 156,
        HighClass.HIGH_CARD: 274,
    }


def test_bp_2_1_high_classes_follow_each_other_with_their_best_and_worst_hands() -> None:
    order = [
        "A-A-A",
        "2-2-2",
        "A-K-Q",
        "K-Q-J",
        "4-3-2",
        "A-2-3",
        "A-A-K",
        "2-2-3",
        "A-K-J",
        "5-3-2",
    ]
    strengths = [parse_high(label).strength for label in order]
    assert strengths == sorted(strengths, reverse=True)
    # Where one class ends the next begins.
    assert [parse_high(label).strength for label in ("A-A-A", "5-3-2")] == [454, 0]
    assert parse_high("2-2-2").strength - parse_high("A-K-Q").strength == 1
    assert parse_high("4-3-2").strength - parse_high("A-2-3").strength == 1
    assert parse_high("A-2-3").strength - parse_high("A-A-K").strength == 1
    assert parse_high("2-2-3").strength - parse_high("A-K-J").strength == 1


def test_bp_2_2_class_rank_comes_before_kickers() -> None:
    assert high("As Ad 2c") > high("Ks Kd Qc")
    assert high("9s 9d Ac") > high("9h 9c Ks")
    assert high("Ks 3d 2c") < high("Ks 4d 2c")
    assert high("As Kd 2c").hand_class is HighClass.HIGH_CARD


def test_bp_3_1_low_hands_are_91_in_two_classes() -> None:
    assert len(ALL_LOW) == len({hand.label for hand in ALL_LOW}) == 91
    count = {c: sum(hand.hand_class is c for hand in ALL_LOW) for c in LowClass}
    assert count == {LowClass.PAIR: 13, LowClass.HIGH_CARD: 78}
    assert [hand.label for hand in (ALL_LOW[90], ALL_LOW[78], ALL_LOW[77], ALL_LOW[0])] == [
        "A-A",
        "2-2",
        "A-K",
        "3-2",
    ]
    assert low("As 3d") > low("Ks Qd")


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("2s 3d Jk", "4-3-2"),
        ("As 2d Jk", "A-2-3"),
        ("8s 9d Jk", "T-9-8"),
        ("Qs Kd Jk", "A-K-Q"),
        ("Ks Kd Jk", "K-K-K"),
        ("As 7d Jk", "A-A-7"),
        ("Ks 7d Jk", "A-K-7"),
    ],
)
def test_bp_1_3_highest_reading_of_the_joker_counts(text: str, label: str) -> None:
    assert high(text).label == label


def test_bp_1_2_joker_is_an_ace_or_completes_trips_or_a_straight_and_nothing_else() -> None:
    assert high("Ks 7d Jk").hand_class is HighClass.HIGH_CARD
    assert high("2s 2d Jk").label == "2-2-2"
    assert (low("Jk Ks").label, low("Jk As").label) == ("A-K", "A-A")


@pytest.mark.parametrize(("ranks", "label"), [("A23", "A-2-3"), ("JQK", "K-Q-J"), ("QKA", "A-K-Q")])
def test_case_a01_straight_is_one_in_all_suits(ranks: str, label: str) -> None:
    assert len(SUIT_TRIPLES) == 64
    for suits in SUIT_TRIPLES:
        hand = high(" ".join(rank + suit for rank, suit in zip(ranks, suits, strict=True)))
        assert (hand.label, hand.hand_class) == (label, HighClass.STRAIGHT)


def test_case_a01_lowest_and_highest_straight_and_no_wrap() -> None:
    straights = [hand for hand in ALL_HIGH if hand.hand_class is HighClass.STRAIGHT]
    assert (straights[0].label, straights[-1].label) == ("A-2-3", "A-K-Q")
    for order in permutations(["Kc", "As", "2d"]):
        assert high(" ".join(order)).label == "A-K-2"
        assert high(" ".join(order)).hand_class is HighClass.HIGH_CARD


def test_case_a04_this_game_puts_ace_two_three_last() -> None:
    assert high("2s 3d 4c") > high("As 2d 3c")
    assert high("Js Qd Kc") > high("As 2d 3c")


@pytest.mark.parametrize(
    ("text", "label"),
    [("8s 9d Jk", "T-9-8"), ("Ts Jd Jk", "Q-J-T"), ("9s Jd Jk", "J-T-9"), ("Qs Kd Jk", "A-K-Q")],
)
def test_case_a05_joker_does_not_extend_a_run_too_far(text: str, label: str) -> None:
    assert high(text).label == label


def test_case_a05_best_three_of_a_long_run_with_the_joker() -> None:
    hand = cards("4s 5d 6c 7h 8s 9d Jk")
    best = max(high_hand(three) for three in permutations(hand, 3))
    assert best.label == "T-9-8"


@pytest.mark.parametrize(("text", "label"), [("Jk Ks", "A-K"), ("Jk As", "A-A"), ("Jk 4d", "A-4")])
def test_case_a07_low_joker_is_an_ace(text: str, label: str) -> None:
    assert low(text).label == label


@pytest.mark.parametrize(
    ("text", "label", "hand_class"),
    [
        ("Ks 7d Jk", "A-K-7", HighClass.HIGH_CARD),
        ("Ks Kd Jk", "K-K-K", HighClass.TRIPS),
        ("As 7d Jk", "A-A-7", HighClass.PAIR),
        ("As Ad Jk", "A-A-A", HighClass.TRIPS),
    ],
)
def test_case_a07_high_joker_never_makes_a_pair_but_of_aces(
    text: str, label: str, hand_class: HighClass
) -> None:
    assert (high(text).label, high(text).hand_class) == (label, hand_class)


def test_case_a07_only_aces_pair_with_the_joker_in_all_patterns() -> None:
    for pattern, hand in HIGH_BY_PATTERN.items():
        if pattern >= 1 << 39 and hand.hand_class is HighClass.PAIR:
            assert hand.label.startswith("A-A-")


def test_case_b01_order_of_cards_does_not_matter() -> None:
    for text in ("As Kd Qc", "9s 9d Kc", "2s 3d Jk", "As 2d 3c", "7s 7d 7c"):
        assert len({high_hand(order) for order in permutations(parse_cards(text))}) == 1
    for text in ("As Kd", "Jk 9c"):
        assert len({low_hand(order) for order in permutations(parse_cards(text))}) == 1


def test_hands_know_their_place_and_label() -> None:
    for strength, hand in enumerate(ALL_HIGH):
        assert hand.strength == strength
        assert parse_high(hand.label) is hand
    for strength, low_value in enumerate(ALL_LOW):
        assert low_value.strength == strength
        assert parse_low(low_value.label) is low_value
    assert (len(LOW_BY_PATTERN), len(HIGH_BY_PATTERN)) == (104, 546)
    assert set(HIGH_BY_PATTERN.values()) == set(ALL_HIGH)
    assert set(LOW_BY_PATTERN.values()) == set(ALL_LOW)


@given(st.sampled_from(ALL_HIGH), st.sampled_from(ALL_HIGH))
def test_order_of_high_hands_is_total(a: HighHand, b: HighHand) -> None:
    assert (a < b, a > b, a == b).count(True) == 1
    assert (a <= b) == (not a > b)
    assert (a >= b) == (not a < b)
    assert (a < b) == (a.strength < b.strength)


@given(st.sampled_from(ALL_LOW), st.sampled_from(ALL_LOW))
def test_order_of_low_hands_is_total(a: LowHand, b: LowHand) -> None:
    assert (a < b, a > b, a == b).count(True) == 1
    assert (a <= b) == (not a > b)
    assert (a >= b) == (not a < b)
    assert (a < b) == (a.strength < b.strength)


def test_low_and_high_hands_have_no_order_between_them() -> None:
    a, b = ALL_LOW[3], ALL_HIGH[3]
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(a, compare)(b) is NotImplemented
        assert getattr(b, compare)(a) is NotImplemented
    with pytest.raises(TypeError):
        _ = a < b  # type: ignore[operator]
    assert a != b  # type: ignore[comparison-overlap]


def test_hand_value_exists_once_and_cannot_be_changed() -> None:
    for hand in (parse_high("9-9-K"), parse_low("A-K")):
        assert copy.deepcopy(hand) is hand
        assert pickle.loads(pickle.dumps(hand)) is hand  # noqa: S301  (our own bytes)
        with pytest.raises(AttributeError, match="strength"):
            hand.strength = 3
        with pytest.raises(AttributeError, match="label"):
            del hand.label
    assert repr(parse_high("9-9-K")) == "<HighHand 9-9-K>"


@pytest.mark.parametrize("label", ["", "K-A-2", "9-K-9", "A-K", "x"])
def test_label_of_no_high_hand_is_refused(label: str) -> None:
    with pytest.raises(CardParseError):
        parse_high(label)


@pytest.mark.parametrize("label", ["", "K-A", "A-K-Q"])
def test_label_of_no_low_hand_is_refused(label: str) -> None:
    with pytest.raises(CardParseError):
        parse_low(label)
