"""Filters for the figures of a report."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from django import template

from games.engine.outcomes import BreakBonusLine
from reporting.metrics import fixed
from tables.rounds.pages.settled import EVENT_WORDS, WAGER_WORDS

register = template.Library()

_WORDS: Final[Mapping[str, str]] = {**EVENT_WORDS, **WAGER_WORDS, BreakBonusLine.AKQ: "A-K-Q"}


@register.filter
def percent(ratio: Fraction | None) -> str:
    """A ratio in percent with two decimals; "n/a" when it is undefined.

    >>> percent(Fraction(-1, 4)), percent(None)
    ('-25.00 %', 'n/a')
    """
    return "n/a" if ratio is None else f"{fixed(ratio * 100, 2)} %"


@register.filter
def words(name: str) -> str:
    """A stored name as it is read: "copy_both", "break_bonus" or "gaming_day"."""
    return _WORDS.get(name) or name.replace("_", " ").capitalize()
