"""Rows of a batch audit in the words of ``settlement_as_dict``, without cards and limits."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from games.analysis.batch.audit import BatchAudit
from games.analysis.batch.cards import NOT_RECORDED_CODE
from games.analysis.batch.rounds import RoundBatch
from games.analysis.batch.rules import (
    BREAK_BONUS_LINES,
    COMPLIANCES,
    DEALER_BREAK_BONUS_LINES,
    EVENTS,
    OUTCOMES,
)
from games.analysis.batch.settlement import NOTHING, Bets
from games.analysis.setting_table import labels_of
from games.engine.errors import JSON
from games.engine.settlement import Compliance
from games.engine.wagers import Wager

_COMPLIANT: Final = {Compliance.MATCH: True, Compliance.DEVIATION: False}


def setting_labels(code: int) -> dict[str, JSON] | None:
    """Return the low and the high hand of a code, None for NOT_RECORDED_CODE.

    >>> from games.analysis.setting_table import code_of
    >>> setting_labels(code_of(90, 454))
    {'low': 'A-A', 'high': 'A-A-A'}
    """
    return None if code == NOT_RECORDED_CODE else labels_of(int(code))._asdict()


def answers_of(batch: RoundBatch, audit: BatchAudit) -> Iterator[dict[str, Any]]:
    """Yield the answer to each round of an audited batch, in order.

    The keys and values are those of ``settlement_as_dict`` (``docs/engine.md``), but for cards,
    words and limits, which the audit does not know.
    """
    bounds = np.searchsorted(batch.seats.round_of, np.arange(len(batch) + 1)).tolist()
    for row in range(len(batch)):
        seats = range(bounds[row], bounds[row + 1])
        yield {
            "ruleset": audit.ruleset.id,
            "is_void": bool(audit.dealer.is_void[row]),
            "dealer": _dealer_answer(audit, row),
            "seats": [_seat_answer(batch, audit, seat) for seat in seats],
            "house_net_minor": int(audit.house_net_minor[row]),
        }


def _dealer_answer(audit: BatchAudit, row: int) -> dict[str, Any]:
    settings, dealer = audit.settings, audit.dealer
    step = audit.steps[settings.step[row]]
    compliance = COMPLIANCES[settings.compliance[row]]
    settled = setting_labels(dealer.settled_code[row])
    return {
        "step": step.number,
        "rule": step.rule,
        **(settled or {}),
        "qualifies": bool(dealer.qualifies[row]),
        "lucky_break": bool(dealer.lucky_break[row]),
        "compliance": compliance.value,
        "compliant": _COMPLIANT.get(compliance),
        "required": setting_labels(settings.required_code[row]),
        "as_set": setting_labels(settings.set_code[row]),
    }


def _seat_answer(batch: RoundBatch, audit: BatchAudit, seat: int) -> dict[str, Any]:
    events, stakes = audit.seats, batch.seats
    bets = {
        Wager.MAIN: _bet_answer(stakes.main_minor[seat], audit.main, seat, None),
        Wager.DEALER_BREAK_BONUS: _bet_answer(
            stakes.dealer_break_bonus_minor[seat],
            audit.dealer_break_bonus,
            seat,
            DEALER_BREAK_BONUS_LINES,
        ),
        Wager.BREAK_BONUS: _bet_answer(
            stakes.break_bonus_minor[seat], audit.break_bonus, seat, BREAK_BONUS_LINES
        ),
    }
    return {
        "seat": int(stakes.seat[seat]),
        "event": EVENTS[events.event[seat]].value,
        "foul": bool(events.foul[seat]),
        **(setting_labels(events.set_code[seat]) or {}),
        "reset_to": setting_labels(events.reset_code[seat]),
        "lucky_break": bool(events.lucky_break[seat]),
        **{wager.value: bet for wager, bet in bets.items() if bet is not None},
        "net_minor": int(audit.seat_net_minor[seat]),
    }


def _bet_answer(
    stake_minor: np.int64, bets: Bets, seat: int, lines: Sequence[Any] | None
) -> dict[str, Any] | None:
    """Return the answer to one bet, None where there is none; a main bet has no ``lines``."""
    if bets.outcome[seat] == NOTHING:
        return None
    net_minor, uncapped_net_minor = int(bets.net_minor[seat]), int(bets.uncapped_net_minor[seat])
    found: dict[str, Any] = {
        "amount_minor": int(stake_minor),
        "outcome": OUTCOMES[bets.outcome[seat]].value,
        "net_minor": net_minor,
    }
    if lines is not None:
        place = bets.line[seat]
        found["line"] = None if place == NOTHING else lines[place].value
    if uncapped_net_minor != net_minor:
        found["uncapped_net_minor"] = uncapped_net_minor
    return found
