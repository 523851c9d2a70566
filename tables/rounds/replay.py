"""What was sent for a recorded round, rebuilt from its rows."""

from collections.abc import Iterable
from typing import Any

from games.engine.settlement import CardEntry, RoundEntry, parse_round
from tables.rounds.models import Round, SeatHand


def stored_entry(played: Round, hands: Iterable[SeatHand] | None = None) -> RoundEntry:
    """A stored round as the engine takes it; `hands` as `round_content` says."""
    content = round_content(played, hands)
    entered = {"dealer": content["dealer"], "seats": content["seats"]}
    return parse_round(entered, card_entry=CardEntry(played.card_entry))


def round_content(played: Round, hands: Iterable[SeatHand] | None = None) -> dict[str, Any]:
    """What a client sent for a stored round, rebuilt from its rows.

    `hands` are its seat hands in the order of their keys with their bets, for who has read them.
    """
    if hands is None:
        hands = played.seat_hands.prefetch_related("bets").order_by("pk")
    seats = []
    for hand in hands:
        bets = {bet.wager: bet.amount_minor for bet in hand.bets.all()}
        seats.append(
            {
                "seat": hand.seat,
                "cards": hand.cards,
                "low": hand.low,
                "high": hand.high,
                "bets": bets,
            }
        )
    return {
        "table": played.table.code,
        "occurred_at": played.occurred_at.isoformat(),
        "dealer": {
            "cards": played.dealer_cards,
            "low": played.dealer_low or None,
            "high": played.dealer_high or None,
        },
        "seats": seats,
    }
