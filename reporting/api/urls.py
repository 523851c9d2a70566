"""Addresses of the reports' API, below /api/v1/."""

from django.urls import path

from reporting.api.views import PerformanceView

urlpatterns = [
    path("reports/performance/", PerformanceView.as_view(), name="api_performance"),
]
