"""Random rounds as a clerk's client sends them, for tests and benchmarks over HTTP."""

import datetime as dt
import random
from collections.abc import Iterator
from typing import Any

from games.engine.cards import DECK, Card
from games.engine.house_way import house_way
from games.engine.notation import format_cards
from games.engine.rulesets import DEFAULT_RULESET_ID, get_ruleset

SEATS = 6
BETS_MINOR = {"main": 2500, "dealer_break_bonus": 500, "break_bonus": 500}


def deal_rounds(
    count: int, *, tables: list[str], seed: int, occurred_at: dt.datetime
) -> Iterator[dict[str, Any]]:
    """Six-seat rounds, all three wagers at each seat, table by table; same seed, same rounds."""
    chance = random.Random(seed)  # noqa: S311  (cards of a test)
    for number in range(count):
        cards = chance.sample(DECK, 7 * (SEATS + 1))
        hands = [cards[start : start + 7] for start in range(0, len(cards), 7)]
        yield {
            "id": f"dealt-{seed}-{number}",
            "table": tables[number % len(tables)],
            "occurred_at": occurred_at.isoformat(),
            "dealer": _set_hand(hands[0]),
            "seats": [
                {"seat": seat, **_set_hand(hands[seat]), "bets": dict(BETS_MINOR)}
                for seat in range(1, SEATS + 1)
            ],
        }


def _set_hand(cards: list[Card]) -> dict[str, str]:
    """Any legal setting does; the house way is one."""
    way = house_way(cards, get_ruleset(DEFAULT_RULESET_ID))
    return {
        "cards": format_cards(cards),
        "low": format_cards(way.low_cards),
        "high": format_cards(way.high_cards),
    }
