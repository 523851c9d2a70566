"""Reading rounds, voids and misdeals; each reader sees those of their own tables only."""

import datetime as dt
from dataclasses import dataclass
from typing import cast

from django.db.models import QuerySet

from tables.errors import NotFoundError
from tables.permissions import Command, property_id_of, scope
from tables.property.models import User
from tables.recording import find_key
from tables.rounds.models import Misdeal, Round


@dataclass(frozen=True, slots=True)
class RoundFilter:
    """What a list of rounds may be narrowed to; None means all."""

    round_id: str | None = None
    table: str | None = None
    dealer: str | None = None
    gaming_day: dt.date | None = None
    shift: str | None = None
    compliance: str | None = None
    is_voided: bool | None = None
    occurred_from: dt.datetime | None = None
    occurred_until: dt.datetime | None = None


def list_rounds(*, user: User, narrowed_to: RoundFilter) -> QuerySet[Round]:
    """The rounds a user may see, the latest recorded first."""
    lookups = {
        "table__code": narrowed_to.table,
        "dealer__badge": narrowed_to.dealer,
        "gaming_day": narrowed_to.gaming_day,
        "shift__name": narrowed_to.shift,
        "compliance": narrowed_to.compliance,
        "occurred_at__gte": narrowed_to.occurred_from,
        "occurred_at__lt": narrowed_to.occurred_until,
    }
    rounds = _with_names().filter(
        scope(user, "table"),
        **{name: value for name, value in lookups.items() if value is not None},
    )
    if narrowed_to.round_id is not None:
        # The ids are indexed where they are taken.
        key = find_key(property_id=property_id_of(user), client_id=narrowed_to.round_id)
        if key is None or key.command != Command.ROUND_RECORD:
            return rounds.none()
        rounds = rounds.filter(pk=cast("int", key.result))
    if narrowed_to.is_voided is not None:
        rounds = rounds.filter(void__isnull=not narrowed_to.is_voided)
    return rounds.order_by("-pk")


def get_round_for(*, user: User, table_code: str, sequence: int) -> Round:
    """One round by its number at its table. Raises NotFoundError."""
    played = (
        _with_names()
        .filter(scope(user, "table"), table__code=table_code, sequence=sequence)
        .first()
    )
    if played is None:
        raise NotFoundError(f"expected a round of table {table_code}, got {sequence}")
    return played


def get_round(key: int) -> Round:
    """A round by its own key, for those who have found the key themselves."""
    return _with_names().get(pk=key)


def list_misdeals(*, user: User) -> QuerySet[Misdeal]:
    """The misdeals a user may see, the latest recorded first."""
    return (
        Misdeal.objects.select_related("table", "authority", "shift", "dealer", "recorded_by")
        .filter(scope(user, "table"))
        .order_by("-pk")
    )


def _with_names() -> QuerySet[Round]:
    return Round.objects.select_related(
        "table__property", "dealer", "shift", "entered_by", "void__authority", "void__voided_by"
    )
