"""Make a casino with open tables in the database of the environment; print what a client needs.

Run as a program, because the processes under test have a database of their own.
"""

import json
import sys

import django

django.setup()

from django.utils import timezone  # noqa: E402  (models need the set-up above)
from rest_framework.authtoken.models import Token  # noqa: E402

from tables.floor.services.tables import assign_dealer, open_table  # noqa: E402
from tables.models import Dealer, Membership, Pit, Property, Role, Table, User  # noqa: E402


def make_floor(table_count: int) -> dict[str, object]:
    """One pit, its open tables with a dealer each, a clerk and a manager with their tokens."""
    casino = Property.objects.create(
        code="TEST", name="Test", zone="America/Los_Angeles", currency="USD", minor_digits=2
    )
    pit = Pit.objects.create(property=casino, code="P1")
    users = {}
    for role in (Role.CLERK, Role.FLOOR_SUPERVISOR, Role.MANAGER):
        users[role] = User.objects.create(username=role.value)
        Membership.objects.create(user=users[role], property=casino, role=role)
    codes = [f"BP-{number}" for number in range(1, table_count + 1)]
    at = timezone.now()
    for number, code in enumerate(codes, 1):
        Table.objects.create(
            property=casino,
            pit=pit,
            code=code,
            main_minor_min=100,
            main_minor_max=1_000_000,
            side_bet_minor_min=100,
            side_bet_minor_max=100_000,
        )
        dealer = Dealer.objects.create(property=casino, badge=f"D{number}", name=f"Dealer {number}")
        open_table.send(data={}, actor=users[Role.FLOOR_SUPERVISOR], table=code, at=at)
        body = {"table": code, "dealer": dealer.badge}
        assign_dealer.send(actor=users[Role.FLOOR_SUPERVISOR], data=body, at=at)
    return {
        "tables": codes,
        "opened_at": at.isoformat(),
        "tokens": {role.value: Token.objects.create(user=user).key for role, user in users.items()},
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make_floor(int(sys.argv[1]))))
