"""Rank patterns: how many there are, what they weigh, and that none collide."""

from math import comb

import pytest

from games.engine.cards import DECK, JOKER
from games.engine.patterns import (
    JOKER_PATTERN,
    all_patterns,
    cards_of,
    count_in,
    pattern_of,
    pattern_of_seven,
)
from tests.engine.builders import cards, golden, weight_of


def test_seven_cards_have_67600_patterns_weighing_all_hands() -> None:
    patterns = list(all_patterns())
    assert len(patterns) == len(set(patterns)) == 67_600
    assert sum(pattern >= JOKER_PATTERN for pattern in patterns) == 18_395
    assert golden("exact_counts.json")["rank_patterns"] == 67_600
    hands = sum(weight_of(pattern) for pattern in patterns)
    assert hands == comb(53, 7) == 154_143_080 == golden("exact_counts.json")["hands"]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5])
def test_patterns_of_fewer_cards_weigh_all_their_hands(size: int) -> None:
    patterns = list(all_patterns(size))
    assert len(patterns) == len(set(patterns))
    assert sum(weight_of(pattern) for pattern in patterns) == comb(53, size)
    assert {len(cards_of(pattern)) for pattern in patterns} == {size}


def test_pattern_of_cards_forgets_suits_and_order() -> None:
    assert pattern_of(cards("As Kd Jk As")) == pattern_of(cards("Kh Ah Ac Jk"))
    assert pattern_of(cards("2s")) == 1
    assert pattern_of([JOKER]) == JOKER_PATTERN == 1 << 39


def test_pattern_tells_its_cards_and_counts() -> None:
    for pattern in all_patterns(4):
        assert pattern_of(cards_of(pattern)) == pattern
    aces = pattern_of(cards("As Ah Ad Ac Jk"))
    assert count_in(aces, pattern_of(cards("As"))) == 4
    assert count_in(aces, pattern_of(cards("Ks"))) == 0
    assert count_in(aces, JOKER_PATTERN) == 1


def test_pattern_of_seven_is_the_same_and_only_for_seven() -> None:
    hand = DECK[:7]
    assert pattern_of_seven(hand) == pattern_of(hand)
    with pytest.raises(ValueError, match="unpack"):
        pattern_of_seven(DECK[:6])
