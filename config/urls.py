"""Every address of the product."""

from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("tables.api_urls")),
    path("api/v1/", include("reporting.api_urls")),
    path("", include("tables.urls")),
    path("", include("reporting.urls")),
]

handler400 = "config.api_errors.bad_request"
handler403 = "config.api_errors.forbidden"
handler404 = "config.api_errors.not_found"
handler500 = "config.api_errors.server_error"
