"""The first steps at the server's own console: a property, and who administers it (ADR 15).

There is nobody yet whom the trail could name, so it names the console: an account that nobody can
sign in to.
"""

import datetime as dt
import uuid
from typing import Final

from django.db import transaction

from tables.changes import save
from tables.insertion import insert
from tables.property.currencies import minor_digits_of
from tables.property.models import Membership, Property, Role, User
from tables.property.services.staff import add_member, add_user
from tables.property.shapes import PropertySettingsOut
from tables.trail.models import AuditEntry

# No person's: user names hold no colon.
CONSOLE: Final = "system:console"


def console_at(casino: Property) -> User:
    """The console as an actor at a property; its membership is not stored."""
    account, _ = User.objects.get_or_create(
        username=CONSOLE, defaults={"is_active": False, "password": "!"}
    )
    member = Membership(user=account, property=casino, role=Role.ADMINISTRATOR)
    member.pit_ids = frozenset()
    return member.as_actor()


@transaction.atomic(durable=True)
def add_property(*, code: str, name: str, zone: str, currency: str, at: dt.datetime) -> Property:
    """Add a casino. Raises FaultsError, SettingTakenError.

    No recorded command: ids are unique with a property, and there is none yet.
    """
    casino = Property(
        code=code, name=name, zone=zone, currency=currency, minor_digits=minor_digits_of(currency)
    )
    save(casino)
    actor = console_at(casino)
    told = PropertySettingsOut.of(casino).model_dump(mode="json")
    entry = AuditEntry(
        property=casino,
        recorded_at=at,
        actor=actor,
        actor_name=actor.get_username(),
        command="property_add",
        subject=f"property {code}",
        detail={"old": {}, "new": told},
    )
    insert([entry])
    return casino


def add_administrator(*, casino: Property, username: str, password: str, at: dt.datetime) -> None:
    """Let someone administer a property: a new user with a password, or one there is without.

    Raises what `add_user` and `add_member` raise.
    """
    data = {"id": str(uuid.uuid4()), "username": username, "role": Role.ADMINISTRATOR.value}
    if password:
        add_user.send(actor=console_at(casino), data={**data, "password": password}, at=at)
    else:
        add_member.send(actor=console_at(casino), data=data, at=at)
