"""The columns beside a stored answer: as they are, and as they follow from an answer."""

from collections.abc import Mapping
from typing import Any

from games.engine.errors import RoundShapeError
from games.engine.hands import high_hand, low_hand
from games.engine.notation import parse_cards
from games.engine.outcomes import Event
from games.engine.wagers import Wager
from tables.rounds.reader import StoredRound


def stored_columns(stored: StoredRound) -> dict[str, Any]:
    """The columns of a stored round by the names under which they are compared.

    Raises EngineError when the setting that was stored as required is none.
    """
    columns: dict[str, Any] = {
        "house_way_step": stored.house_way_step,
        "house_way_rule": stored.house_way_rule,
        "required": _required(stored),
        "compliance": stored.compliance,
        "house_net_minor": stored.house_net_minor,
    }
    for seat in stored.seats:
        place = f"seat {seat.seat}"
        columns[f"{place} event"] = seat.event
        columns[f"{place} is_foul"] = seat.is_foul
        columns[f"{place} net_minor"] = seat.net_minor
        for bet in seat.bets:
            columns[f"{place} {bet.wager} outcome"] = bet.outcome
            columns[f"{place} {bet.wager} line"] = bet.line
            columns[f"{place} {bet.wager} net_minor"] = bet.net_minor
    return columns


def _required(stored: StoredRound) -> str:
    """The setting that was stored as required, by its values: cards of one rank are alike."""
    low, high = (
        parse_cards(getattr(stored, place), card_entry=stored.card_entry, place=place)
        for place in ("required_low", "required_high")
    )
    try:
        return f"{low_hand(low).label} | {high_hand(high).label}"
    except (ValueError, KeyError) as error:
        # No form writes such a column: it was changed behind the records' back.
        message = f"expected columns as they are recorded, got {error!r}"
        raise RoundShapeError(message) from error


def columns_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns that a round with this answer has beside it."""
    dealer = answer["dealer"]
    columns = {
        "house_way_step": dealer["step"],
        "house_way_rule": dealer["rule"],
        "required": f"{dealer['required']['low']} | {dealer['required']['high']}",
        "compliance": dealer["compliance"],
        "house_net_minor": answer["house_net_minor"],
    }
    for seat in answer["seats"]:
        place = f"seat {seat['seat']}"
        columns[f"{place} event"] = seat["event"]
        columns[f"{place} is_foul"] = seat["foul"]
        columns[f"{place} net_minor"] = seat["net_minor"]
        for wager in Wager:
            bet = seat.get(wager.value)
            if bet is not None:
                # What a bet was paid on: ``tables.rounds.services.rounds``.
                line = seat["event"] if wager is Wager.MAIN else bet["line"] or Event.VOID.value
                columns[f"{place} {wager.value} outcome"] = bet["outcome"]
                columns[f"{place} {wager.value} line"] = line
                columns[f"{place} {wager.value} net_minor"] = bet["net_minor"]
    return columns
