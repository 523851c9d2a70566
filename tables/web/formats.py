"""The one way to write money, and the one to write local time."""

import datetime as dt
from decimal import Decimal

from babel.numbers import format_currency

from tables.property.models import Property

LOCALE = "en_US"


def money(amount_minor: int, casino: Property) -> str:
    """Minor units as money of the property's currency, such as `-$1,234.50`."""
    pattern = f"¤#,##0{'.' if casino.minor_digits else ''}{'0' * casino.minor_digits}"
    amount = _major(amount_minor, casino)
    return format_currency(amount, casino.currency, pattern, LOCALE, currency_digits=False)


def minor_as_major(amount_minor: int, casino: Property) -> str:
    """Minor units as a person types them into a form: `1234.50`, without sign of the currency."""
    return f"{_major(amount_minor, casino):f}"


def localtime(at: dt.datetime, casino: Property) -> str:
    """An instant on the property's clock: `2026-11-29 21:14:05 PST (UTC-08:00)`.

    The offset is always there: when clocks go back an hour comes twice. Raises ValueError for a
    naive datetime.
    """
    if at.tzinfo is None:
        raise ValueError(f"expected an aware datetime, got {at!r}")
    local = at.astimezone(casino.tzinfo)
    offset = "UTC" + local.isoformat(timespec="seconds").removeprefix(f"{local:%Y-%m-%dT%H:%M:%S}")
    name = local.tzname() or ""
    # Zones without an abbreviation of their own are named by their offset already.
    zone = f"{name} ({offset})" if name.isalpha() and name != "UTC" else offset
    return f"{local:%Y-%m-%d %H:%M:%S} {zone}"


def _major(amount_minor: int, casino: Property) -> Decimal:
    return Decimal(amount_minor).scaleb(-casino.minor_digits)
