"""Minor digits of currencies, by ISO 4217 (list one of 2024).

Not asked of the locale data: that tells how many digits people use, and changed for HUF, IDR, COP
and RSD with a release of the library. A property keeps the digits it was set up with.
"""

from typing import Final

DIGITS_USUAL: Final = 2
DIGITS_OF_OTHERS: Final = {
    **dict.fromkeys(
        (
            *("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"),
            *("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"),
        ),
        0,
    ),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
    **dict.fromkeys(("CLF", "UYW"), 4),
}


def minor_digits_of(currency: str) -> int:
    """How many digits of a currency are minor units: 2 for USD, 0 for JPY, 3 for KWD.

    >>> [minor_digits_of(code) for code in ("USD", "JPY", "KWD", "HUF", "IDR", "COP", "RSD")]
    [2, 0, 3, 2, 2, 2, 2]
    """
    return DIGITS_OF_OTHERS.get(currency, DIGITS_USUAL)
