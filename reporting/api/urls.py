"""Addresses of the reports' API, below /api/v1/."""

from django.urls import path, register_converter

from reporting.api.views import PerformanceView
from reporting.what_if.api import WhatIfApi, WhatIfsApi
from reporting.what_if.converters import ClientIdConverter

register_converter(ClientIdConverter, "client_id")

urlpatterns = [
    path("reports/performance/", PerformanceView.as_view(), name="api_performance"),
    path("what-if/", WhatIfsApi.as_view(), name="api_what_ifs"),
    path("what-if/<client_id:what_if_id>/", WhatIfApi.as_view(), name="api_what_if"),
]
