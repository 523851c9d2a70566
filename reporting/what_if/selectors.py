"""Reading what-ifs; each reader sees those of their own property only."""

from django.db.models import QuerySet

from reporting.what_if.models import WhatIf
from tables.errors import NotFoundError
from tables.models import User
from tables.permissions import property_id_of


def list_what_ifs(*, user: User) -> QuerySet[WhatIf]:
    """The what-ifs of the user's property, the latest asked first."""
    return (
        WhatIf.objects.select_related("property", "asked_by")
        .filter(property_id=property_id_of(user))
        .order_by("-pk")
    )


def get_what_if_for(*, user: User, what_if_id: str) -> WhatIf:
    """The what-if of the user's property with this id. Raises NotFoundError."""
    found = list_what_ifs(user=user).filter(what_if_id=what_if_id).first()
    if found is None:
        raise NotFoundError(f"expected a what-if of your property, got {what_if_id!r}")
    return found
