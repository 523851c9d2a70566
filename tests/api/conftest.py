"""Clients of the REST API, signed in by token as a program would be."""

from collections.abc import Callable

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.models import User
from tests.builders import Clock, Floor

ClientFor = Callable[[User], APIClient]


@pytest.fixture
def client_for() -> ClientFor:
    """A client of a user."""

    def build(user: User) -> APIClient:
        token, _ = Token.objects.get_or_create(user=user)
        client = APIClient(raise_request_exception=False)
        client.credentials(HTTP_AUTHORIZATION=f"Token {token.key}")
        return client

    return build


@pytest.fixture
def api(floor: Floor, client_for: ClientFor) -> APIClient:
    """The clerk's client."""
    return client_for(floor.clerk)


@pytest.fixture
def admin(floor: Floor, client_for: ClientFor) -> APIClient:
    """The administrator's client."""
    return client_for(floor.administrator)


@pytest.fixture(autouse=True)
def _clock_stands(clock: Clock) -> None:
    """Every test here has the clock that stands."""
