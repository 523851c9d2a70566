"""The demo property: a small casino to try the product on. Never part of a real installation."""

import datetime as dt
from dataclasses import dataclass
from typing import Final

from django.db import transaction

from tables.floor.models import Dealer, Pit, Table
from tables.floor.services.tables import assign_dealer, open_table
from tables.property.models import Membership, Property, Role, ShiftDefinition, User

PROPERTY_CODE: Final = "DEMO"


@dataclass(frozen=True, slots=True)
class DemoUser:
    """A user of the demo property and the password to sign in with."""

    username: str
    role: Role
    password: str


DEMO_USERS: Final = (
    DemoUser("clerk", Role.CLERK, "deal-me-in-clerk"),
    DemoUser("supervisor", Role.FLOOR_SUPERVISOR, "deal-me-in-supervisor"),
    DemoUser("surveillance", Role.SURVEILLANCE, "deal-me-in-surveillance"),
    DemoUser("manager", Role.MANAGER, "deal-me-in-manager"),
)
_SHIFTS: Final = (("Day", dt.time(6)), ("Swing", dt.time(14)), ("Grave", dt.time(22)))
_DEALERS: Final = (
    ("D101", "Ana Reyes"),
    ("D102", "Ben Cole"),
    ("D103", "Chi Nguyen"),
    ("D104", "Dara Singh"),
)


def load_demo(*, at: dt.datetime) -> bool:
    """Make the demo property, open its tables and put dealers on them; False if it is there."""
    if Property.objects.filter(code=PROPERTY_CODE).exists():
        return False
    with transaction.atomic():
        casino = _make_floor()
        for demo in DEMO_USERS:
            user = User.objects.create_user(username=demo.username, password=demo.password)
            Membership.objects.create(user=user, property=casino, role=demo.role)
    supervisor = User.objects.get(username="supervisor")
    for table, (badge, _) in zip(Table.objects.filter(property=casino), _DEALERS, strict=False):
        open_table.send(actor=supervisor, data={}, at=at, table=table.code)
        assign_dealer.send(actor=supervisor, data={"table": table.code, "dealer": badge}, at=at)
    return True


def _make_floor() -> Property:
    casino = Property.objects.create(
        code=PROPERTY_CODE,
        name="Demo Casino",
        zone="America/Los_Angeles",
        currency="USD",
        minor_digits=2,
    )
    for name, starts_at in _SHIFTS:
        ShiftDefinition.objects.create(property=casino, name=name, starts_at=starts_at)
    for badge, name in _DEALERS:
        Dealer.objects.create(property=casino, badge=badge, name=name)
    for pit_code, table_codes in (("PIT-1", ("BP-01", "BP-02")), ("PIT-2", ("BP-03",))):
        pit = Pit.objects.create(property=casino, code=pit_code)
        for code in table_codes:
            Table.objects.create(
                property=casino,
                pit=pit,
                code=code,
                main_minor_min=10_00,
                main_minor_max=1_000_00,
                side_bet_minor_min=1_00,
                side_bet_minor_max=100_00,
            )
    return casino
