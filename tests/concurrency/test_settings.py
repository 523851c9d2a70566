"""Two people change one setting at once: one is told, none is lost (F05)."""

import functools
from collections.abc import Callable
from typing import Any

import pytest

from tables.errors import SettingConflictError, SettingInUseError, SettingTakenError
from tables.floor.services import settings
from tables.models import AuditEntry, Property, Role, Table, TableSession
from tables.permissions import Command
from tables.property.services.settings import change_property
from tables.property.services.setup import add_property
from tables.recording import RECORDED, Recorded
from tests.builders import NOON, Floor, build_user
from tests.concurrency.conftest import Race

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


def _changes(floor: Floor, limits: list[int]) -> list[Callable[[], Any]]:
    return [
        functools.partial(
            settings.change_table.send,
            actor=floor.administrator,
            data={
                "id": f"c{limit}",
                "expected": {"main_minor_max": 1_000_000},
                "changes": {"main_minor_max": limit},
            },
            at=NOON,
            code="BP-01",
        )
        for limit in limits
    ]


def test_case_f05_of_eight_changes_of_one_limit_at_once_one_is_made(
    committed_floor: Floor, race: Race
) -> None:
    results = race(_changes(committed_floor, [1000 + number for number in range(8)]))

    made = [result for result in results if isinstance(result, Recorded)]
    refused = [result for result in results if isinstance(result, SettingConflictError)]
    assert (len(made), len(refused)) == (1, 7)
    limit = made[0].record.main_minor_max
    assert Table.objects.get(code="BP-01").main_minor_max == limit
    assert all(error.detail["current"] == {"main_minor_max": limit} for error in refused)
    entry = AuditEntry.objects.get(command="table_change")
    assert entry.detail["new"] == {"main_minor_max": limit}


def test_without_the_lock_a_change_is_lost(
    committed_floor: Floor, race: Race, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The negative control: it shows that the race above can fail.
    monkeypatch.setattr(
        settings,
        "lock_table",
        lambda *, user, code: Table.objects.get(code=code),  # noqa: ARG005
    )

    results = race(_changes(committed_floor, [1000 + number for number in range(8)]))

    assert sum(isinstance(result, Recorded) for result in results) > 1


def test_one_name_at_once_is_given_once(committed_floor: Floor, race: Race) -> None:
    calls = [
        functools.partial(
            RECORDED[Command.PIT_ADD].send,
            actor=committed_floor.administrator,
            data={"id": f"p{number}", "code": "PIT-2"},
            at=NOON,
        )
        for number in range(8)
    ]

    results = race(calls)

    assert sum(isinstance(result, Recorded) for result in results) == 1
    assert sum(isinstance(result, SettingTakenError) for result in results) == 7


def test_a_currency_changed_while_the_first_table_opens_is_one_or_the_other(
    committed_floor: Floor, race: Race
) -> None:
    for attempt in range(5):
        casino = add_property(code=f"N{attempt}", name="New", zone="UTC", currency="USD", at=NOON)
        pit = casino.pits.create(code="P")
        limits = committed_floor.tables[0]
        Table.objects.create(
            property=casino,
            pit=pit,
            code="T",
            main_minor_min=limits.main_minor_min,
            main_minor_max=limits.main_minor_max,
            side_bet_minor_min=limits.side_bet_minor_min,
            side_bet_minor_max=limits.side_bet_minor_max,
        )
        administrator = build_user(casino, Role.ADMINISTRATOR)
        supervisor = build_user(casino, Role.FLOOR_SUPERVISOR)
        data = {"id": "c", "expected": {"currency": "USD"}, "changes": {"currency": "EUR"}}
        changed, opened = race(
            [
                functools.partial(change_property.send, actor=administrator, data=data, at=NOON),
                functools.partial(
                    RECORDED[Command.TABLE_OPEN].send,
                    actor=supervisor,
                    data={},
                    at=NOON,
                    table="T",
                ),
            ]
        )

        assert isinstance(opened, Recorded)
        assert TableSession.objects.filter(table__property=casino).count() == 1
        is_changed = Property.objects.get(pk=casino.pk).currency == "EUR"
        assert isinstance(changed, Recorded if is_changed else SettingInUseError)
