"""Two seats at one dealer, against all deals of three hands of a small deck."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb

import pytest

from games.analysis.decks import Deck
from games.analysis.setting_table import code_of
from games.analysis.setting_values import PlayerKind, evaluate_settings
from games.analysis.two_seats import two_seats_product
from games.engine.hands import parse_high, parse_low
from games.engine.pay_tables import Odds
from games.engine.reference import ReferenceSetting
from games.engine.rulesets import Ruleset
from tests.analysis.brute_force import House, Ranks, counts_of, deck_of, settings_of
from tests.engine.builders import AS_WRITTEN

# 21 cards: two hands leave exactly the third, so all deals are the pairs of two hands.
DECK = deck_of(rA=4, rK=4, r4=4, r3=4, r2=4)
UNEVEN = deck_of(rA=4, rK=2, rQ=3, r4=4, r3=3, r2=4)

RULESETS = {
    "as written": AS_WRITTEN,
    "odds on": replace(AS_WRITTEN, main=Odds(19, 20), qualifier=parse_high("A-2-3")),
    "pairs first": replace(
        AS_WRITTEN,
        house_way=tuple(AS_WRITTEN.house_way[place] for place in (4, 0, 1, 2, 3, 5, 6)),
        qualifier=None,
    ),
}


def hands_with_ways(copies: tuple[int, ...]) -> dict[Ranks, int]:
    """All hands of seven that some copies of each kind can deal, and in how many ways."""
    ranks = (*range(2, 15), 0)
    found: dict[tuple[int, ...], int] = {(): 1}
    for rank, of_kind in zip(ranks, copies, strict=True):
        grown = Counter[tuple[int, ...]]()
        for held, ways in found.items():
            for taken in range(min(of_kind, 7 - len(held)) + 1):
                grown[(*held, *(rank,) * taken)] += ways * comb(of_kind, taken)
        found = dict(grown)
    return {tuple(sorted(hand)): ways for hand, ways in found.items() if len(hand) == 7}


@pytest.mark.slow
@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=list(RULESETS))
@pytest.mark.parametrize("deck", [DECK, UNEVEN], ids=["five ranks", "six ranks"])
def test_mean_product_of_two_seats_over_all_deals(deck: Deck, ruleset: Ruleset) -> None:
    assert sum(deck.copies) == 21
    house = House(ruleset)
    values = evaluate_settings(ruleset, deck=deck)
    hands = {counts_of(hand): hand for hand in hands_with_ways(deck.copies)}
    rows = {tuple(counts): row for row, counts in enumerate(deck.counts.tolist())}
    setting = setting_maker(house, hands)
    sums = dict.fromkeys(PlayerKind, Fraction(0))
    deals = 0
    for dealer, dealer_ways in hands_with_ways(deck.copies).items():
        way = house.house_way(dealer)
        left = minus(deck.copies, counts_of(dealer))
        firsts = hands_with_ways(left)
        deals += dealer_ways * sum(firsts.values())
        for player in PlayerKind:
            codes = values.codes(player)
            nets = {
                counts: house.net(house.event(setting(counts, int(codes[rows[counts]])), way))
                for counts in map(counts_of, firsts)
            }
            # What the first hand leaves is the second hand.
            product = sum(
                ways * nets[counts_of(hand)] * nets[minus(left, counts_of(hand))]
                for hand, ways in firsts.items()
            )
            sums[player] += dealer_ways * product
    assert deals == deck.deals
    for player in PlayerKind:
        assert two_seats_product(ruleset, values, player) == sums[player] / deals


def setting_maker(
    house: House, hands: dict[tuple[int, ...], Ranks]
) -> Callable[[tuple[int, ...], int], ReferenceSetting]:
    @cache
    def setting(counts: tuple[int, ...], code: int) -> ReferenceSetting:
        return next(
            s
            for s in settings_of(hands[counts])
            if code_of(parse_low(s.low.label).strength, parse_high(s.high.label).strength) == code
        )

    return setting


def minus(copies: tuple[int, ...], counts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a - b for a, b in zip(copies, counts, strict=True))


def test_brute_force_deals_as_many_hands_as_there_are() -> None:
    assert sum(hands_with_ways(DECK.copies).values()) == DECK.hands
