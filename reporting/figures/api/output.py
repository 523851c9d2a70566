"""The reports as the API answers them.

Plain dictionaries, because a report holds some thousand figures and a serializer would take
seconds over them; `schemas` declares the same shapes, and tests hold the two together.
"""

from typing import Any

from reporting.figures.decimals import fixed
from reporting.figures.metrics import (
    HOLD_ON_HANDLE_DECIMALS,
    Figures,
    Postings,
    Tally,
)
from reporting.figures.selectors import PerformanceReport
from reporting.worth.shapes import worth_as_dict


def performance_as_dict(report: PerformanceReport) -> dict[str, Any]:
    """The answer to a request for a report; see `schemas.PerformanceReportOut`."""
    return {
        "from": report.first_day.isoformat(),
        "to": report.last_day.isoformat(),
        "group_by": report.group_by.value,
        "currency": report.property.currency,
        "minor_digits": report.property.minor_digits,
        "rolled_up_at": report.rolled_up_at.isoformat() if report.rolled_up_at else None,
        "is_current": report.is_current,
        "rows": [
            {"key": row.group.key, "label": row.group.label, **_postings(row.figures)}
            for row in report.rows
        ],
        "totals": _postings(report.totals),
    }


def _postings(postings: Postings) -> dict[str, Any]:
    return {
        "net": _figures(postings.net),
        "play": _figures(postings.play),
        "voids": _figures(postings.voids),
    }


def _figures(figures: Figures) -> dict[str, Any]:
    return {
        "rounds": figures.rounds,
        "late_rounds": figures.late_rounds,
        "decisions": figures.decisions,
        **_money(figures.bets),
        "worth": worth_as_dict(figures.worth),
        "compliance": {
            "match": figures.matches,
            "deviation": figures.deviations,
            "not_recorded": figures.not_recorded,
        },
        "wagers": [
            {
                "wager": of.wager.value,
                "bets": of.total.count,
                **_money(of.total),
                "worth": worth_as_dict(of.worth),
                "lines": [
                    {
                        "line": line.line,
                        "hits": line.tally.count,
                        "handle_minor": line.tally.handle_minor,
                        "house_win_minor": line.tally.house_win_minor,
                    }
                    for line in of.lines
                ],
            }
            for of in figures.wagers
        ],
    }


def _money(tally: Tally) -> dict[str, Any]:
    ratio = tally.hold_on_handle
    return {
        "handle_minor": tally.handle_minor,
        "house_win_minor": tally.house_win_minor,
        "hold_on_handle": None if ratio is None else fixed(ratio, HOLD_ON_HANDLE_DECIMALS),
    }
