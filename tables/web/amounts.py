"""Money as a person types it: major units of the property's currency, with its own digits."""

import re

from games.engine.errors import shown
from games.engine.wagers import STAKE_MINOR_MAX
from tables.errors import FieldError
from tables.property.models import Property
from tables.web.formats import money


def read_amount(text: str, *, place: str, casino: Property) -> int:
    """Minor units of an amount such as "100" or "12.50". Raises FieldError.

    Plain ASCII digits with a point: a comma, a sign, an exponent or another alphabet's digits could
    each be read in two ways, so none of them is read at all.
    """
    digits = casino.minor_digits
    fraction = rf"(?:\.([0-9]{{1,{digits}}}))?" if digits else "()"
    match = re.fullmatch(rf"(0|[1-9][0-9]*){fraction}", text.strip(" "), re.ASCII)
    if match is None:
        example = f"100 or 12.{'50'.ljust(digits, '0')[:digits]}" if digits else "100"
        message = f"expected an amount such as {example}, got {shown(text)}"
        raise FieldError(message, place=place)
    whole, part = match[1], match[2] or ""
    # Longer than any stake; int() of a text without end would take its time.
    is_short = len(whole) <= len(str(STAKE_MINOR_MAX))
    amount_minor = int(whole + part.ljust(digits, "0")) if is_short else STAKE_MINOR_MAX + 1
    if amount_minor > STAKE_MINOR_MAX:
        most = money(STAKE_MINOR_MAX, casino)
        raise FieldError(f"expected at most {most}, got {shown(text)}", place=place)
    if not amount_minor:
        raise FieldError(f"expected an amount above zero, got {shown(text)}", place=place)
    return amount_minor
