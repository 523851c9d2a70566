"""Values of settings and outcomes of seats, against brute force over physical cards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.analysis.decks import Deck
from games.analysis.seat_outcomes import seat_outcomes
from games.analysis.setting_table import code_of
from games.analysis.setting_values import PlayerKind, SettingValues, evaluate_settings
from games.engine.hands import ALL_HIGH, ALL_LOW, HighHand, parse_high, parse_low
from games.engine.pay_tables import Odds
from games.engine.reference import ReferenceSetting
from games.engine.rulesets import HouseWayStep, Ruleset
from tests.analysis.brute_force import (
    House,
    Ranks,
    can_break,
    cards_in,
    counts_of,
    dealer_hands,
    deck_of,
    hands_of,
    line_of,
    settings_of,
    values_of,
)
from tests.engine.builders import AS_WRITTEN

# The first has 17 cards and 2,333,760 deals. One deck is rich in trips, one in straights.
FOUR_RANKS = deck_of(rA=4, rK=4, rQ=4, r2=4)
SEVEN_RANKS = deck_of(rA=2, rK=2, rQ=2, rJ=2, r4=2, r3=2, r2=2)
NO_JOKER = deck_of(rA=3, rK=3, rQ=3, r3=3, r2=3, joker=False)
DECKS = {"four ranks": FOUR_RANKS, "seven ranks": SEVEN_RANKS, "no joker": NO_JOKER}

STEPS = AS_WRITTEN.house_way
# Orders in which a dealer who could break does not, and one with the steps turned round.
PAIRS_FIRST = tuple(STEPS[place] for place in (4, 0, 1, 2, 3, 5, 6))
TURNED_ROUND = tuple(reversed(STEPS))
RULESETS = {
    "as written": AS_WRITTEN,
    "no qualifier": replace(AS_WRITTEN, qualifier=None),
    "pair to qualify": replace(AS_WRITTEN, qualifier=parse_high("Q-Q-2")),
    "straight to qualify": replace(AS_WRITTEN, qualifier=parse_high("A-K-Q")),
    "pairs first": replace(AS_WRITTEN, house_way=PAIRS_FIRST),
    "turned round": replace(AS_WRITTEN, house_way=TURNED_ROUND, main=Odds(19, 20)),
}


def code_of_setting(setting: ReferenceSetting) -> int:
    return code_of(parse_low(setting.low.label).strength, parse_high(setting.high.label).strength)


def row_of(deck: Deck, ranks: Ranks) -> int:
    return int(np.flatnonzero((deck.counts == counts_of(ranks)).all(axis=1))[0])


def check_against_brute_force(deck: Deck, ruleset: Ruleset) -> None:
    """Every pattern: wins and losses of every setting, best play, and the outcomes of all deals."""
    house, cards = House(ruleset), cards_in(deck)
    values = evaluate_settings(ruleset, deck=deck)
    hands: dict[Ranks, list[frozenset[int]]] = {}
    for places, ranks in hands_of(cards):
        hands.setdefault(ranks, []).append(places)
    assert len(hands) == len(deck.patterns)
    outcomes: dict[PlayerKind, Counter[tuple[str, bool, str]]] = {k: Counter() for k in PlayerKind}
    for ranks, places_of in hands.items():
        row = row_of(deck, ranks)
        assert deck.weights[row] == len(places_of)
        # Hands of the same ranks differ in suits only, which never rank. BP-1.1
        dealers = dealer_hands(cards, places_of[0])
        check_pattern(values, row, house, ranks, dealers)
        for player in PlayerKind:
            code = values.codes(player)[row]
            for dealer, count in dealers.items():
                event = house.event(_setting_of(ranks, code), house.house_way(dealer))
                deals = count * len(places_of)
                outcomes[player][event, can_break(dealer), line_of(ranks)] += deals
    for player in PlayerKind:
        found = Counter[tuple[str, bool, str]]()
        for outcome in seat_outcomes(values, player):
            dealer_breaks = outcome.dealer_break_bonus != "none"
            found[outcome.event, dealer_breaks, outcome.break_bonus] += outcome.deals
        assert found == outcomes[player]
        assert found.total() == deck.deals


def _setting_of(ranks: Ranks, code: int) -> ReferenceSetting:
    return next(s for s in settings_of(ranks) if code_of_setting(s) == code)


def check_pattern(
    values: SettingValues, row: int, house: House, ranks: Ranks, dealers: Counter[Ranks]
) -> None:
    table = values.table
    own = slice(int(table.starts[row]), int(table.starts[row + 1]))
    expected = {
        code_of(parse_low(low.label).strength, parse_high(high.label).strength): found
        for (low, high), found in values_of(house, ranks, dealers).items()
    }
    assert table.codes[own].tolist() == sorted(expected)
    assert values.wins[own].tolist() == [expected[code][0] for code in sorted(expected)]
    assert values.losses[own].tolist() == [expected[code][1] for code in sorted(expected)]
    # Highest value; of equal ones the strongest low, then the strongest high: the greatest code.
    best = max(expected, key=lambda code: (expected[code][2], code))
    assert values.best_codes[row] == best
    assert values.house_codes[row] == code_of_setting(house.house_way(ranks))
    qualified = sum(n for d, n in dealers.items() if house.qualifies(house.house_way(d).high))
    assert values.qualified[row] == qualified
    assert values.breaks[row] == sum(n for d, n in dealers.items() if can_break(d))


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
def test_bp_6_every_deal_of_a_small_deck(ruleset: Ruleset) -> None:
    check_against_brute_force(FOUR_RANKS, ruleset)


@pytest.mark.parametrize(
    "deck",
    [
        pytest.param(SEVEN_RANKS, id="seven ranks", marks=pytest.mark.slow),
        pytest.param(NO_JOKER, id="no joker"),
    ],
)
@pytest.mark.parametrize("ruleset", ["as written", "pairs first"])
def test_bp_6_every_deal_of_other_small_decks(deck: Deck, ruleset: str) -> None:
    check_against_brute_force(deck, RULESETS[ruleset])


@st.composite
def rulesets(draw: st.DrawFn) -> Ruleset:
    order: Sequence[HouseWayStep] = draw(st.permutations(STEPS))
    qualifier: HighHand | None = draw(st.none() | st.sampled_from(ALL_HIGH))
    main = Odds(draw(st.integers(1, 40)), draw(st.integers(1, 40)))
    return replace(AS_WRITTEN, house_way=tuple(order), qualifier=qualifier, main=main)


@settings(max_examples=60)
@given(ruleset=rulesets(), deck=st.sampled_from(list(DECKS.values())))
def test_any_ruleset_counts_all_deals_and_best_play_is_best(ruleset: Ruleset, deck: Deck) -> None:
    values = evaluate_settings(ruleset, deck=deck)
    table = values.table
    assert (values.wins >= 0).all()
    assert (values.losses >= 0).all()
    # Nothing is won or lost to a dealer who does not qualify. BP-6.1
    assert (values.wins + values.losses <= values.qualified[table.pattern_of]).all()
    value = ruleset.main.pays * values.wins.astype(np.int64)
    value -= ruleset.main.per * values.losses.astype(np.int64)
    best = np.maximum.reduceat(value, table.starts[:-1])
    for player in PlayerKind:
        assert values.deals[list(PlayerKind).index(player)].sum() == deck.deals
        own = value[table.codes == values.codes(player)[table.pattern_of]]
        assert (own <= best).all()
        assert player is PlayerKind.HOUSE_WAY or (own == best).all()


@settings(max_examples=40)
@given(ruleset=rulesets(), strengths=st.tuples(st.integers(0, 454), st.integers(0, 454)))
def test_bp_6_1_a_stronger_qualifier_lets_fewer_dealers_qualify(
    ruleset: Ruleset, strengths: tuple[int, int]
) -> None:
    weak, strong = (
        evaluate_settings(replace(ruleset, qualifier=ALL_HIGH[strength]), deck=NO_JOKER)
        for strength in sorted(strengths)
    )
    assert (strong.qualified <= weak.qualified).all()
    assert (strong.wins <= weak.wins).all()
    assert (strong.losses <= weak.losses).all()


def test_codes_name_all_low_and_high_hands_apart() -> None:
    codes = {code_of(low.strength, high.strength) for low in ALL_LOW for high in ALL_HIGH}
    assert len(codes) == len(ALL_LOW) * len(ALL_HIGH)


def test_orders_of_steps_change_what_is_counted() -> None:
    found = {
        evaluate_settings(replace(AS_WRITTEN, house_way=order), deck=NO_JOKER).deals.tobytes()
        for order in list(permutations(STEPS))[:200:20]
    }
    assert len(found) > 1
