"""Reading the staff: who may authorise an irregularity."""

from django.db.models import Q, QuerySet

from tables.errors import AuthorityError
from tables.permissions import AUTHORITY_ROLES, membership_of
from tables.property.models import Membership, User


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
