"""Addresses of the floor's pages."""

from django.contrib.auth.views import LogoutView
from django.urls import path, register_converter

from tables.converters import SequenceConverter, TableCodeConverter
from tables.floor.pages import tables as floor
from tables.property import pages as sign_in
from tables.rounds.pages import entry, misdeals, notes, rounds

# Names of their own: the API registers the same converters under its names.
register_converter(TableCodeConverter, "at_table")
register_converter(SequenceConverter, "numbered")

_TABLE = "tables/<at_table:table>"
_ROUND = f"{_TABLE}/rounds/<numbered:sequence>"

urlpatterns = [
    path("", sign_in.home, name="home"),
    path("sign-in/", sign_in.SignInPage.as_view(), name="sign_in"),
    path("sign-out/", LogoutView.as_view(), name="sign_out"),
    path("property/", sign_in.property_choice, name="property_choice"),
    path("tables/", floor.tables, name="tables"),
    path(f"{_TABLE}/open/", floor.table_open, name="table_open"),
    path(f"{_TABLE}/close/", floor.table_close, name="table_close"),
    path(f"{_TABLE}/dealer/", floor.table_dealer, name="table_dealer"),
    path(f"{_TABLE}/entry/", entry.round_entry, name="round_entry"),
    path(f"{_TABLE}/misdeal/", misdeals.misdeal, name="misdeal"),
    path(f"{_ROUND}/", rounds.round_detail, name="round"),
    path(f"{_ROUND}/void/", rounds.round_void, name="round_void"),
    path(f"{_ROUND}/note/", notes.round_note, name="round_note"),
    path("rounds/", rounds.rounds, name="rounds"),
    path("misdeals/", misdeals.misdeals, name="misdeals"),
]
