"""Addresses of the reports' API, below /api/v1/."""

from django.urls import path, register_converter

from reporting.figures.api.views import PerformanceView
from reporting.what_if.api.views import WhatIfApi, WhatIfsApi
from reporting.what_if.converters import ClientIdConverter
from reporting.worth.api.views import RoundWorthApi
from tables.converters import SequenceConverter, TableCodeConverter

register_converter(ClientIdConverter, "client_id")
register_converter(TableCodeConverter, "of_table")
register_converter(SequenceConverter, "of_round")

urlpatterns = [
    path("reports/performance/", PerformanceView.as_view(), name="api_performance"),
    path(
        "tables/<of_table:table>/rounds/<of_round:sequence>/worth/",
        RoundWorthApi.as_view(),
        name="api_round_worth",
    ),
    path("what-if/", WhatIfsApi.as_view(), name="api_what_ifs"),
    path("what-if/<client_id:what_if_id>/", WhatIfApi.as_view(), name="api_what_if"),
]
