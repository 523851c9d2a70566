"""Addresses of what a casino is set up with, below /api/v1/settings/."""

from typing import Final

from django.urls import path

from tables.floor.selectors.tables import list_dealers, list_pits, list_tables
from tables.floor.services import settings as floor
from tables.floor.shapes import DealerSettingsOut, PitSettingsOut, TableSettingsOut
from tables.property.selectors import list_members, list_own_property
from tables.property.services import settings as house
from tables.property.services import staff
from tables.property.shapes import MemberOut, PropertySettingsOut, UserOut
from tables.web.api import command_api
from tables.web.settings_api import settings_api

# The address, what its list holds, and the command it takes; the answer is one of the list.
_LISTS: Final = (
    ("property", PropertySettingsOut, list_own_property, house.change_property),
    ("pits", PitSettingsOut, list_pits, floor.add_pit),
    ("tables", TableSettingsOut, list_tables, floor.add_table),
    ("dealers", DealerSettingsOut, list_dealers, floor.add_dealer),
    ("users", MemberOut, list_members, staff.add_user),
    ("members", MemberOut, list_members, staff.add_member),
)
# The name, the address, the answer, and the command it takes.
_COMMANDS: Final = (
    ("day_start", "property/day-start", PropertySettingsOut, house.change_day_start),
    ("table", "tables/<table_code:code>", TableSettingsOut, floor.change_table),
    ("dealer", "dealers/<table_code:badge>", DealerSettingsOut, floor.change_dealer),
    ("user", "users/<str:username>", UserOut, staff.change_user),
    ("password", "users/<str:username>/password", UserOut, staff.set_password),
    ("member", "members/<str:username>", MemberOut, staff.change_member),
)

urlpatterns = [
    path(f"{kind}/", settings_api(command, answer, select), name=f"api_settings_{kind}")
    for kind, answer, select, command in _LISTS
] + [
    path(
        f"{address}/",
        command_api(command, answer, made_status=200, name=f"settings_{command.command}"),
        name=f"api_settings_{name}",
    )
    for name, address, answer, command in _COMMANDS
]
