"""Builders of valid objects: a floor in a few words, and bodies of rounds in card notation."""

import copy
import datetime as dt
import functools
import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tables.floor.services.tables import assign_dealer, open_table
from tables.models import (
    Dealer,
    Membership,
    Pit,
    Property,
    Role,
    Round,
    ShiftDefinition,
    Table,
    User,
)
from tables.rounds.services.rounds import record_round

DATA = Path(__file__).parent / "data"
# A Sunday noon in Los Angeles.
NOON = dt.datetime(2026, 11, 29, 20, tzinfo=dt.UTC)
OPENED_AT = NOON - dt.timedelta(days=60)

_ids = itertools.count(1)


class Clock:
    """The server's clock in tests: stands still until it is moved."""

    def __init__(self) -> None:
        self.now = NOON + dt.timedelta(minutes=1)

    def __call__(self) -> dt.datetime:
        return self.now


@dataclass(frozen=True)
class Floor:
    """A casino with tables BP-01 and BP-02 open and D101, D102 dealing at them."""

    casino: Property
    tables: tuple[Table, ...]
    dealers: tuple[Dealer, ...]
    clerk: User
    supervisor: User
    surveillance: User
    manager: User
    administrator: User
    opened_at: dt.datetime

    @property
    def users(self) -> tuple[User, ...]:
        """One user a role."""
        return (self.clerk, self.supervisor, self.surveillance, self.manager, self.administrator)


def build_floor(
    *,
    code: str = "LA",
    zone: str = "America/Los_Angeles",
    opened_at: dt.datetime = OPENED_AT,
    currency: str = "USD",
    **property_fields: Any,
) -> Floor:
    """A floor at work since `opened_at`."""
    casino = Property.objects.create(
        code=code,
        name=f"Casino {code}",
        zone=zone,
        currency=currency,
        minor_digits=2,
        **property_fields,
    )
    for name, starts_at in (("Day", dt.time(6)), ("Swing", dt.time(14)), ("Grave", dt.time(22))):
        ShiftDefinition.objects.create(property=casino, name=name, starts_at=starts_at)
    pit = Pit.objects.create(property=casino, code="PIT-1")
    tables = tuple(
        Table.objects.create(
            property=casino,
            pit=pit,
            code=table_code,
            main_minor_min=500,
            main_minor_max=1_000_000,
            side_bet_minor_min=100,
            side_bet_minor_max=100_000,
        )
        for table_code in ("BP-01", "BP-02")
    )
    dealers = tuple(
        Dealer.objects.create(property=casino, badge=badge, name=f"Dealer {badge}")
        for badge in ("D101", "D102", "D103")
    )
    users = {role: build_user(casino, role) for role in Role}
    for table, dealer in zip(tables, dealers, strict=False):
        open_table.send(data={}, actor=users[Role.FLOOR_SUPERVISOR], table=table.code, at=opened_at)
        assign_dealer.send(
            actor=users[Role.FLOOR_SUPERVISOR],
            data={"table": table.code, "dealer": dealer.badge},
            at=opened_at,
        )
    return Floor(
        casino=casino,
        tables=tables,
        dealers=dealers,
        clerk=users[Role.CLERK],
        supervisor=users[Role.FLOOR_SUPERVISOR],
        surveillance=users[Role.SURVEILLANCE],
        manager=users[Role.MANAGER],
        administrator=users[Role.ADMINISTRATOR],
        opened_at=opened_at,
    )


def build_user(casino: Property | None, role: Role, username: str = "") -> User:
    """A user with the password `password`."""
    prefix = casino.code.lower() if casino else "nowhere"
    user = User.objects.create_user(
        username=username or f"{prefix}-{role.value}", password="password"
    )
    if casino is not None:
        build_member(user, casino, role)
    return user


def build_member(user: User, casino: Property, role: Role, *pit_codes: str) -> Membership:
    """A membership, of some pits or of all."""
    member = Membership.objects.create(user=user, property=casino, role=role)
    member.pits.set(casino.pits.filter(code__in=pit_codes))
    return member


@functools.cache
def golden_rounds() -> list[dict[str, Any]]:
    """The golden rounds, with what is expected of each under `expect`."""
    text = (DATA / "golden" / "rounds.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def round_body(
    number: int = 0,
    *,
    table: str = "BP-01",
    occurred_at: Any = NOON,
    round_id: str | None = None,
    **changes: Any,
) -> dict[str, Any]:
    """The body of golden round `number`, as a client would send it; a new id unless given."""
    golden = copy.deepcopy(golden_rounds()[number])
    return {
        "id": round_id or f"t-{next(_ids)}",
        "table": table,
        "occurred_at": (
            occurred_at.isoformat() if isinstance(occurred_at, dt.datetime) else occurred_at
        ),
        "dealer": golden["dealer"],
        "seats": golden["seats"],
        **changes,
    }


def record(floor: Floor, body: dict[str, Any], *, at: dt.datetime = NOON) -> Round:
    """Record a round as the clerk."""
    return record_round.send(actor=floor.clerk, data=body, at=at).record


def forget_membership(user: User) -> None:
    """Let a user object read anew where it works, as the next request does."""
    for name in ("membership", "active_memberships"):
        vars(user).pop(name, None)
