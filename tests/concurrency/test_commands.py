"""The same id many times at once: one suite for every recorded command, told what to send.

Whatever is raced, one is recorded, the same content is answered as a replay and other content is a
conflict; never a fault of ours. The negative control takes the ids away and sees that it matters.
"""

import functools
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import models
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from reporting.what_if import services as _what_if  # noqa: F401  (a command of its own)
from tables import recording
from tables.models import AuditEntry, CommandKey, CommandResend, Dealer, Role, RoundVoid, Table
from tables.permissions import COMMANDS_OF_ROLE, Command
from tables.recording import RECORDED
from tables.shapes import Answer
from tests.builders import NOON, Floor, build_user, record, round_body
from tests.concurrency.conftest import Race

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

AT_ONCE = 8


@dataclass(frozen=True)
class Sent:
    """What a client sends for a command: the body without its id, and the rest of the address."""

    body: dict[str, Any] = field(default_factory=dict)
    address: dict[str, Any] = field(default_factory=dict)


def _nothing(floor: Floor) -> None:
    """The floor will do as it is."""


def _more_people(floor: Floor) -> None:
    """Two users of no property, and a dealer who deals nowhere."""
    for username in ("c", "d"):
        build_user(None, Role.CLERK, username)
    Dealer.objects.create(property=floor.casino, badge="D104", name="Dealer D104")


@dataclass(frozen=True)
class Case:
    """A command, and the same with other content: elsewhere where it has a place."""

    one: Sent
    other: Sent
    prepare: Callable[[Floor], None] = _nothing


def _round(number: int, table: str) -> Sent:
    body = round_body(number, table=table)
    return Sent({key: value for key, value in body.items() if key != "id"})


def _two_rounds(floor: Floor) -> None:
    for table in ("BP-01", "BP-02"):
        record(floor, round_body(3, table=table))


def _close(floor: Floor) -> None:
    for table in ("BP-01", "BP-02"):
        RECORDED[Command.TABLE_CLOSE].send(actor=floor.supervisor, data={}, at=NOON, table=table)


_GROUNDS = {"reason": "r", "authority": "la-manager"}
_VOID = {**_GROUNDS, "reason_code": "other"}
_NOTE = {"text": "the player left the table", "reason": "asked by surveillance"}
_MISDEAL = {
    **_GROUNDS,
    "occurred_at": NOON.isoformat(),
    "kind": "wrong_card_count",
    "seats_in_play": 1,
}


def _change(expected: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    return {"expected": expected, "changes": changes}


_BOTH = ("BP-01", "BP-02")
_LEFT = _change({"is_active": True}, {"is_active": False})
_LOCKED_OUT = _change({"may_sign_in": True}, {"may_sign_in": False})
_PASSWORD = {"password": "four red aces in a row"}
_DEALER = {"name": "Eva Novak"}
_MEMBER = {"role": "clerk"}
_PERSON = {**_MEMBER, **_PASSWORD}
_TABLE = {
    "pit": "PIT-1",
    "main_minor_min": 500,
    "main_minor_max": 1_000_000,
    "side_bet_minor_min": 100,
    "side_bet_minor_max": 100_000,
}
CASES = {
    Command.ROUND_RECORD: Case(_round(3, "BP-01"), _round(3, "BP-02")),
    Command.ROUND_VOID: Case(
        Sent(_VOID, {"table": "BP-01", "sequence": 1}),
        Sent(_VOID, {"table": "BP-02", "sequence": 1}),
        _two_rounds,
    ),
    Command.ROUND_NOTE: Case(
        Sent(_NOTE, {"table": "BP-01", "sequence": 1}),
        Sent(_NOTE, {"table": "BP-02", "sequence": 1}),
        _two_rounds,
    ),
    Command.MISDEAL_RECORD: Case(
        Sent({**_MISDEAL, "table": "BP-01"}), Sent({**_MISDEAL, "table": "BP-02"})
    ),
    Command.TABLE_CLOSE: Case(Sent({}, {"table": "BP-01"}), Sent({}, {"table": "BP-02"})),
    Command.TABLE_OPEN: Case(Sent({}, {"table": "BP-01"}), Sent({}, {"table": "BP-02"}), _close),
    Command.DEALER_ASSIGN: Case(
        Sent({"table": "BP-01", "dealer": "D103"}), Sent({"table": "BP-02", "dealer": "D103"})
    ),
    **{
        command: Case(Sent(one), Sent(other), _more_people)
        for command, one, other in (
            (Command.PIT_ADD, {"code": "PIT-8"}, {"code": "PIT-9"}),
            (Command.TABLE_ADD, {**_TABLE, "code": "BP-08"}, {**_TABLE, "code": "BP-09"}),
            (Command.DEALER_ADD, {**_DEALER, "badge": "D108"}, {**_DEALER, "badge": "D109"}),
            (Command.USER_ADD, {**_PERSON, "username": "anna"}, {**_PERSON, "username": "bert"}),
            (Command.MEMBERSHIP_ADD, {**_MEMBER, "username": "c"}, {**_MEMBER, "username": "d"}),
            (
                Command.PROPERTY_CHANGE,
                _change({"name": "Casino LA"}, {"name": "One"}),
                _change({"name": "Casino LA"}, {"name": "Other"}),
            ),
            (
                Command.DAY_START_CHANGE,
                {"from_date": "2027-01-01", "starts_at": "05:00", "expected": "06:00"},
                {"from_date": "2027-01-01", "starts_at": "04:00", "expected": "06:00"},
            ),
        )
    },
    **{
        command: Case(Sent(sent, {key: one}), Sent(sent, {key: other}), _more_people)
        for command, sent, key, one, other in (
            (Command.TABLE_CHANGE, _change({"seat_count": 6}, {"seat_count": 5}), "code", *_BOTH),
            (Command.DEALER_CHANGE, _LEFT, "badge", "D103", "D104"),
            (Command.USER_CHANGE, _LOCKED_OUT, "username", "la-clerk", "la-manager"),
            (Command.MEMBERSHIP_CHANGE, _LEFT, "username", "la-clerk", "la-manager"),
            (Command.PASSWORD_SET, _PASSWORD, "username", "la-clerk", "la-manager"),
        )
    },
    Command.WHAT_IF: Case(Sent({"changes": {}}), Sent({"changes": {"main": "2 to 1"}})),
}
BY_COMMAND = pytest.mark.parametrize("command", sorted(CASES))


def test_every_recorded_command_is_raced() -> None:
    assert set(CASES) == set(RECORDED)


def _without_the_key(*rows: models.Model) -> bool:
    for row in rows:
        if not isinstance(row, CommandKey):
            row.save(force_insert=True)
    return True


def _actor(floor: Floor, command: Command) -> Any:
    return next(user for user in floor.users if command in COMMANDS_OF_ROLE[user.role])


def _calls(floor: Floor, command: Command, sent: Sent, times: int) -> list[Callable[[], Any]]:
    send = functools.partial(
        RECORDED[command].send,
        actor=_actor(floor, command),
        data={"id": "same", **sent.body},
        at=NOON,
        **sent.address,
    )
    return [send] * times


def _told(record: Any) -> str:
    return record.model_dump_json() if isinstance(record, Answer) else str(record)


def _outcomes(results: list[Any]) -> Counter[str]:
    return Counter(
        getattr(type(result), "code", type(result).__name__)
        if isinstance(result, Exception)
        else "replayed"
        if result.is_replay
        else "recorded"
        for result in results
    )


@BY_COMMAND
def test_one_id_at_once_is_recorded_once_and_answered_to_all(
    committed_floor: Floor, race: Race, command: Command
) -> None:
    case = CASES[command]
    case.prepare(committed_floor)

    results = race(_calls(committed_floor, command, case.one, AT_ONCE))

    assert _outcomes(results) == {"recorded": 1, "replayed": AT_ONCE - 1}
    assert len({_told(result.record) for result in results}) == 1
    assert CommandKey.objects.filter(client_id="same").count() == 1
    assert AuditEntry.objects.filter(command=command, detail__id="same").count() == 1
    assert CommandResend.objects.count() == 1


@BY_COMMAND
def test_one_id_for_two_things_at_once_is_one_of_them_and_conflicts(
    committed_floor: Floor, race: Race, command: Command
) -> None:
    case = CASES[command]
    case.prepare(committed_floor)
    half = AT_ONCE // 2

    results = race(
        _calls(committed_floor, command, case.one, half)
        + _calls(committed_floor, command, case.other, half)
    )

    assert _outcomes(results) == {"recorded": 1, "replayed": half - 1, "id_conflict": half}


@BY_COMMAND
def test_without_the_ids_the_same_race_goes_wrong(
    committed_floor: Floor, race: Race, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The negative control: it shows that the races above can fail.
    monkeypatch.setattr(recording, "insert_unless_taken", _without_the_key)
    case = CASES[command]
    case.prepare(committed_floor)

    results = race(_calls(committed_floor, command, case.one, AT_ONCE))

    assert _outcomes(results) != {"recorded": 1, "replayed": AT_ONCE - 1}


def test_one_void_id_at_four_tables_at_once_by_eight_clients_is_one_void(
    committed_floor: Floor, race: Race
) -> None:
    floor = committed_floor
    for number in (3, 4):
        Table.objects.create(
            property=floor.casino,
            pit=floor.tables[0].pit,
            code=f"BP-0{number}",
            main_minor_min=500,
            main_minor_max=1_000_000,
            side_bet_minor_min=100,
            side_bet_minor_max=100_000,
        )
        RECORDED[Command.TABLE_OPEN].send(
            actor=floor.supervisor, data={}, at=floor.opened_at, table=f"BP-0{number}"
        )
    tables = [f"BP-0{number}" for number in (1, 2, 3, 4)]
    for table in tables:
        record(floor, round_body(3, table=table))
    users = [build_user(floor.casino, Role.FLOOR_SUPERVISOR, f"s{n}") for n in range(8)]
    tokens = [Token.objects.create(user=user).key for user in users]

    def void(number: int) -> Any:
        client = APIClient(raise_request_exception=False)
        client.credentials(HTTP_AUTHORIZATION=f"Token {tokens[number]}")
        address = f"/api/v1/tables/{tables[number % 4]}/rounds/1/void/"
        return client.post(address, {"id": "same", **_VOID}, format="json")

    answers = race([functools.partial(void, number) for number in range(8)])

    assert Counter(answer.status_code for answer in answers) == {201: 1, 200: 1, 409: 6}
    assert RoundVoid.objects.count() == 1
