"""Reports over REST, as JSON and as CSV."""

from collections.abc import Iterable
from typing import Final

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from games.engine.errors import shown
from reporting.figures.exports import csv_filename, performance_csv
from reporting.figures.report_query import ReportApiQuery, read_report_query
from reporting.figures.selectors import summarise_performance
from reporting.figures.shapes import PerformanceReportOut
from tables.errors import FieldError
from tables.permissions import Command
from tables.web.api import Api, ShapeRenderer, user_of

FORMAT: Final = "format"


class CsvRenderer(BaseRenderer):
    """Says that a report can be had as CSV; the view streams it, past any renderer."""

    media_type = "text/csv"
    format = "csv"


class ReportNegotiation(DefaultContentNegotiation):
    """Refuses an unknown `format` like any other parameter, instead of with 404."""

    def filter_renderers(
        self,
        renderers: Iterable[BaseRenderer],
        format: str,  # noqa: A002  (the framework's name)
    ) -> list[BaseRenderer]:
        """The renderers of the format asked for. Raises FieldError when there is none."""
        known = list(renderers)
        found = [item for item in known if item.format == format]
        if not found:
            formats = ", ".join(str(item.format) for item in known)
            raise FieldError(f"expected one of {formats}, got {shown(format)}", place=FORMAT)
        return found


class PerformanceApi(Api):
    """Rounds, handle, house win and hold-on-handle, net of voids and apart from them."""

    commands = {"GET": Command.REPORT_READ}
    operation_ids = {"GET": "reports_performance"}
    query = ReportApiQuery
    renderer_classes = [ShapeRenderer, CsvRenderer]
    content_negotiation_class = ReportNegotiation
    answers = {
        (200, "application/json"): PerformanceReportOut,
        (200, "text/csv"): OpenApiTypes.STR,
    }

    def get(self, request: Request) -> HttpResponseBase:
        """The figures of a range of gaming days."""
        query = read_report_query(request.query_params, shape=ReportApiQuery)
        report = summarise_performance(
            user=user_of(request),
            first_day=query.first_day,
            last_day=query.last_day,
            group_by=query.group_by,
        )
        if isinstance(request.accepted_renderer, CsvRenderer):
            return StreamingHttpResponse(
                performance_csv(report),
                content_type="text/csv; charset=utf-8",
                headers={"Content-Disposition": f'attachment; filename="{csv_filename(report)}"'},
            )
        return Response(PerformanceReportOut.of(report))

    def handle_exception(self, exc: Exception) -> Response:
        """Answer errors in JSON, whatever form the report was asked for in."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)
