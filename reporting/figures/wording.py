"""Figures as a person reads them."""

from fractions import Fraction

from reporting.figures.decimals import fixed


def percent(ratio: Fraction | None) -> str:
    """A ratio in percent with two decimals; "n/a" when it is undefined.

    >>> percent(Fraction(-1, 4)), percent(None)
    ('-25.00 %', 'n/a')
    """
    return "n/a" if ratio is None else f"{fixed(ratio * 100, 2)} %"
