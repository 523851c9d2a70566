"""Addresses of the floor's API, below /api/v1/."""

from django.urls import path, register_converter
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from tables.converters import SequenceConverter, TableCodeConverter
from tables.floor import api as floor
from tables.property import api as account
from tables.rounds import api as rounds

register_converter(TableCodeConverter, "table_code")
register_converter(SequenceConverter, "sequence")

_TABLE = "tables/<table_code:table>"
_ROUND = f"{_TABLE}/rounds/<sequence:sequence>"

urlpatterns = [
    path("token/", account.TokenApi.as_view(), name="api_token"),
    path("me/", account.AccountApi.as_view(), name="api_account"),
    path("tables/", floor.TablesApi.as_view(), name="api_tables"),
    path(f"{_TABLE}/", floor.TableApi.as_view(), name="api_table"),
    path(f"{_TABLE}/open/", floor.TableOpenApi.as_view(), name="api_table_open"),
    path(f"{_TABLE}/close/", floor.TableCloseApi.as_view(), name="api_table_close"),
    path(f"{_ROUND}/", rounds.RoundApi.as_view(), name="api_round"),
    path(f"{_ROUND}/void/", rounds.RoundVoidApi.as_view(), name="api_round_void"),
    path("dealers/", floor.DealersApi.as_view(), name="api_dealers"),
    path("shifts/", floor.ShiftsApi.as_view(), name="api_shifts"),
    path("assignments/", floor.AssignmentsApi.as_view(), name="api_assignments"),
    path("rounds/", rounds.RoundsApi.as_view(), name="api_rounds"),
    path("rounds/preview/", rounds.RoundPreviewApi.as_view(), name="api_round_preview"),
    path("misdeals/", rounds.MisdealsApi.as_view(), name="api_misdeals"),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="api_schema"), name="api_docs"),
]
