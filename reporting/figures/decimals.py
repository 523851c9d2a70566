"""Exact numbers as decimal text, rounded once."""

from fractions import Fraction


def fixed(value: Fraction, decimals: int) -> str:
    """A fraction as decimal text, rounded half to even.

    >>> fixed(Fraction(-1, 3), 4), fixed(Fraction(1, 8), 2), fixed(Fraction(0), 2)
    ('-0.3333', '0.12', '0.00')
    """
    return major_units(round(value * 10**decimals), decimals)


def major_units(amount_minor: int, digits: int) -> str:
    """Minor units as decimal text in the currency's unit, exactly.

    >>> major_units(-125000, 2), major_units(5, 2), major_units(300, 0)
    ('-1250.00', '0.05', '300')
    """
    sign = "-" if amount_minor < 0 else ""
    text = str(abs(amount_minor)).rjust(digits + 1, "0")
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"
