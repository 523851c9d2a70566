"""Figures and stored names as a person reads them."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from games.engine.outcomes import BreakBonusLine
from reporting.figures.decimals import fixed
from tables.rounds.pages.settled import EVENT_WORDS, WAGER_WORDS

_WORDS: Final[Mapping[str, str]] = {**EVENT_WORDS, **WAGER_WORDS, BreakBonusLine.AKQ: "A-K-Q"}


def percent(ratio: Fraction | None) -> str:
    """A ratio in percent with two decimals; "n/a" when it is undefined.

    >>> percent(Fraction(-1, 4)), percent(None)
    ('-25.00 %', 'n/a')
    """
    return "n/a" if ratio is None else f"{fixed(ratio * 100, 2)} %"


def words(name: str) -> str:
    """A stored name as it is read: "copy_both", "break_bonus" or "gaming_day"."""
    return _WORDS.get(name) or name.replace("_", " ").capitalize()
