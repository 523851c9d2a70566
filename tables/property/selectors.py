"""Reading a property: when its days begin, its staff, and who may authorise an irregularity."""

import datetime as dt

from django.db.models import Q, QuerySet

from tables.errors import AuthorityError
from tables.gaming_day import DayStarts, gaming_day_of
from tables.permissions import AUTHORITY_ROLES, membership_of, property_id_of
from tables.property.models import GamingDayStart, Membership, Property, User


def get_authority_for(*, user: User, username: str, table_code: str) -> User:
    """The person named as authority at a table, of the user's own property (BP-8.4).

    Raises AuthorityError.
    """
    of_table = Q(pits=None) | Q(pits__tables__code=table_code)
    found = _authorities(user).filter(of_table, user__username=username).first()
    if found is None:
        raise AuthorityError(
            f"expected the user name of a floor supervisor or manager, got {username!r}",
            place="authority",
        )
    return found.as_actor()


def list_authorities(*, user: User) -> list[User]:
    """Everyone who may authorise an irregularity where the user works, by user name."""
    return [member.as_actor() for member in _authorities(user).order_by("user__username")]


def _authorities(user: User) -> QuerySet[Membership]:
    own = membership_of(user)
    found = Membership.objects.select_related("user").filter(
        property_id=own.property_id,
        is_active=True,
        user__is_active=True,
        role__in=AUTHORITY_ROLES,
    )
    if own.pit_ids:
        found = found.filter(Q(pits=None) | Q(pits__in=own.pit_ids))
    return found.distinct()


def day_starts_of(casino: Property) -> DayStarts:
    """When the gaming days of a property begin, for any date."""
    later = GamingDayStart.objects.filter(property=casino).order_by("from_date", "pk")
    dated = tuple(later.values_list("from_date", "starts_at"))
    return DayStarts(casino.gaming_day_start, dated)


def get_day_start_at(*, casino: Property, at: dt.datetime) -> dt.time:
    """The local time at which the gaming day that holds an instant began."""
    starts = day_starts_of(casino)
    return starts.on(gaming_day_of(at, zone=casino.tzinfo, starts=starts))


def list_own_property(*, user: User) -> QuerySet[Property]:
    """The property that the user acts at, as it is set up."""
    return Property.objects.filter(pk=property_id_of(user))


def list_members(*, user: User) -> QuerySet[Membership]:
    """Everyone who works or worked at the user's property, by user name."""
    members = Membership.objects.filter(property_id=property_id_of(user)).select_related("user")
    return members.prefetch_related("pits").order_by("user__username")
