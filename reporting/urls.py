"""Addresses of the reports' pages."""

from django.urls import path, register_converter

from reporting import pages
from reporting.what_if.converters import ClientIdConverter
from reporting.what_if.pages import what_if, what_ifs

# A name of its own: the API registers the same converter under its name.
register_converter(ClientIdConverter, "made_by_client")

urlpatterns = [
    path("reports/performance/", pages.performance, name="reports-performance"),
    path("reports/what-if/", what_ifs, name="reports-what-ifs"),
    path("reports/what-if/<made_by_client:what_if_id>/", what_if, name="reports-what-if"),
]
