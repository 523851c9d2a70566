"""Recording rounds over REST: the golden rounds, replays, conflicts, lists."""

import datetime as dt
from typing import Any

import pytest
from rest_framework.test import APIClient

from tables.models import AuditEntry, Bet, DirtyBucket, Round, SeatHand
from tests.builders import NOON, golden_rounds, round_body

ROUNDS = "/api/v1/rounds/"


@pytest.fixture(autouse=True)
def _at_noon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOON + dt.timedelta(minutes=1))


def _holds(expected: Any, got: Any, place: str = "") -> None:
    """Assert that `got` holds every key and value that `expected` shows."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            assert key in got, f"{place}.{key} is missing"
            _holds(value, got[key], f"{place}.{key}")
    elif isinstance(expected, list):
        assert len(expected) == len(got), place
        for index, value in enumerate(expected):
            _holds(value, got[index], f"{place}[{index}]")
    else:
        assert got == expected, f"{place}: expected {expected!r}, got {got!r}"


def test_every_golden_round_is_recorded_as_expected(api: APIClient) -> None:
    for number, golden in enumerate(golden_rounds()):
        answer = api.post(ROUNDS, round_body(number, round_id=golden["id"]), format="json")

        assert answer.status_code == 201, answer.json()
        body = answer.json()
        assert body["id"] == golden["id"]
        assert body["sequence"] == number + 1
        assert body["ruleset"] == "break-poker/rules-as-written@1"
        assert body["gaming_day"] == "2026-11-29"
        assert body["replayed"] is False
        _holds(golden["expect"], body["settlement"], golden["id"])

    assert Round.objects.count() == 200
    assert SeatHand.objects.count() == sum(len(golden["seats"]) for golden in golden_rounds())
    assert Bet.objects.count() == sum(
        len(seat["bets"]) for golden in golden_rounds() for seat in golden["seats"]
    )
    assert AuditEntry.objects.filter(command="round_record").count() == 200
    assert DirtyBucket.objects.count() == 200
