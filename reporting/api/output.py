"""The reports as the API answers them.

Plain dictionaries, because a report holds some thousand figures and a serializer would take
seconds over them; `schemas` declares the same shapes, and tests hold the two together.
"""

from dataclasses import fields
from typing import Any, Final

from games.analysis.split import Split
from games.engine.pay_tables import exact
from reporting.metrics import (
    HOLD_ON_HANDLE_DECIMALS,
    Figures,
    Postings,
    ShownSplit,
    Tally,
    Worth,
    fixed,
    shown_split,
)
from reporting.round_worth import DEALER_HANDS, AppraisedBet, AppraisedRound, Misset
from reporting.selectors import PerformanceReport

_SHOWN: Final = tuple(item.name for item in fields(ShownSplit))
_EXACT: Final = ("theo", "player_error", "player_luck", "dealer_luck", "setting_theo")


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


def round_worth_as_dict(found: AppraisedRound) -> dict[str, Any]:
    """The answer to a request for the worth of a round; see `schemas.RoundWorthOut`."""
    played = found.round
    return {
        "table": played.table.code,
        "sequence": played.sequence,
        "ruleset": played.ruleset_id,
        "was_voided": hasattr(played, "void"),
        "house_win_minor": played.house_net_minor,
        "dealer_hands": DEALER_HANDS,
        "worth": _worth(found.worth),
        "misset": _misset(found.misset),
        "seats": [
            {
                "seat": seat.seat,
                "cards": seat.cards,
                "low": seat.low_cards,
                "high": seat.high_cards,
                "foul": seat.is_foul,
                "event": seat.event,
                "bets": [_bet(bet) for bet in seat.bets],
            }
            for seat in found.seats
        ],
    }


def _misset(misset: Misset | None) -> dict[str, Any] | None:
    if misset is None:
        return None
    return {
        "set_low": misset.set_low,
        "set_high": misset.set_high,
        "required_low": misset.required_low,
        "required_high": misset.required_high,
        "foul": misset.cost.is_foul,
        "cost_minor": misset.cost.total_minor,
        "seats": [
            {"seat": seat, "cost_minor": cost_minor}
            for seat, cost_minor in misset.cost.by_seat.items()
        ],
    }


def _bet(bet: AppraisedBet) -> dict[str, Any]:
    values = bet.values
    return {
        "wager": bet.wager,
        "amount_minor": bet.amount_minor,
        "house_win_minor": bet.house_win_minor,
        "expected_value": exact(values.expected_value) if values else None,
        "best_value": exact(values.best_value) if values else None,
        "setting_value": exact(values.setting_value) if values else None,
        "wins": values.wins if values else None,
        "pushes": values.pushes if values else None,
        "losses": values.losses if values else None,
        "best_low": values.best_low if values else None,
        "best_high": values.best_high if values else None,
        "split": _split(values.split if values else None),
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
        "worth": _worth(figures.worth),
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
                "worth": _worth(of.worth),
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


def _worth(worth: Worth) -> dict[str, Any]:
    """The split of the house win, rounded and exact; all null while bets are not appraised."""
    return {"bets_missing": worth.bets_missing, **_split(worth.split)}


def _split(split: Split | None) -> dict[str, Any]:
    """A split in minor units: rounded so that it adds up, and exactly."""
    shown = shown_split(split) if split else None
    return {
        **{name: getattr(shown, name, None) for name in _SHOWN},
        **{name: exact(getattr(split, name)) if split else None for name in _EXACT},
    }
