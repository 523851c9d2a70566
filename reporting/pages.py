"""The report as a page for managers."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from tables.pages.access import command_required

from reporting.metrics import GroupBy
from reporting.report_query import DAYS_MAX, FROM, GROUP_BY, TO, read_report_query
from reporting.selectors import get_gaming_day_at, summarise_performance
from tables.errors import FieldError
from tables.models import Property, User
from tables.permissions import Command


@require_safe
@command_required(Command.REPORT_READ)
def performance(request: HttpRequest) -> HttpResponse:
    """Figures of the gaming days asked for; by default today's, by table."""
    casino = cast("Property", cast("User", request.user).property)
    today = get_gaming_day_at(property=casino, at=timezone.now())
    context = {
        "first_day": request.GET.get(FROM, today.isoformat()),
        "last_day": request.GET.get(TO, today.isoformat()),
        "group_by": request.GET.get(GROUP_BY, GroupBy.TABLE.value),
        "choices": list(GroupBy),
        "days_max": DAYS_MAX[GroupBy.TABLE],
        "hour_days_max": DAYS_MAX[GroupBy.HOUR],
        "report": None,
        "error": None,
    }
    try:
        query = read_report_query(request.GET, default_day=today)
    except FieldError as error:
        return render(
            request, "reporting/performance.html", {**context, "error": error}, status=error.status
        )
    report = summarise_performance(
        property=casino,
        first_day=query.first_day,
        last_day=query.last_day,
        group_by=query.group_by,
    )
    return render(request, "reporting/performance.html", {**context, "report": report})
