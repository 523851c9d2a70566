"""Signed-in clients of the pages, and rounds as a clerk types them."""

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client

from tables.models import User
from tests.builders import Clock, Floor, golden_rounds

SignedIn = Callable[[User], Client]
Typed = dict[str, str]
# Noon and a minute in Los Angeles, as the field for a local time holds it.
NOW_TYPED = "2026-11-29T12:01:00"


@pytest.fixture
def signed_in() -> SignedIn:
    """A client of a user; a fault of ours is an answer, as it would be to a browser."""

    def build(user: User) -> Client:
        client = Client(raise_request_exception=False)
        client.force_login(user)
        return client

    return build


@pytest.fixture
def page(floor: Floor, signed_in: SignedIn) -> Client:
    """The clerk's client."""
    return signed_in(floor.clerk)


@pytest.fixture(autouse=True)
def _clock_stands(clock: Clock) -> None:
    """Every test here has the clock that stands."""


def typed_round(
    number: int = 0,
    *,
    round_id: str = "typed-1",
    seats: Mapping[int, int] | None = None,
    **changes: str,
) -> Typed:
    """Golden round `number` in the fields of the form; `seats` moves seats to other rows."""
    golden = golden_rounds()[number]
    fields = {"id": round_id, "occurred_at": NOW_TYPED}
    fields |= {f"dealer_{hand}": text for hand, text in golden["dealer"].items()}
    for seat in golden["seats"]:
        row = (seats or {}).get(seat["seat"], seat["seat"])
        fields |= {f"seat_{row}_{hand}": seat[hand] for hand in ("cards", "low", "high")}
        fields |= {f"seat_{row}_{wager}": typed(minor) for wager, minor in seat["bets"].items()}
    return fields | changes


def typed(amount_minor: int) -> str:
    """Dollars and cents as a person types them."""
    return f"{amount_minor // 100}.{amount_minor % 100:02d}"


def record(client: Client, fields: Typed, *, table: str = "BP-01") -> Any:
    """Press "Record round"."""
    return client.post(f"/tables/{table}/entry/", {**fields, "action": "record"})


def preview(client: Client, fields: Typed, *, table: str = "BP-01") -> Any:
    """Press "Preview"."""
    return client.post(f"/tables/{table}/entry/", {**fields, "action": "preview"})


def text_of(answer: Any) -> str:
    """What a person reads of a page, on one line."""
    plain = re.sub(r"<[^>]+>", " ", answer.content.decode())
    return html.unescape(re.sub(r"\s+", " ", plain))


def faults_of(answer: Any) -> dict[str, list[str]]:
    """What an answered form says beside each field."""
    return {bound.html_name: list(bound.errors) for bound in answer.context["form"].faulty}
