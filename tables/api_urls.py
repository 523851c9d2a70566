"""Addresses of the floor's API, below /api/v1/."""

from django.urls import path, register_converter
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from tables.converters import SequenceConverter, TableCodeConverter
from tables.floor import api as floor
from tables.rounds import api as rounds

register_converter(TableCodeConverter, "table_code")
register_converter(SequenceConverter, "sequence")

urlpatterns = [
    path("token/", floor.TokenApi.as_view(), name="api_token"),
    path("me/", floor.AccountApi.as_view(), name="api_account"),
    path("tables/", floor.TablesApi.as_view(), name="api_tables"),
    path("tables/<table_code:table>/", floor.TableApi.as_view(), name="api_table"),
    path("tables/<table_code:table>/open/", floor.TableOpenApi.as_view(), name="api_table_open"),
    path("tables/<table_code:table>/close/", floor.TableCloseApi.as_view(), name="api_table_close"),
    path(
        "tables/<table_code:table>/rounds/<sequence:sequence>/",
        rounds.RoundApi.as_view(),
        name="api_round",
    ),
    path(
        "tables/<table_code:table>/rounds/<sequence:sequence>/void/",
        rounds.RoundVoidApi.as_view(),
        name="api_round_void",
    ),
    path("dealers/", floor.DealersApi.as_view(), name="api_dealers"),
    path("shifts/", floor.ShiftsApi.as_view(), name="api_shifts"),
    path("assignments/", floor.AssignmentsApi.as_view(), name="api_assignments"),
    path("rounds/", rounds.RoundsApi.as_view(), name="api_rounds"),
    path("rounds/preview/", rounds.RoundPreviewApi.as_view(), name="api_round_preview"),
    path("misdeals/", rounds.MisdealsApi.as_view(), name="api_misdeals"),
    path("schema/", SpectacularAPIView.as_view(), name="api_schema"),
    path("docs/", SpectacularSwaggerView.as_view(url_name="api_schema"), name="api_docs"),
]
