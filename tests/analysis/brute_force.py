"""A small deck dealt out card by card in plain Python, by the slow evaluator of the rule text.

Nothing here is shared with `games.analysis`: hands are sorted tuples of ranks, and every deal of
physical cards is looked at.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from games.analysis.decks import JOKER_KIND, KINDS, Deck
from games.engine.reference import (
    JOKER,
    Kind,
    ReferenceSetting,
    Value,
    break_bonus_by_the_text,
    high_value,
    is_lucky_break_possible,
    legal_settings,
)
from games.engine.rulesets import Ruleset

Ranks = tuple[int, ...]


def deck_of(*, joker: bool = True, **copies: int) -> Deck:
    """A deck with so many cards of some ranks: `deck_of(rA=4, rK=2)`."""
    ranks = "23456789TJQKA"
    return Deck((*(copies.get(f"r{rank}", 0) for rank in ranks), int(joker)))


def cards_in(deck: Deck) -> list[int]:
    """The ranks of all physical cards of a deck."""
    ranks = [*range(2, 2 + KINDS - 1), JOKER]
    return [ranks[kind] for kind in range(KINDS) for _ in range(deck.copies[kind])]


def counts_of(ranks: Ranks) -> tuple[int, ...]:
    """A hand as the arrays have it: how many cards of each kind."""
    counts = [0] * KINDS
    for rank in ranks:
        counts[JOKER_KIND if rank == JOKER else rank - 2] += 1
    return tuple(counts)


@cache
def settings_of(ranks: Ranks) -> tuple[ReferenceSetting, ...]:
    """Legal settings of seven ranks, one for each pair of values."""
    by_value = {(s.low, s.high): s for s in legal_settings(ranks)}
    return tuple(by_value.values())


def is_break(setting: ReferenceSetting) -> bool:
    return setting.low.kind is Kind.PAIR and setting.high.kind in (Kind.TRIPS, Kind.STRAIGHT)


class House:
    """The rules that count, for plain comparison. What was once found is remembered."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.house_way = cache(self._house_way)
        self.event = cache(self._event)

    def _house_way(self, ranks: Ranks) -> ReferenceSetting:
        """First step that some setting satisfies, strongest low, then strongest high. BP-5."""
        for step in self.ruleset.house_way:
            allowed = [
                s
                for s in settings_of(ranks)
                if s.low.kind.name == step.low_class.name
                and s.high.kind.name == step.high_class.name
            ]
            if allowed:
                return max(allowed, key=lambda s: (s.low, s.high))
        raise AssertionError(ranks)

    def qualifies(self, high: Value) -> bool:
        least = self.ruleset.qualifier
        return least is None or high >= _value_of(least.label)

    def _event(self, player: ReferenceSetting, dealer: ReferenceSetting) -> str:
        """BP-6, in its order."""
        if not self.qualifies(dealer.high):
            return "dealer_not_qualified"
        if is_break(dealer) and not is_break(player):
            return "dealer_break"
        if is_break(player) and not is_break(dealer):
            return "player_break"
        low = (player.low > dealer.low) - (player.low < dealer.low)
        high = (player.high > dealer.high) - (player.high < dealer.high)
        words = {1: "win", 0: "copy", -1: "lose"}
        if low == high:
            return f"{words[low]}_both"
        return f"{words[low]}_low_{words[high]}_high"

    def net(self, event: str) -> Fraction:
        if event in ("player_break", "win_both"):
            return self.ruleset.main.net
        lost = ("dealer_break", "copy_both", "copy_low_lose_high", "lose_low_copy_high")
        return Fraction(-1 if event in (*lost, "lose_both") else 0)


def _value_of(label: str) -> Value:
    return high_value(tuple("23456789TJQKA".index(symbol) + 2 for symbol in label.split("-")))


def hands_of(cards: Sequence[int]) -> Iterator[tuple[frozenset[int], Ranks]]:
    """Every hand of seven physical cards: the places of the cards, and their sorted ranks."""
    for places in combinations(range(len(cards)), 7):
        yield frozenset(places), tuple(sorted(cards[place] for place in places))


def dealer_hands(cards: Sequence[int], gone: frozenset[int]) -> Counter[Ranks]:
    """How many dealer hands of each ranks are left when the cards at some places are gone."""
    left = sorted(rank for place, rank in enumerate(cards) if place not in gone)
    return Counter(combinations(left, 7))


def values_of(
    house: House, ranks: Ranks, dealers: Counter[Ranks]
) -> dict[tuple[Value, Value], Any]:
    """By low and high value of each setting: wins, losses and the exact expected value."""
    found = {}
    ways = Counter[ReferenceSetting]()
    for dealer, count in dealers.items():
        ways[house.house_way(dealer)] += count
    for setting in settings_of(ranks):
        wins = losses = 0
        for way, count in ways.items():
            net = house.net(house.event(setting, way))
            wins += count * (net > 0)
            losses += count * (net < 0)
        value = (wins * house.ruleset.main.net - losses) / dealers.total()
        found[setting.low, setting.high] = (wins, losses, value)
    return found


@cache
def can_break(ranks: Ranks) -> bool:
    return is_lucky_break_possible(list(settings_of(ranks)))


@cache
def line_of(ranks: Ranks) -> str:
    return break_bonus_by_the_text(list(settings_of(ranks)))
