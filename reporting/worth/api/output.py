"""The worth of a round as the API answers it; `schemas` declares the same shapes."""

from typing import Any

from games.engine.odds import exact
from reporting.worth.selectors import DEALER_HANDS, AppraisedBet, AppraisedRound, Misset
from reporting.worth.shapes import split_as_dict, worth_as_dict


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
        "worth": worth_as_dict(found.worth),
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
        "split": split_as_dict(values.split if values else None),
    }
