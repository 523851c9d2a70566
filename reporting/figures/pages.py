"""The performance report as a page."""

from typing import Any, Final, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from reporting.figures.metrics import GroupBy
from reporting.figures.report_query import FROM, GROUP_BY, TO, read_report_query
from reporting.figures.selectors import get_gaming_day_at, summarise_performance
from tables.errors import FaultsError, FieldError
from tables.models import Property
from tables.permissions import Command
from tables.web.access import command_required, user_of

TEMPLATE: Final = "reporting/performance.html"


@require_safe
@command_required(Command.REPORT_READ)
def performance(request: HttpRequest) -> HttpResponse:
    """Figures of the gaming days asked for; by default today's, by table."""
    casino = cast("Property", user_of(request).property)
    today = get_gaming_day_at(property=casino, at=timezone.now())
    context: dict[str, Any] = {
        "first_day": request.GET.get(FROM, today.isoformat()),
        "last_day": request.GET.get(TO, today.isoformat()),
        "group_by": request.GET.get(GROUP_BY, GroupBy.TABLE.value),
        "choices": list(GroupBy),
        "report": None,
        "fault": None,
        "fault_place": None,
    }
    try:
        query = read_report_query(request.GET, default_day=today)
    except (FaultsError, FieldError) as error:
        context.update(fault=error.message, fault_place=error.detail["place"])
        return render(request, TEMPLATE, context, status=error.status)
    context["report"] = summarise_performance(
        user=user_of(request),
        first_day=query.first_day,
        last_day=query.last_day,
        group_by=query.group_by,
    )
    return render(request, TEMPLATE, context)
