"""Records as the API shows them. `tables.web.schemas` describes these for the OpenAPI document."""

from typing import Any

from tables.floor.models import DealerAssignment, Shift, Table
from tables.property.models import User
from tables.rounds.models import Misdeal, Round, RoundVoid


def round_summary(played: Round) -> dict[str, Any]:
    """A round without its hands: what a list shows."""
    return {
        "id": played.round_id,
        "table": played.table.code,
        "sequence": played.sequence,
        "occurred_at": played.occurred_at.isoformat(),
        "recorded_at": played.recorded_at.isoformat(),
        "gaming_day": played.gaming_day.isoformat(),
        "shift": played.shift.name,
        "dealer_badge": played.dealer.badge if played.dealer else None,
        "entered_by": played.entered_by.get_username(),
        "ruleset": played.ruleset_id,
        "settlement": {"id": played.round_id, **played.settlement},
        "warnings": round_warnings(played),
        "url": f"/api/v1/tables/{played.table.code}/rounds/{played.sequence}/",
    }


def round_detail(played: Round, content: dict[str, Any]) -> dict[str, Any]:
    """A round with its hands as entered, and its void if there is one."""
    void = getattr(played, "void", None)
    return {
        **round_summary(played),
        "hands": {"dealer": content["dealer"], "seats": content["seats"]},
        "void": None if void is None else void_detail(void),
    }


def round_warnings(played: Round) -> list[dict[str, Any]]:
    """What stands but wants a look: bets outside the limits (BP-8.2), nobody assigned to deal."""
    warnings: list[dict[str, Any]] = [
        {
            "code": "bet_outside_limits",
            "message": f"seat {seat['seat']} {wager}: {seat[wager]['amount_minor']} is "
            f"{seat[wager]['limit_breach'].replace('_', ' ')}",
            "place": f"seats[{index}].bets.{wager}",
        }
        for index, seat in enumerate(played.settlement["seats"])
        for wager in ("main", "dealer_break_bonus", "break_bonus")
        if seat.get(wager, {}).get("limit_breach")
    ]
    if played.dealer is None:
        warnings.append(
            {
                "code": "no_dealer_assigned",
                "message": f"nobody was assigned to table {played.table.code} at that time",
                "place": "table",
            }
        )
    return warnings


def void_detail(void: RoundVoid) -> dict[str, Any]:
    """A void: whose, why, on whose authority, and the gaming day it counts in."""
    return {
        "id": void.void_id,
        "table": void.table.code,
        "sequence": void.round.sequence,
        "reason_code": void.reason_code,
        "reason": void.reason,
        "authority": void.authority.get_username(),
        "voided_by": void.voided_by.get_username(),
        "recorded_at": void.recorded_at.isoformat(),
        "gaming_day": void.gaming_day.isoformat(),
    }


def misdeal_detail(misdeal: Misdeal) -> dict[str, Any]:
    """A misdeal; its deck is set aside."""
    return {
        "id": misdeal.misdeal_id,
        "table": misdeal.table.code,
        "occurred_at": misdeal.occurred_at.isoformat(),
        "recorded_at": misdeal.recorded_at.isoformat(),
        "gaming_day": misdeal.gaming_day.isoformat(),
        "dealer_badge": misdeal.dealer.badge if misdeal.dealer else None,
        "kind": misdeal.kind,
        "seats_in_play": misdeal.seats_in_play,
        "stub_expected": misdeal.stub_expected,
        "stub_counted": misdeal.stub_counted,
        "reason": misdeal.reason,
        "authority": misdeal.authority.get_username(),
        "recorded_by": misdeal.recorded_by.get_username(),
    }


def table_detail(table: Table) -> dict[str, Any]:
    """A table as `tables.floor.selectors.tables.list_tables` reads it."""
    session = next(iter(table.open_sessions), None)  # type: ignore[attr-defined]
    assignment = next(iter(table.open_assignments), None)  # type: ignore[attr-defined]
    return {
        "code": table.code,
        "pit": table.pit.code,
        "seat_count": table.seat_count,
        "limits": {
            "main": {"minor_min": table.main_minor_min, "minor_max": table.main_minor_max},
            "side_bet": {
                "minor_min": table.side_bet_minor_min,
                "minor_max": table.side_bet_minor_max,
            },
        },
        "is_open": session is not None,
        "opened_at": session.opened_at.isoformat() if session else None,
        "dealer_badge": assignment.dealer.badge if assignment else None,
        "last_sequence": table.last_sequence,
    }


def shift_detail(shift: Shift) -> dict[str, Any]:
    """A shift with its edges."""
    return {
        "gaming_day": shift.gaming_day.date.isoformat(),
        "name": shift.name,
        "starts_at": shift.starts_at.isoformat(),
        "ends_at": shift.ends_at.isoformat(),
    }


def assignment_detail(assignment: DealerAssignment) -> dict[str, Any]:
    """Who dealt where, from when until when."""
    return {
        "table": assignment.table.code,
        "dealer_badge": assignment.dealer.badge,
        "dealer_name": assignment.dealer.name,
        "starts_at": assignment.starts_at.isoformat(),
        "ends_at": assignment.ends_at.isoformat() if assignment.ends_at else None,
    }


def account_detail(user: User) -> dict[str, Any]:
    """The signed-in user, and the property whose clocks and currency all figures follow."""
    casino = user.property
    return {
        "username": user.get_username(),
        "role": user.role,
        "property": None
        if casino is None
        else {
            "code": casino.code,
            "name": casino.name,
            "zone": casino.zone,
            "gaming_day_start": casino.gaming_day_start.isoformat(),
            "currency": casino.currency,
            "minor_digits": casino.minor_digits,
            "ruleset": casino.ruleset_id,
            "card_entry": casino.card_entry,
        },
    }
