"""Which rounds an audit of gaming days reads."""

import datetime as dt

from django.db.models import QuerySet

from tables.errors import ConflictError, NotFoundError
from tables.models import Property, Round


def list_rounds_to_audit(
    *, first_day: dt.date, last_day: dt.date, property_code: str | None
) -> QuerySet[Round]:
    """The rounds of gaming days, both included, as they were entered; voided ones too."""
    rounds = Round.objects.filter(gaming_day__gte=first_day, gaming_day__lte=last_day)
    if property_code is not None:
        rounds = rounds.filter(table__property__code=property_code)
    return rounds.order_by("pk")


def get_rounds_to_audit(
    *, first_day: dt.date, last_day: dt.date, property_code: str | None
) -> QuerySet[Round]:
    """The same, for a person at the server, who may see every property.

    Raises NotFoundError for a code that no property has, and ConflictError when the rounds were
    played in several currencies, which cannot be added up.
    """
    if property_code is not None and not Property.objects.filter(code=property_code).exists():
        raise NotFoundError(f"expected the code of a property, got {property_code!r}")
    rounds = list_rounds_to_audit(
        first_day=first_day, last_day=last_day, property_code=property_code
    )
    currencies = list_currencies(rounds)
    if len(currencies) > 1:
        names = ", ".join(currencies)
        raise ConflictError(f"expected one currency, got {names}: name a --property")
    return rounds


def list_currencies(rounds: QuerySet[Round]) -> list[str]:
    """The currencies in which some rounds were played."""
    found = rounds.order_by().values_list("table__property__currency", flat=True).distinct()
    return sorted(found)
