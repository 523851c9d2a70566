"""What was sent for a recorded round, and whether a repeated request is the same.

Both sides are compared as canonical JSON, so the same hand in another notation is the same hand.
"""

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import Any

from games.engine.settlement import CardEntry, RoundEntry, parse_round, round_as_dict
from tables.errors import IdempotencyConflictError
from tables.models import Round, SeatHand
from tables.rounds.reader import StoredSeat, entered_content, read_seats


def refuse_difference(what: str, *, recorded: Mapping[str, Any], given: Mapping[str, Any]) -> None:
    """Raise IdempotencyConflictError naming the first field that differs, if one does."""
    place = _first_difference(recorded, given)
    if place is not None:
        raise IdempotencyConflictError(f"{what}; {place} differs", place=place)


def stored_entry(played: Round, hands: Iterable[SeatHand] | None = None) -> RoundEntry:
    """A stored round as the engine takes it; `hands` as `round_content` says."""
    return parse_round(_entered(played, hands), card_entry=CardEntry(played.card_entry))


def round_content(played: Round, hands: Iterable[SeatHand] | None = None) -> dict[str, Any]:
    """What a client sent for a stored round, rebuilt from its rows.

    `hands` are its seat hands in the order of their keys with their bets, for who has read them.
    """
    return {
        "table": played.table.code,
        "occurred_at": played.occurred_at.isoformat(),
        **_entered(played, hands),
    }


def _entered(played: Round, hands: Iterable[SeatHand] | None) -> dict[str, Any]:
    return entered_content(
        read_seats([played.pk])[played.pk] if hands is None else map(StoredSeat.of, hands),
        dealer_cards=played.dealer_cards,
        dealer_low=played.dealer_low,
        dealer_high=played.dealer_high,
    )


def submitted_content(
    *, table_code: str, occurred_at: dt.datetime, entry: RoundEntry
) -> dict[str, Any]:
    """What a client sent this time, in the same form."""
    hands: dict[str, Any] = dict(round_as_dict(entry))
    dealer = hands["dealer"]
    return {
        "table": table_code,
        "occurred_at": occurred_at.isoformat(),
        "dealer": {
            "cards": dealer["cards"],
            "low": dealer.get("low"),
            "high": dealer.get("high"),
        },
        "seats": hands["seats"],
    }


def _first_difference(recorded: Any, given: Any, place: str = "") -> str | None:
    """The path of the first value that differs, in the order of the recorded content."""
    if isinstance(recorded, Mapping) and isinstance(given, Mapping):
        for key in dict.fromkeys([*recorded, *given]):
            below = f"{place}.{key}" if place else str(key)
            found = _first_difference(recorded.get(key), given.get(key), below)
            if found is not None:
                return found
        return None
    if isinstance(recorded, list) and isinstance(given, list):
        for index in range(max(len(recorded), len(given))):
            below = f"{place}[{index}]"
            if index >= len(recorded) or index >= len(given):
                return below
            found = _first_difference(recorded[index], given[index], below)
            if found is not None:
                return found
        return None
    return None if recorded == given else place
