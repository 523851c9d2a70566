"""Addresses of the reports' pages."""

from django.urls import path

from reporting import pages

urlpatterns = [
    path("reports/performance/", pages.performance, name="reports-performance"),
]
