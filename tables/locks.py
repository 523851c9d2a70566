"""Every lock, taken in this order: property, table, dealer, dealer assignment; user, membership.

A table's row is the lock of all that happens at the table: numbering of rounds, opening and
closing, who deals. Locks are FOR NO KEY UPDATE: they exclude each other, and not the foreign keys
of rows that others write meanwhile.
"""

from typing import Any, TypeVar

from django.db import connection
from django.db.models import Model, Q, QuerySet

from tables.errors import NotFoundError
from tables.floor.models import Dealer, DealerAssignment, Table
from tables.permissions import membership_of, property_id_of, property_of, scope
from tables.property.models import Property, User

Row = TypeVar("Row", bound=Model)


def lock_table(*, user: User, code: str) -> Table:
    """Lock a table of the user's property until the end of the transaction.

    Raises NotFoundError when there is none of that code that this user may see.
    """
    casino = property_of(user)
    try:
        table = Table.objects.select_for_update(no_key=True).get(scope(user), code=code)
    except Table.DoesNotExist as error:
        raise _no_table(code) from error
    # The user came with the property: no join, and one object for both.
    table.property = casino
    return table


def lock_property(*, user: User) -> Property:
    """Lock the user's property, so that one change of what it is set up with happens at a time."""
    return Property.objects.select_for_update(no_key=True).get(pk=property_id_of(user))


def lock_tables(*, casino: Property) -> list[Table]:
    """Lock every table of a property, in the order of their keys: none opens meanwhile."""
    tables = Table.objects.select_for_update(no_key=True).filter(property=casino)
    return list(tables.order_by("pk"))


def lock_record(records: QuerySet[Row], *, words: str, place: str) -> Row:
    """Lock the one record there is of some; `words` say what was expected, `place` where.

    Raises NotFoundError when there is none.
    """
    found = records.select_for_update(of=("self",), no_key=True).first()
    if found is None:
        raise NotFoundError(f"expected {words}", place=place)
    return found


def take_next_sequence(*, user: User, code: str) -> Table:
    """Lock a table of the user's property and count its rounds on by one, in one statement.

    The number is the table's `last_sequence`; it is given back when the transaction is rolled
    back. Raises NotFoundError like `lock_table`.
    """
    casino, pits = property_of(user), sorted(membership_of(user).pit_ids)
    of_pits = f"AND pit_id IN ({', '.join('%s' for _ in pits)}) " if pits else ""
    columns = ", ".join(str(field.column) for field in Table._meta.concrete_fields)
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE tables_table SET last_sequence = last_sequence + 1 "  # noqa: S608  (own names)
            f"WHERE property_id = %s AND code = %s {of_pits}RETURNING {columns}",
            [casino.pk, code, *pits],
        )
        row = cursor.fetchone()
    if row is None:
        raise _no_table(code)
    table = Table.from_db(
        connection.alias, [field.attname for field in Table._meta.concrete_fields], row
    )
    table.property = casino
    return table


def _no_table(code: str) -> NotFoundError:
    return NotFoundError(f"expected a table of your property, got {code!r}", place="table")


def lock_dealer(*, user: User, badge: Any) -> Dealer:
    """Lock an active dealer of the user's property, so that one table at a time gets them."""
    dealer = (
        Dealer.objects.select_for_update(of=("self",), no_key=True)
        .filter(property_id=property_id_of(user), badge=badge, is_active=True)
        .first()
    )
    if dealer is None:
        raise NotFoundError(
            f"expected the badge of an active dealer, got {badge!r}", place="dealer"
        )
    return dealer


def lock_assignments(*, table: Table, dealer: Dealer | None) -> list[DealerAssignment]:
    """Lock the open assignments of a table and of a dealer, in the order of their keys."""
    concerned = Q(table=table) if dealer is None else Q(table=table) | Q(dealer=dealer)
    return list(
        DealerAssignment.objects.select_for_update(of=("self",), no_key=True)
        .select_related("table", "dealer")
        .filter(concerned, ends_at=None)
        .order_by("pk")
    )
