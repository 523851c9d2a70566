"""Views of the reports' API."""

from collections.abc import Iterable
from typing import Final, cast

from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from reporting.figures.api.output import performance_as_dict
from reporting.figures.api.schemas import PerformanceReportOut
from reporting.figures.exports import csv_filename, performance_csv
from reporting.figures.metrics import GroupBy
from reporting.figures.report_query import FROM, GROUP_BY, TO, read_report_query
from reporting.figures.selectors import summarise_performance
from tables.api.requests import user_of
from tables.api.schemas import ErrorShape
from tables.errors import FieldError
from tables.models import Property
from tables.permissions import Command
from tables.submissions import shown

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


class PerformanceView(APIView):
    """Figures of a range of gaming days by table, dealer, shift, gaming day or hour."""

    commands = {"GET": Command.REPORT_READ}
    renderer_classes = [JSONRenderer, CsvRenderer]
    content_negotiation_class = ReportNegotiation

    @extend_schema(
        operation_id="reports_performance",
        parameters=[
            OpenApiParameter(FROM, OpenApiTypes.DATE, required=True, description="First day."),
            OpenApiParameter(TO, OpenApiTypes.DATE, required=True, description="Last day."),
            OpenApiParameter(
                GROUP_BY, enum=[item.value for item in GroupBy], default=GroupBy.TABLE.value
            ),
            OpenApiParameter(FORMAT, enum=["json", "csv"], default="json"),
        ],
        responses={
            (200, "application/json"): PerformanceReportOut,
            (200, "text/csv"): OpenApiTypes.STR,
            400: ErrorShape,
            401: ErrorShape,
            403: ErrorShape,
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """Rounds, handle, house win and hold-on-handle, net of voids and apart from them."""
        query = read_report_query(request.query_params, other_names=(FORMAT,))
        report = summarise_performance(
            property=_property_of(request),
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
        return Response(performance_as_dict(report))

    def handle_exception(self, exc: Exception) -> Response:
        """Answer errors in JSON, whatever form the report was asked for in."""
        self.request.accepted_renderer = JSONRenderer()
        self.request.accepted_media_type = JSONRenderer.media_type
        return super().handle_exception(exc)


def _property_of(request: Request) -> Property:
    """The property of the signed-in user; the role check has seen that there is one."""
    return cast("Property", user_of(request).property)
