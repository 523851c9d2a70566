"""Addresses of the reports' API, below /api/v1/."""

from django.urls import path, register_converter

from reporting.figures.api import PerformanceApi
from reporting.what_if.api import WhatIfApi
from reporting.what_if.converters import ClientIdConverter
from reporting.what_if.services import ask_what_if
from reporting.what_if.shapes import WhatIfOut
from reporting.worth.api import RoundWorthApi
from tables.converters import SequenceConverter, TableCodeConverter
from tables.web.api import command_api

register_converter(ClientIdConverter, "client_id")
register_converter(TableCodeConverter, "of_table")
register_converter(SequenceConverter, "of_round")

_ROUND = "tables/<of_table:table>/rounds/<of_round:sequence>"

urlpatterns = [
    path("reports/performance/", PerformanceApi.as_view(), name="api_performance"),
    path(f"{_ROUND}/worth/", RoundWorthApi.as_view(), name="api_round_worth"),
    path(
        "what-if/",
        command_api(ask_what_if, WhatIfOut, made_status=202, name="what_if_ask"),
        name="api_what_ifs",
    ),
    path("what-if/<client_id:what_if_id>/", WhatIfApi.as_view(), name="api_what_if"),
]
