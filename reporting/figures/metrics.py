"""The figures of a report and what is derived from them. Pure: no clock, no database.

Money is whole minor units, seen from the house. A ratio is an exact fraction of two sums, so a
total is never an average of averages; it is rounded once, when it is written.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event
from games.engine.settlement import Compliance
from games.engine.wagers import Wager
from reporting.worth.split import Worth

ROUND: Final = "round"
HOLD_ON_HANDLE_DECIMALS: Final = 6

# In the engine's order. A returned bet is no decision and stands in no line.
LINES_OF_WAGER: Final[Mapping[Wager, tuple[str, ...]]] = MappingProxyType(
    {
        Wager.MAIN: tuple(event.value for event in Event if event is not Event.VOID),
        Wager.DEALER_BREAK_BONUS: tuple(line.value for line in DealerBreakBonusLine),
        Wager.BREAK_BONUS: tuple(line.value for line in BreakBonusLine),
    }
)


class GroupBy(StrEnum):
    """What a report has a row for."""

    TABLE = "table"
    DEALER = "dealer"
    SHIFT = "shift"
    GAMING_DAY = "gaming_day"
    HOUR = "hour"


@dataclass(frozen=True, slots=True)
class Tally:
    """A number of rounds or bets, how many were entered late, what was bet and what was won."""

    count: int = 0
    late_count: int = 0
    handle_minor: int = 0
    house_win_minor: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.count + other.count,
            self.late_count + other.late_count,
            self.handle_minor + other.handle_minor,
            self.house_win_minor + other.house_win_minor,
        )

    def __neg__(self) -> "Tally":
        return Tally(-self.count, -self.late_count, -self.handle_minor, -self.house_win_minor)

    @property
    def hold_on_handle(self) -> Fraction | None:
        """House win by handle; None when nothing was bet, or more was voided than bet."""
        return _ratio(self.house_win_minor, self.handle_minor)


_NOTHING: Final = Tally()


@dataclass(frozen=True, slots=True)
class LineTally:
    """The bets of one wager that were settled on one line."""

    line: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class WagerTally:
    """The bets of one wager, and the same by line: the engine's lines first, hit or not."""

    wager: Wager
    total: Tally
    worth: Worth
    lines: tuple[LineTally, ...]


_WORTHLESS: Final = Worth()


@dataclass(frozen=True, slots=True)
class Figures:
    """All that is counted of some rounds: tallies by subject and line, and worths by wager.

    The subject is `ROUND`, whose lines are the dealer's compliance, or a wager. Figures add up and
    subtract one by one.
    """

    tallies: Mapping[tuple[str, str], Tally] = field(default_factory=dict)
    worths: Mapping[str, Worth] = field(default_factory=dict)

    def __add__(self, other: "Figures") -> "Figures":
        sums = dict(self.tallies)
        for key, tally in other.tallies.items():
            sums[key] = sums.get(key, _NOTHING) + tally
        worths = dict(self.worths)
        for wager, worth in other.worths.items():
            worths[wager] = worths.get(wager, _WORTHLESS) + worth
        return Figures(sums, worths)

    def __sub__(self, other: "Figures") -> "Figures":
        return self + Figures(
            {key: -tally for key, tally in other.tallies.items()},
            {wager: -worth for wager, worth in other.worths.items()},
        )

    @property
    def rounds(self) -> int:
        """Rounds dealt, or voided."""
        return self._total_of(ROUND).count

    @property
    def late_rounds(self) -> int:
        """How many of the rounds were recorded after their gaming day had ended."""
        return self._total_of(ROUND).late_count

    @property
    def decisions(self) -> int:
        """Main bets settled: one seat in one round."""
        return self._total_of(Wager.MAIN).count

    @property
    def bets(self) -> Tally:
        """All bets of all wagers."""
        return _total(self._total_of(wager) for wager in Wager)

    @property
    def wagers(self) -> tuple[WagerTally, ...]:
        """The bets of each wager, in the engine's order."""
        return tuple(
            WagerTally(
                wager,
                self._total_of(wager),
                self.worths.get(wager, _WORTHLESS),
                self._lines_of(wager),
            )
            for wager in Wager
        )

    @property
    def worth(self) -> Worth:
        """What all bets of all wagers were worth."""
        return sum(self.worths.values(), start=_WORTHLESS)

    @property
    def matches(self) -> int:
        """Rounds in which the dealer set the house way."""
        return self._rounds_found(Compliance.MATCH)

    @property
    def deviations(self) -> int:
        """Rounds in which the dealer set something else."""
        return self._rounds_found(Compliance.DEVIATION)

    @property
    def not_recorded(self) -> int:
        """Rounds without a record of what the dealer set."""
        return self._rounds_found(Compliance.NOT_RECORDED)

    @property
    def compliance_rate(self) -> Fraction | None:
        """Matches by settings recorded; None when none was, or more was voided than played."""
        if min(self.matches, self.deviations) < 0:
            return None
        return _ratio(self.matches, self.matches + self.deviations)

    def _rounds_found(self, compliance: Compliance) -> int:
        return self.tallies.get((ROUND, compliance), _NOTHING).count

    def _lines_of(self, wager: Wager) -> tuple[LineTally, ...]:
        # A line that this release does not know follows: the lines add up to the wager.
        known = LINES_OF_WAGER[wager]
        found = {line for subject, line in self.tallies if subject == wager}
        return tuple(
            LineTally(line, self.tallies.get((wager, line), _NOTHING))
            for line in (*known, *sorted(found.difference(known)))
        )

    def _total_of(self, subject: str) -> Tally:
        return _total(tally for (of, _), tally in self.tallies.items() if of == subject)


@dataclass(frozen=True, slots=True)
class Postings:
    """What was played and, apart from it, what was voided; they add up side by side."""

    play: Figures = field(default_factory=Figures)
    voids: Figures = field(default_factory=Figures)

    def __add__(self, other: "Postings") -> "Postings":
        return Postings(self.play + other.play, self.voids + other.voids)

    @property
    def net(self) -> Figures:
        """Play less voids."""
        return self.play - self.voids


def _total(tallies: Iterable[Tally]) -> Tally:
    # Column by column: a report adds up some hundred thousand tallies.
    count = late_count = handle_minor = house_win_minor = 0
    for tally in tallies:
        count += tally.count
        late_count += tally.late_count
        handle_minor += tally.handle_minor
        house_win_minor += tally.house_win_minor
    return Tally(count, late_count, handle_minor, house_win_minor)


def _ratio(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole > 0 else None
