"""Addresses of the reports' pages."""

from django.urls import path, register_converter

from reporting.figures.pages import performance
from reporting.what_if.converters import ClientIdConverter
from reporting.what_if.pages import what_if, what_ifs
from reporting.worth.pages import round_worth
from tables.converters import SequenceConverter, TableCodeConverter

# Names of their own: the API registers the same converters under its names.
register_converter(ClientIdConverter, "made_by_client")
register_converter(TableCodeConverter, "dealt_at")
register_converter(SequenceConverter, "dealt_as")

urlpatterns = [
    path("reports/performance/", performance, name="reports-performance"),
    path(
        "tables/<dealt_at:table>/rounds/<dealt_as:sequence>/worth/",
        round_worth,
        name="round_worth",
    ),
    path("reports/what-if/", what_ifs, name="reports-what-ifs"),
    path("reports/what-if/<made_by_client:what_if_id>/", what_if, name="reports-what-if"),
]
