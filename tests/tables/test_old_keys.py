"""What was recorded before commands had keys is still known when it is sent again."""

import importlib
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tables.append_only import allow_changes, refuse_changes
from tables.models import CommandKey, CommandResend, Round
from tables.permissions import Command
from tables.recording import RECORDED
from tests.builders import NOON, Floor, golden_rounds, record, round_body

Stored = Callable[[], dict[str, Any]]


def _forget_keys() -> None:
    """The records as the release before had them: without keys."""
    with connection.schema_editor() as editor:
        for model in (CommandResend, CommandKey):
            allow_changes(editor, model)
            model.objects.all().delete()
            refuse_changes(editor, model)


def _take_ids() -> None:
    migration = importlib.import_module("tables.migrations.0010_keys_of_old_records")
    migration.take_ids(apps, None)


@pytest.mark.django_db(transaction=True)
def test_records_of_the_release_before_are_repeated_not_doubled(
    request: pytest.FixtureRequest, stored: Stored
) -> None:
    history: Floor = request.getfixturevalue("history")
    bodies = [round_body(number) for number in range(1, len(golden_rounds()), 7)]
    for body in bodies:
        record(history, body)
    before = stored()
    kept = {key.client_id: (key.command, key.request, key.result) for key in _old_keys()}
    _forget_keys()

    _take_ids()
    _take_ids()

    found = {key.client_id: (key.command, key.request, key.result) for key in _old_keys()}
    assert found == kept
    for body in bodies:
        recorded = RECORDED[Command.ROUND_RECORD].send(actor=history.clerk, data=body, at=NOON)
        assert (recorded.is_replay, recorded.record.round_id) == (True, body["id"])
    assert Round.objects.count() == len(bodies) + 1
    assert stored() == before


def _old_keys() -> Any:
    return CommandKey.objects.filter(command__in=["round_record", "round_void", "misdeal_record"])
