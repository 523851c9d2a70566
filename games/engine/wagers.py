"""The three wagers, their limits, and the caps on side-bet wins. BP-7, BP-8.2, BP-8.3."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

STAKE_MINOR_MAX: Final = 10_000_000_000
"""No table takes more than this in one bet, in minor units: above it is a slip of the keyboard."""


class Wager(StrEnum):
    """The bets of a seat, in the order in which they are listed everywhere."""

    MAIN = "main"
    DEALER_BREAK_BONUS = "dealer_break_bonus"
    BREAK_BONUS = "break_bonus"


class LimitBreach(StrEnum):
    """How an accepted bet stands outside the limits. BP-8.2."""

    BELOW_MINIMUM = "below_minimum"
    ABOVE_MAXIMUM = "above_maximum"


@dataclass(frozen=True, slots=True)
class WagerLimits:
    """The least and the most that a table takes on a wager, in minor units; None is no limit."""

    minimum_minor: int | None = None
    maximum_minor: int | None = None

    def breach_of(self, amount_minor: int) -> LimitBreach | None:
        """Return how an amount breaks these limits, or None.

        >>> WagerLimits(500, 10_000).breach_of(499)
        <LimitBreach.BELOW_MINIMUM: 'below_minimum'>
        """
        if self.minimum_minor is not None and amount_minor < self.minimum_minor:
            return LimitBreach.BELOW_MINIMUM
        if self.maximum_minor is not None and amount_minor > self.maximum_minor:
            return LimitBreach.ABOVE_MAXIMUM
        return None


@dataclass(frozen=True, slots=True)
class SideBetCaps:
    """The most that side bets may win in one round, in minor units; None is no cap. BP-8.3."""

    per_player_minor: int | None = None
    per_table_minor: int | None = None

    @property
    def are_set(self) -> bool:
        """Whether there is any cap."""
        return self.per_player_minor is not None or self.per_table_minor is not None


NO_CAPS: Final = SideBetCaps()


class SideBetWin(NamedTuple):
    """One winning side bet before any cap."""

    seat: int
    wager: Wager
    net_minor: int


_WAGER_ORDER: Final[Mapping[Wager, int]] = {wager: place for place, wager in enumerate(Wager)}


def share_by_largest_remainder(total_minor: int, claims: Sequence[int]) -> tuple[int, ...]:
    """Share an amount in proportion to claims, to the minor unit; the shares sum to it exactly.

    Each claim gets its proportion rounded down; the units left over go to the largest remainders,
    one each, and among equal remainders to the earlier claim. Claims are positive, their sum at
    least ``total_minor``, so no share exceeds its claim.

    >>> share_by_largest_remainder(100, [1, 1, 1, 297])
    (1, 0, 0, 99)
    """
    claimed = sum(claims)
    shares = [total_minor * claim // claimed for claim in claims]
    remainders = [total_minor * claim % claimed for claim in claims]
    by_remainder = sorted(range(len(claims)), key=lambda place: -remainders[place])
    for place in by_remainder[: total_minor - sum(shares)]:
        shares[place] += 1
    return tuple(shares)


def _capped(wins: Sequence[SideBetWin], cap_minor: int | None) -> list[SideBetWin]:
    claims = [win.net_minor for win in wins]
    if cap_minor is None or sum(claims) <= cap_minor:
        return list(wins)
    shares = share_by_largest_remainder(cap_minor, claims)
    return [SideBetWin(w.seat, w.wager, share) for w, share in zip(wins, shares, strict=True)]


def apply_caps(wins: Sequence[SideBetWin], caps: SideBetCaps) -> tuple[SideBetWin, ...]:
    """Return the wins of a round as the caps leave them, by seat and then by wager. BP-8.3.

    First each player's wins together are brought under the cap per player, then the wins of the
    whole table under the cap per table, each time in proportion by largest remainder. Ties go to
    the lower seat, then to the earlier wager.

    >>> wins = [SideBetWin(2, Wager.BREAK_BONUS, 500), SideBetWin(1, Wager.BREAK_BONUS, 500)]
    >>> [win.net_minor for win in apply_caps(wins, SideBetCaps(per_table_minor=301))]
    [151, 150]
    """
    ordered = sorted(wins, key=lambda win: (win.seat, _WAGER_ORDER[win.wager]))
    after_player: list[SideBetWin] = []
    for seat in sorted({win.seat for win in ordered}):
        own = [win for win in ordered if win.seat == seat]
        after_player += _capped(own, caps.per_player_minor)
    return tuple(_capped(after_player, caps.per_table_minor))
