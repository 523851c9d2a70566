"""Patterns, settings and house ways as arrays, against the engine and closed forms."""

from dataclasses import replace
from itertools import permutations
from math import comb

import numpy as np
import pytest

from games.analysis.break_bonus import LINES, break_bonus_lines, can_break
from games.analysis.card_sets import card_sets
from games.analysis.decks import FULL_DECK, Deck, patterns_of
from games.analysis.house_ways import LUCKY_BREAKS, dealer_classes, house_ways
from games.analysis.setting_table import CODE_BITS, HIGH_MASK, setting_table, value_tables
from games.engine.errors import InvariantViolation
from games.engine.hand_setting import HAND_CARDS
from games.engine.hands import ALL_HIGH, ALL_LOW
from games.engine.lookup import house_way_table
from games.engine.patterns import all_patterns
from games.engine.rulesets import HouseWayStep
from tests.engine.builders import AS_WRITTEN, golden, weight_of

EXACT = golden("exact_counts.json")
STEPS = AS_WRITTEN.house_way


def test_bp_1_1_all_patterns_with_their_weights() -> None:
    assert FULL_DECK.patterns.tolist() == sorted(all_patterns())
    assert FULL_DECK.weights.tolist() == [weight_of(p) for p in sorted(all_patterns())]
    assert len(FULL_DECK.patterns) == EXACT["rank_patterns"]
    assert FULL_DECK.weights.sum() == FULL_DECK.hands == EXACT["hands"] == comb(53, 7)
    assert FULL_DECK.deals == EXACT["deals"] == comb(53, 7) * comb(46, 7)


@pytest.mark.parametrize("size", range(1, HAND_CARDS + 1))
def test_patterns_of_any_size(size: int) -> None:
    found = patterns_of(FULL_DECK.copies, size)
    assert len(found) == len(set(map(tuple, found.tolist()))) == len(list(all_patterns(size)))
    assert (found.sum(axis=1) == size).all()


@pytest.mark.parametrize("deck", [FULL_DECK, Deck((3, 2, 0, 4, 1, 2, 0, 0, 3, 4, 2, 1, 4, 1))])
def test_halves_deal_what_the_whole_deals(deck: Deck) -> None:
    rng = np.random.default_rng(7)
    copies = np.array(deck.copies)
    for mine, other in rng.integers(0, len(deck.patterns), (300, 2)):
        ways = 1
        for left, taken in zip(copies - deck.counts[mine], deck.counts[other], strict=True):
            ways *= comb(int(left), int(taken))
        upper, lower = deck.upper, deck.lower
        found = int(upper.ways[upper.part_of[mine], upper.part_of[other]]) * int(
            lower.ways[lower.part_of[mine], lower.part_of[other]]
        )
        assert found == ways
        assert (upper.counts[upper.part_of[mine]] + lower.counts[lower.part_of[mine]]).tolist() == (
            deck.counts[mine].tolist()
        )


def test_bp_4_2_as_many_distinct_legal_settings_as_there_are() -> None:
    table = setting_table()
    assert len(table.codes) == EXACT["distinct_legal_settings"]
    assert len(table.starts) == len(FULL_DECK.patterns) + 1
    # Ascending within each pattern, each once.
    rises = np.diff(table.codes) > 0
    rises[table.starts[1:-1] - 1] = True
    assert rises.all()
    assert (table.lows == table.codes >> CODE_BITS).all()
    assert (table.highs == table.codes & HIGH_MASK).all()
    assert (np.bincount(table.pattern_of) == np.diff(table.starts)).all()


def test_bp_1_2_tables_of_two_and_three_cards_value_the_joker() -> None:
    lows, highs = value_tables()
    ace, king, joker = 12, 11, 13
    assert ALL_LOW[lows[joker, king]].label == "A-K"
    assert ALL_LOW[lows[ace, joker]].label == "A-A"
    assert ALL_HIGH[highs[king, joker, king]].label == "K-K-K"
    assert ALL_HIGH[highs[0, 1, joker]].label == "4-3-2"
    assert lows[joker, joker] == highs[joker, ace, joker] == -1
    assert (lows == lows.T).all()


ORDERS = [STEPS, *list(permutations(STEPS))[97::1009]]


@pytest.mark.parametrize("steps", ORDERS, ids=lambda steps: "".join(str(s.number) for s in steps))
def test_bp_5_house_way_by_arrays_is_the_engines(steps: tuple[HouseWayStep, ...]) -> None:
    order = replace(AS_WRITTEN, house_way=steps).house_way
    found = house_ways(FULL_DECK, order)
    way_of = house_way_table(order)
    for row, pattern in enumerate(FULL_DECK.patterns.tolist()):
        way = way_of(pattern)
        assert order[found.steps[row]] is way.step
        assert found.codes[row] == way.low.strength << CODE_BITS | way.high.strength


def test_bp_5_each_step_applies_as_often_as_counted() -> None:
    found = house_ways(FULL_DECK, STEPS)
    hands = [int(FULL_DECK.weights[found.steps == place].sum()) for place in range(len(STEPS))]
    assert hands == EXACT["house_way_steps"]


def test_step_that_is_missing_is_found_out() -> None:
    places = house_ways(FULL_DECK, STEPS[:-1]).steps
    assert int(FULL_DECK.weights[places == 6].sum()) == EXACT["house_way_steps"][-1]
    with pytest.raises(InvariantViolation, match="no step of the house way allows"):
        dealer_classes(FULL_DECK, STEPS[:-1])


def test_first_of_two_equal_steps_applies() -> None:
    twice = (STEPS[0], *STEPS)
    assert 1 not in house_ways(FULL_DECK, twice).steps
    assert (house_ways(FULL_DECK, twice).codes == house_ways(FULL_DECK, STEPS).codes).all()


def test_classes_set_what_their_patterns_set() -> None:
    ways, classes = house_ways(FULL_DECK, STEPS), dealer_classes(FULL_DECK, STEPS)
    codes = classes.low << CODE_BITS | classes.high
    assert (codes[classes.class_of] == ways.codes).all()
    assert (np.diff(codes * 2 + classes.can_break) > 0).all()
    # With the published house way who can set a Lucky Break does.
    assert (classes.is_break == classes.can_break).all()
    breaks = FULL_DECK.weights[classes.can_break[classes.class_of]].sum()
    assert breaks == EXACT["lucky_break_hands"]


def test_bp_4_4_who_can_break_has_a_break_bonus_line() -> None:
    """BP-7.2 read from the cards, against a look at all legal settings."""
    table = setting_table()
    breaks = LUCKY_BREAKS[table.lows, table.highs]
    assert (can_break(FULL_DECK) == np.logical_or.reduceat(breaks, table.starts[:-1])).all()


@pytest.mark.parametrize("deck", [FULL_DECK, Deck((3, 2, 0, 4, 1, 2, 0, 0, 3, 4, 2, 1, 4, 1))])
def test_sets_of_cards_hang_together(deck: Deck) -> None:
    sets = card_sets(deck)
    sizes = sets.counts.sum(axis=1)
    assert (np.diff(sets.starts) == np.bincount(sizes)).all()
    assert (sets.counts[sets.starts[HAND_CARDS] :] == deck.counts).all()
    for kind, copies in enumerate(deck.copies):
        has_above = sets.above[:, kind] >= 0
        assert (has_above == ((sets.counts[:, kind] < copies) & (sizes < HAND_CARDS))).all()
        more = sets.counts[sets.above[has_above, kind]] - sets.counts[has_above]
        assert (more == np.eye(len(deck.copies))[kind]).all()
    rows = np.arange(1, len(sizes))
    without_last = sets.counts[rows].copy()
    without_last[np.arange(len(rows)), sets.last[rows]] = 0
    assert (sets.counts[sets.below[rows]] == without_last).all()
    # The row before is filled in before it is asked for.
    assert (sets.below[rows] < rows).all()


def test_bp_7_2_hands_of_each_break_bonus_line() -> None:
    lines = break_bonus_lines(FULL_DECK)
    hands = {
        line.value: int(FULL_DECK.weights[lines == place].sum()) for place, line in enumerate(LINES)
    }
    assert hands == EXACT["break_bonus_hands"]
    # Four aces and the joker beside any two of the 48 other cards; the same for 12 other ranks.
    assert hands["five_aces"] == comb(48, 2)
    assert hands["five_of_a_kind"] == 12 * comb(48, 2)
