"""The exact odds of a ruleset: events, edges, deviations, and how wagers move together. BP-9."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Final

from games.analysis.seat_outcomes import SeatOutcome, seat_outcomes
from games.analysis.setting_values import EVENTS, PlayerKind, Progress, unheeded
from games.analysis.value_store import setting_values, two_seats_mean
from games.analysis.variants import qualifier_words
from games.engine.errors import JSON
from games.engine.odds import exact
from games.engine.outcomes import (
    MAIN_OUTCOMES,
    BreakBonusLine,
    DealerBreakBonusLine,
    Event,
    Outcome,
)
from games.engine.rulesets import Ruleset
from games.engine.wagers import Wager

_LOSS: Final = Fraction(-1)


@dataclass(frozen=True, slots=True)
class LineOdds:
    """One line of a wager: in how many deals, and what a stake of one nets the player then."""

    line: str
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
    lines: dict[Wager, dict[str, LineOdds]] = {wager: {} for wager in Wager}
    products = dict.fromkeys(combinations(Wager, 2), Fraction(0))
    for outcome in outcomes:
        nets = nets_of(ruleset, outcome)
        for wager, line in zip(Wager, lines_of(outcome), strict=True):
            known = lines[wager].get(line)
            deals = outcome.deals + (known.deals if known else 0)
            lines[wager][line] = LineOdds(line, deals, nets[wager])
        for pair in products:
            products[pair] += outcome.deals * nets[pair[0]] * nets[pair[1]]
    wagers = {wager: WagerOdds(wager, _in_order(wager, lines[wager]), total) for wager in Wager}
    means = {wager: of.expected_value for wager, of in wagers.items()}
    main_lines = lines[Wager.MAIN]
    return RulesetOdds(
        ruleset=ruleset,
        player=player,
        total_deals=total,
        deals={event: main_lines[event].deals if event in main_lines else 0 for event in EVENTS},
        wagers=wagers,
        pairs=tuple(
            WagerPair(first, second, product / total - means[first] * means[second])
            for (first, second), product in products.items()
        ),
    )


def lines_of(outcome: SeatOutcome) -> tuple[str, str, str]:
    """Return what each wager was settled on, in the order of ``Wager``."""
    return outcome.event, outcome.dealer_break_bonus, outcome.break_bonus


def nets_of(ruleset: Ruleset, outcome: SeatOutcome) -> Mapping[Wager, Fraction]:
    """Return what a stake of one on each wager nets the player, without rounding. BP-6, BP-7."""
    result = MAIN_OUTCOMES[outcome.event]
    main = Fraction(0)
    if result is Outcome.WIN:
        main = ruleset.main.net
    elif result is Outcome.LOSE:
        main = _LOSS
    dealer_odds = ruleset.dealer_break_bonus.lines.get(outcome.dealer_break_bonus)
    odds = ruleset.break_bonus.lines.get(outcome.break_bonus)
    return {
        Wager.MAIN: main,
        Wager.DEALER_BREAK_BONUS: dealer_odds.net if dealer_odds else _LOSS,
        Wager.BREAK_BONUS: odds.net if odds else _LOSS,
    }


_ORDERS: Final[Mapping[Wager, tuple[str, ...]]] = {
    Wager.MAIN: EVENTS,
    Wager.DEALER_BREAK_BONUS: tuple(DealerBreakBonusLine),
    Wager.BREAK_BONUS: tuple(BreakBonusLine),
}


def _in_order(wager: Wager, lines: Mapping[str, LineOdds]) -> tuple[LineOdds, ...]:
    return tuple(lines[line] for line in _ORDERS[wager] if line in lines)


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
