"""Filters for the figures of a report."""

from fractions import Fraction

from django import template

from reporting.metrics import fixed

register = template.Library()


@register.filter
def percent(ratio: Fraction | None) -> str:
    """A ratio in percent with two decimals; "n/a" when it is undefined.

    >>> percent(Fraction(-1, 4)), percent(None)
    ('-25.00 %', 'n/a')
    """
    return "n/a" if ratio is None else f"{fixed(ratio * 100, 2)} %"


@register.filter
def words(name: str) -> str:
    """A stored name as words: "dealer_break" is "Dealer break"."""
    return name.replace("_", " ").capitalize()
