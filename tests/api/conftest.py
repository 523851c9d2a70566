"""Clients of the REST API, signed in by token as a program would be."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.models import AuditEntry, Bet, DirtyBucket, Round, RoundVoid, SeatHand, Table, User
from tests.builders import NOON, Floor

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


class Clock:
    """The server's clock in tests: stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON + dt.timedelta(minutes=1)

    def __call__(self) -> dt.datetime:
        return self.now


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A minute past noon in Los Angeles on 29 November 2026."""
    standing = Clock()
    monkeypatch.setattr("django.utils.timezone.now", standing)
    return standing


@pytest.fixture
def stored() -> Callable[[], dict[str, Any]]:
    """Everything an entry may write, counted; equal before and after a refusal."""

    def count() -> dict[str, Any]:
        models = (Round, SeatHand, Bet, RoundVoid, DirtyBucket, AuditEntry)
        rows: dict[str, Any] = {model.__name__: model.objects.count() for model in models}
        rows["sequences"] = list(Table.objects.order_by("pk").values_list("last_sequence"))
        return rows

    return count
