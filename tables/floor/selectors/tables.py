"""Reading the floor: the tables a user may see, whether they are open, and who deals now."""

from django.db.models import Prefetch, QuerySet

from tables.errors import NotFoundError
from tables.floor.models import Dealer, DealerAssignment, Pit, Table, TableSession
from tables.permissions import property_id_of, scope
from tables.property.models import User


def list_tables(*, user: User) -> QuerySet[Table]:
    """The tables a user may see by code, with the open session and assignment of each.

    They are prefetched as the lists `open_sessions` and `open_assignments`, of one or none.
    """
    return (
        Table.objects.filter(scope(user))
        .select_related("pit", "property")
        .prefetch_related(
            Prefetch(
                "sessions", TableSession.objects.filter(closed_at=None), to_attr="open_sessions"
            ),
            Prefetch(
                "assignments",
                DealerAssignment.objects.filter(ends_at=None).select_related("dealer"),
                to_attr="open_assignments",
            ),
        )
        .order_by("code", "pk")
    )


def list_pits(*, user: User) -> QuerySet[Pit]:
    """The pits of the user's property, by code."""
    return Pit.objects.filter(property_id=property_id_of(user)).order_by("code")


def get_table_for(*, user: User, code: str) -> Table:
    """One table of the user's property by code. Raises NotFoundError."""
    table = list_tables(user=user).filter(code=code).first()
    if table is None:
        raise NotFoundError(f"expected a table of your property, got {code!r}", place="table")
    return table


def list_dealers(*, user: User) -> QuerySet[Dealer]:
    """The dealers of the user's property, by badge."""
    return Dealer.objects.filter(property_id=property_id_of(user)).order_by("badge", "pk")
