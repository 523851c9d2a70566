"""Reading the staff: who may authorise an irregularity."""

from django.db.models import QuerySet

from tables.errors import AuthorityError
from tables.permissions import AUTHORITY_ROLES, property_id_of
from tables.property.models import User


def get_authority_for(*, user: User, username: str) -> User:
    """The person named as authority, of the user's own property. Raises AuthorityError (BP-8.4)."""
    authority = list_authorities(user=user).filter(username=username).first()
    if authority is None:
        raise AuthorityError(
            f"expected the user name of a floor supervisor or manager, got {username!r}",
            place="authority",
        )
    return authority


def list_authorities(*, user: User) -> QuerySet[User]:
    """Everyone at the user's property who may authorise an irregularity, by user name."""
    return User.objects.filter(
        property_id=property_id_of(user), is_active=True, role__in=AUTHORITY_ROLES
    ).order_by("username")
