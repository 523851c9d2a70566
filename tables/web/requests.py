"""The user behind a request that the role check has let through."""

from typing import cast

from rest_framework.request import Request

from tables.property.models import User


def user_of(request: Request) -> User:
    """The signed-in user; `config.api_permissions` has refused everyone else."""
    return cast("User", request.user)
