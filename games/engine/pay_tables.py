"""Odds with a stored unit, and pay tables."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import Final, Generic, TypeVar

from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine


class OddsUnit(StrEnum):
    """Whether a pay-table number leaves out the stake (to one) or includes it (for one)."""

    TO_ONE = "to_one"
    FOR_ONE = "for_one"


def floor_to_minor(numerator: int, denominator: int) -> int:
    """Divide an amount and drop the part of a minor unit: the house rounds in its own favour.

    >>> floor_to_minor(75, 2)
    37
    """
    return numerator // denominator


def exact(value: Fraction) -> str:
    """Return a fraction without rounding, as ``"num/den"``, with the denominator even when it is 1.

    >>> exact(Fraction(-3)), exact(Fraction(2, 6))
    ('-3/1', '1/3')
    """
    return f"{value.numerator}/{value.denominator}"


_TO_ONE: Final = OddsUnit.TO_ONE


@dataclass(frozen=True, slots=True)
class Odds:
    """``pays`` for every ``per`` staked, in a stated unit: ``Odds(3, 2)`` is "3 to 2"."""

    pays: int
    per: int = 1
    unit: OddsUnit = OddsUnit.TO_ONE

    @property
    def net(self) -> Fraction:
        """What a winning stake of one wins, without the stake itself and without rounding.

        >>> Odds(19, 20).net, Odds(5, unit=OddsUnit.FOR_ONE).net
        (Fraction(19, 20), Fraction(4, 1))
        """
        return Fraction(self.pays, self.per) - (self.unit is OddsUnit.FOR_ONE)

    def net_minor(self, amount_minor: int) -> int:
        """Return what a winning stake wins, in minor units and without the stake itself.

        >>> Odds(5).net_minor(1000), Odds(5, unit=OddsUnit.FOR_ONE).net_minor(1000)
        (5000, 4000)
        """
        paid_minor = amount_minor * self.pays
        if self.per != 1:
            paid_minor = floor_to_minor(paid_minor, self.per)
        return paid_minor if self.unit is _TO_ONE else paid_minor - amount_minor

    def __str__(self) -> str:
        """Say it as the felt does: ``4 to 1``, ``5 for 1``."""
        return f"{self.pays} {'to' if self.unit is OddsUnit.TO_ONE else 'for'} {self.per}"


EVEN_MONEY: Final = Odds(1)

LineT = TypeVar("LineT", BreakBonusLine, DealerBreakBonusLine)


@dataclass(frozen=True, slots=True, eq=False)
class PayTable(Generic[LineT]):
    """The odds of each line that pays; any other line loses the stake."""

    lines: Mapping[LineT, Odds]

    def __post_init__(self) -> None:
        """Keep an own copy that nobody can change."""
        object.__setattr__(self, "lines", MappingProxyType(dict(self.lines)))
