"""Addresses of the floor's API, below /api/v1/."""

from django.urls import include, path, register_converter
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from tables.converters import SequenceConverter, TableCodeConverter
from tables.floor import api as floor
from tables.floor.services.tables import close_table, open_table
from tables.floor.shapes import TableOut
from tables.property import api as account
from tables.rounds import api as rounds
from tables.rounds.services.notes import note_on_round
from tables.rounds.services.voids import void_round
from tables.rounds.shapes import NoteOut, VoidOut
from tables.web.api import command_api

register_converter(TableCodeConverter, "table_code")
register_converter(SequenceConverter, "sequence")

_TABLE = "tables/<table_code:table>"
_ROUND = f"{_TABLE}/rounds/<sequence:sequence>"

urlpatterns = [
    path("token/", account.TokenApi.as_view(), name="api_token"),
    path("me/", account.AccountApi.as_view(), name="api_account"),
    path("tables/", floor.TablesApi.as_view(), name="api_tables"),
    path(f"{_TABLE}/", floor.TableApi.as_view(), name="api_table"),
    path(
        f"{_TABLE}/open/", command_api(open_table, TableOut, made_status=200), name="api_table_open"
    ),
    path(
        f"{_TABLE}/close/",
        command_api(close_table, TableOut, made_status=200),
        name="api_table_close",
    ),
    path(f"{_ROUND}/", rounds.RoundApi.as_view(), name="api_round"),
    path(f"{_ROUND}/void/", command_api(void_round, VoidOut), name="api_round_void"),
    path(f"{_ROUND}/notes/", command_api(note_on_round, NoteOut), name="api_round_notes"),
    path("dealers/", floor.DealersApi.as_view(), name="api_dealers"),
    path("shifts/", floor.ShiftsApi.as_view(), name="api_shifts"),
    path("assignments/", floor.AssignmentsApi.as_view(), name="api_assignments"),
    path("rounds/", rounds.RoundsApi.as_view(), name="api_rounds"),
    path("rounds/preview/", rounds.RoundPreviewApi.as_view(), name="api_round_preview"),
    path("misdeals/", rounds.MisdealsApi.as_view(), name="api_misdeals"),
    path("settings/", include("tables.settings_urls")),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="api_schema"), name="api_docs"),
]
