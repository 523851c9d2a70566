"""The first steps of an installation: a casino and who administers it, from the console."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from tables.models import AuditEntry, Membership, Property, Role, User

ARGUMENTS = {
    "name": "Casino Reno",
    "zone": "America/Los_Angeles",
    "currency": "JPY",
    "administrator": "ada",
    "password": "a-long-pass-phrase-for-ada",
}


def test_a_property_has_an_administrator_and_a_trail_from_the_start(db: None) -> None:
    call_command("add_property", "RENO", **ARGUMENTS, stdout=StringIO())

    casino = Property.objects.get(code="RENO")
    assert (casino.currency, casino.minor_digits) == ("JPY", 0)
    member = Membership.objects.get(property=casino)
    assert (member.user.username, member.role) == ("ada", Role.ADMINISTRATOR)
    assert User.objects.get(username="ada").check_password(ARGUMENTS["password"])
    commands = AuditEntry.objects.order_by("pk").values_list("command", "actor_name")
    assert list(commands) == [("property_add", "system:console"), ("user_add", "system:console")]


@pytest.mark.parametrize(
    ("change", "place"),
    [({"zone": "Nowhere/Town"}, "zone"), ({"currency": "ABC"}, "currency")],
)
def test_what_cannot_be_is_told_with_its_place(
    db: None, change: dict[str, str], place: str
) -> None:
    with pytest.raises(CommandError, match=place):
        call_command("add_property", "RENO", **{**ARGUMENTS, **change}, stdout=StringIO())
    assert Property.objects.count() == 0
