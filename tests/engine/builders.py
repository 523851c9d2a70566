"""Small ways to write hands and rounds in engine tests."""

import json
import random
from collections.abc import Sequence
from math import comb, prod
from pathlib import Path
from typing import Any

from games.engine.cards import DECK, RANK_CARDS, Card
from games.engine.hands import HighHand, LowHand, high_hand, low_hand
from games.engine.notation import format_cards, parse_cards
from games.engine.patterns import count_in
from games.engine.rulesets import Ruleset, get_ruleset

GOLDEN = Path(__file__).parent.parent / "data" / "golden"
AS_WRITTEN: Ruleset = get_ruleset("break-poker/rules-as-written@1")
PUBLISHED: Ruleset = get_ruleset("break-poker/published-analysis@1")


def golden_lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text().splitlines()]


def golden(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / name).read_text())
    return found


def cards(text: str) -> tuple[Card, ...]:
    return parse_cards(text)


def low(text: str) -> LowHand:
    return low_hand(parse_cards(text))


def high(text: str) -> HighHand:
    return high_hand(parse_cards(text))


def seat(
    hand: str, low_text: str, high_text: str, *, number: int = 1, main: int = 1000, **bets: int
) -> dict[str, Any]:
    return {
        "seat": number,
        "cards": hand,
        "low": low_text,
        "high": high_text,
        "bets": {"main": main, **bets},
    }


def dealt(
    dealer: str, *seats: dict[str, Any], low: str | None = None, high: str | None = None
) -> dict[str, Any]:
    entry: dict[str, Any] = {"cards": dealer}
    if low is not None:
        entry["low"] = low
    if high is not None:
        entry["high"] = high
    return {"dealer": entry, "seats": list(seats)}


def random_round(
    rng: random.Random, *, seat_count: int = 6, stake_max: int = 10_000_000
) -> dict[str, Any]:
    """A round of random cards, settings (many of them foul) and bets."""
    deck = rng.sample(DECK, 7 * (seat_count + 1))
    seats = []
    for number in range(1, seat_count + 1):
        hand = deck[7 * number : 7 * number + 7]
        chosen = rng.sample(hand, 5)
        bets = {"main": rng.randint(1, stake_max)}
        for wager in ("dealer_break_bonus", "break_bonus"):
            if rng.random() < 0.7:
                bets[wager] = rng.randint(1, stake_max)
        seats.append(
            {
                "seat": number,
                "cards": format_cards(hand),
                "low": format_cards(chosen[:2]),
                "high": format_cards(chosen[2:]),
                "bets": bets,
            }
        )
    chosen = rng.sample(deck[:7], 5)
    return {
        "dealer": {
            "cards": format_cards(deck[:7]),
            "low": format_cards(chosen[:2]),
            "high": format_cards(chosen[2:]),
        },
        "seats": seats,
    }


def shuffled(rng: random.Random, hand: Sequence[Card]) -> tuple[Card, ...]:
    return tuple(rng.sample(list(hand), len(hand)))


def weight_of(pattern: int) -> int:
    """How many sets of physical cards have this rank pattern."""
    return prod(comb(4, count_in(pattern, card.pattern)) for card in RANK_CARDS)
