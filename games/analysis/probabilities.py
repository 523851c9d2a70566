"""The exact odds of a ruleset: events, edges, deviations, and how wagers move together. BP-9."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import Final, TypeAlias

from games.analysis.rule_texts import qualifier_words
from games.analysis.seat_outcomes import SeatOutcome, seat_outcomes
from games.analysis.setting_counts import EVENTS
from games.analysis.setting_values import PlayerKind, Progress, unheeded
from games.analysis.value_store import setting_values, two_seats_mean
from games.engine.errors import JSON
from games.engine.outcomes import (
    MAIN_OUTCOMES,
    BreakBonusLine,
    DealerBreakBonusLine,
    Event,
    Outcome,
)
from games.engine.pay_tables import exact
from games.engine.rulesets import Ruleset
from games.engine.wagers import Wager

_LOSS: Final = Fraction(-1)

Line: TypeAlias = Event | DealerBreakBonusLine | BreakBonusLine
LINES_OF: Final[Mapping[Wager, tuple[Line, ...]]] = MappingProxyType(
    {
        Wager.MAIN: EVENTS,
        Wager.DEALER_BREAK_BONUS: tuple(DealerBreakBonusLine),
        Wager.BREAK_BONUS: tuple(BreakBonusLine),
    }
)
"""What each wager can be settled on, whether or not some deal comes to it. BP-6, BP-7."""


@dataclass(frozen=True, slots=True)
class LineOdds:
    """One line of a wager: in how many deals, and what a stake of one nets the player then."""

    line: Line
    deals: int
    net: Fraction


@dataclass(frozen=True, slots=True)
class WagerOdds:
    """The odds of one wager, for a stake of one, seen by the player. The lines are all deals."""

    wager: Wager
    lines: tuple[LineOdds, ...]
    total_deals: int

    @property
    def expected_value(self) -> Fraction:
        """What the player wins on the average; negative when the house has the edge."""
        return self._mean(lambda net: net)

    @property
    def house_edge(self) -> Fraction:
        """What the house wins on the average, by the stake."""
        return -self.expected_value

    @property
    def variance(self) -> Fraction:
        """The mean of the squares less the square of the mean."""
        return self._mean(lambda net: net * net) - self.expected_value**2

    @property
    def standard_deviation(self) -> float:
        """The square root of the variance."""
        return math.sqrt(self.variance)

    @property
    def win_rate(self) -> Fraction:
        """In which part of the deals the player wins: the hit rate of a side bet."""
        return self._rate(lambda net: net > 0)

    @property
    def push_rate(self) -> Fraction:
        """In which part of the deals nothing is won or lost."""
        return self._rate(lambda net: net == 0)

    @property
    def lose_rate(self) -> Fraction:
        """In which part of the deals the player loses."""
        return self._rate(lambda net: net < 0)

    def _mean(self, of: Callable[[Fraction], Fraction]) -> Fraction:
        total = sum((line.deals * of(line.net) for line in self.lines), start=Fraction(0))
        return total / self.total_deals

    def _rate(self, has: Callable[[Fraction], bool]) -> Fraction:
        return Fraction(sum(line.deals for line in self.lines if has(line.net)), self.total_deals)


@dataclass(frozen=True, slots=True)
class WagerPair:
    """Two wagers of one seat, by how much they move together, for a stake of one each."""

    first: Wager
    second: Wager
    covariance: Fraction


@dataclass(frozen=True, slots=True)
class RulesetOdds:
    """Everything exact about a ruleset and a kind of player. The ruleset need not be a named one.

    ``deals`` is by event, all twelve of them; ``pairs`` are the three pairs of wagers of a seat.
    """

    ruleset: Ruleset
    player: PlayerKind
    total_deals: int
    deals: Mapping[Event, int]
    wagers: Mapping[Wager, WagerOdds]
    pairs: tuple[WagerPair, ...]

    @property
    def main(self) -> WagerOdds:
        """The odds of the main bet."""
        return self.wagers[Wager.MAIN]


def odds_of(
    ruleset: Ruleset,
    player: PlayerKind,
    *,
    folder: Path | None = None,
    progress: Progress = unheeded,
) -> RulesetOdds:
    """Return the exact odds of a ruleset, from full enumeration with card removal.

    The first question about a qualifier, a house way and main odds takes some seconds; what it
    found is kept in ``folder``, if one is given. Side bets with any odds are answered at once.
    """
    values = setting_values(ruleset, folder=folder, progress=progress)
    return summarise_outcomes(ruleset, player, seat_outcomes(values, player))


def two_seats_covariance(
    odds: RulesetOdds, *, folder: Path | None = None, progress: Progress = unheeded
) -> Fraction:
    """Return the covariance of the main bets of two seats that face the same dealer hand, exactly.

    For a stake of one each; both players play as the one whose odds these are. Takes some seconds
    more the first time.
    """
    mean = two_seats_mean(odds.ruleset, odds.player, folder=folder, progress=progress)
    return mean - odds.main.expected_value**2


def summarise_outcomes(
    ruleset: Ruleset, player: PlayerKind, outcomes: Sequence[SeatOutcome]
) -> RulesetOdds:
    """Return the odds that the counted outcomes of a seat come to under a ruleset's pay tables."""
    total = sum(outcome.deals for outcome in outcomes)
    nets = {wager: {line: net_of(ruleset, line) for line in LINES_OF[wager]} for wager in Wager}
    deals: dict[Wager, Counter[Line]] = {wager: Counter() for wager in Wager}
    products = dict.fromkeys(combinations(Wager, 2), Fraction(0))
    for outcome in outcomes:
        lines = dict(zip(Wager, lines_of(outcome), strict=True))
        for wager, line in lines.items():
            deals[wager][line] += outcome.deals
        for first, second in products:
            product = nets[first][lines[first]] * nets[second][lines[second]]
            products[first, second] += outcome.deals * product
    wagers = {
        wager: WagerOdds(
            wager,
            tuple(LineOdds(line, deals[wager][line], net) for line, net in nets[wager].items()),
            total,
        )
        for wager in Wager
    }
    means = {wager: of.expected_value for wager, of in wagers.items()}
    return RulesetOdds(
        ruleset=ruleset,
        player=player,
        total_deals=total,
        deals={event: deals[Wager.MAIN][event] for event in EVENTS},
        wagers=wagers,
        pairs=tuple(
            WagerPair(first, second, product / total - means[first] * means[second])
            for (first, second), product in products.items()
        ),
    )


def lines_of(outcome: SeatOutcome) -> tuple[Line, ...]:
    """Return what each wager was settled on, in the order of ``Wager``."""
    return outcome.event, outcome.dealer_break_bonus, outcome.break_bonus


def net_of(ruleset: Ruleset, line: Line) -> Fraction:
    """Return what a stake of one nets the player on a line, without rounding. BP-6, BP-7."""
    if isinstance(line, Event):
        outcome = MAIN_OUTCOMES[line]
        if outcome is Outcome.WIN:
            return ruleset.main.net
        return _LOSS if outcome is Outcome.LOSE else Fraction(0)
    if isinstance(line, BreakBonusLine):
        odds = ruleset.break_bonus.lines.get(line)
    else:
        odds = ruleset.dealer_break_bonus.lines.get(line)
    return odds.net if odds else _LOSS


def odds_as_dict(odds: RulesetOdds) -> dict[str, JSON]:
    """Return the odds as JSON: exact values as ``"num/den"``, roots and edges as floats too."""
    main = odds.main
    return {
        "ruleset": odds.ruleset.id,
        "qualifier": qualifier_words(odds.ruleset.qualifier),
        "player": odds.player.value,
        "total_deals": odds.total_deals,
        "deals": {event.value: count for event, count in odds.deals.items()},
        "expected_value": exact(main.expected_value),
        "house_edge": float(main.house_edge),
        "standard_deviation": main.standard_deviation,
        "wagers": {wager.value: _wager_as_dict(of) for wager, of in odds.wagers.items()},
        "covariances": [
            {
                "wagers": [pair.first.value, pair.second.value],
                "covariance": exact(pair.covariance),
                "value": float(pair.covariance),
            }
            for pair in odds.pairs
        ],
    }


def _wager_as_dict(of: WagerOdds) -> dict[str, JSON]:
    return {
        "expected_value": exact(of.expected_value),
        "house_edge": float(of.house_edge),
        "variance": exact(of.variance),
        "standard_deviation": of.standard_deviation,
        "win_rate": exact(of.win_rate),
        "push_rate": exact(of.push_rate),
        "lose_rate": exact(of.lose_rate),
        "lines": [
            {"line": line.line, "deals": line.deals, "net": exact(line.net)} for line in of.lines
        ],
    }
