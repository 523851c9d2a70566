"""A batch audit beside the engine's own settlements, field by field."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from games.analysis.batch.audit import BatchAudit, audit_rounds
from games.analysis.batch.cards import NOT_RECORDED_CODE
from games.analysis.batch.rounds import RoundBatch, batch_of
from games.analysis.batch.rules import (
    BREAK_BONUS_LINES,
    COMPLIANCES,
    DEALER_BREAK_BONUS_LINES,
    EVENTS,
    OUTCOMES,
)
from games.analysis.batch.settlement import NOTHING, Bets
from games.analysis.setting_table import CODE_BITS
from games.engine.cards import DECK, JOKER, RANK_CARDS, Card
from games.engine.hands import ALL_HIGH, ALL_LOW
from games.engine.house_way import house_way
from games.engine.notation import CardEntry, format_cards
from games.engine.rulesets import RULES_AS_WRITTEN, Ruleset
from games.engine.settlement import RoundEntry, RoundSettlement, parse_round, settle
from games.engine.wagers import Wager


def random_entries(
    count: int, *, seed: int, card_entry: CardEntry = CardEntry.SUITED, stake_max: int = 10**7
) -> Iterator[RoundEntry]:
    """Rounds of 1 to 6 seats with many fouls; of the dealers' settings a third each are right,
    random and not recorded."""
    rng = random.Random(seed)  # noqa: S311  (test data)
    suited = card_entry is CardEntry.SUITED
    deck = list(DECK) if suited else [JOKER, *RANK_CARDS * 4]
    for _ in range(count):
        numbers = sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
        dealt = rng.sample(deck, 7 * (1 + len(numbers)))
        hands = [dealt[start : start + 7] for start in range(0, len(dealt), 7)]
        seats = [
            {"seat": number, **_set_at_random(rng, hand), "bets": _bets(rng, stake_max)}
            for number, hand in zip(numbers, hands[1:], strict=True)
        ]
        yield parse_round({"dealer": _dealer(rng, hands[0]), "seats": seats}, card_entry=card_entry)


def _dealer(rng: random.Random, hand: Sequence[Card]) -> dict[str, str]:
    way = rng.randrange(3)
    if way == 0:
        return {"cards": format_cards(hand)}
    if way == 1:
        return _set_at_random(rng, hand)
    right = house_way(hand, RULES_AS_WRITTEN)
    return {
        "cards": format_cards(hand),
        "low": format_cards(right.low_cards),
        "high": format_cards(right.high_cards),
    }


def _set_at_random(rng: random.Random, hand: Sequence[Card]) -> dict[str, str]:
    chosen = rng.sample(list(hand), 5)
    return {
        "cards": format_cards(hand),
        "low": format_cards(chosen[:2]),
        "high": format_cards(chosen[2:]),
    }


def _bets(rng: random.Random, stake_max: int) -> dict[str, int]:
    bets = {"main": rng.randint(1, stake_max)}
    for wager in (Wager.DEALER_BREAK_BONUS, Wager.BREAK_BONUS):
        if rng.random() < 0.7:
            bets[wager.value] = rng.randint(1, stake_max)
    return bets


def disagreements(entries: Sequence[RoundEntry], ruleset: Ruleset) -> list[str]:
    """What the batch audit of some rounds says otherwise than ``settle``."""
    batch = batch_of(entries)
    return compare(entries, batch, audit_rounds(batch, ruleset), ruleset)


def compare(
    entries: Sequence[RoundEntry], batch: RoundBatch, audit: BatchAudit, ruleset: Ruleset
) -> list[str]:
    """The fields in which an audit differs from the engine's settlements."""
    found = []
    bounds = np.searchsorted(batch.seats.round_of, np.arange(len(batch) + 1)).tolist()
    for row, entry in enumerate(entries):
        told = _told(settle(entry, ruleset))
        audited = _audited(batch, audit, row, range(bounds[row], bounds[row + 1]))
        if told != audited:
            found += [
                f"round {row} {name}: told {told.get(name)!r}, audited {audited.get(name)!r}"
                for name in told | audited
                if told.get(name) != audited.get(name)
            ]
    return found


def _told(settlement: RoundSettlement) -> dict[str, Any]:
    dealer = settlement.dealer
    told: dict[str, Any] = {
        "is_void": settlement.is_void,
        "house_net_minor": settlement.house_net_minor,
        "rule": dealer.rule,
        "step": dealer.step,
        "required": (dealer.required_low, dealer.required_high),
        "set": (dealer.set_low, dealer.set_high),
        "settled": (dealer.low, dealer.high),
        "is_as_set": dealer.is_as_set,
        "qualifies": dealer.qualifies,
        "lucky_break": dealer.lucky_break,
        "compliance": dealer.compliance,
    }
    for seat in settlement.seats:
        told[f"seat {seat.seat}"] = (
            seat.event,
            seat.foul,
            (seat.low, seat.high),
            (seat.reset_low, seat.reset_high),
            seat.lucky_break,
            seat.net_minor,
        )
        for bet in seat.bets:
            told[f"seat {seat.seat} {bet.wager}"] = (
                bet.amount_minor,
                bet.outcome,
                bet.net_minor,
                bet.line,
                bet.uncapped_net_minor,
            )
    return told


def _audited(batch: RoundBatch, audit: BatchAudit, row: int, seats: range) -> dict[str, Any]:
    settings, dealer, events = audit.settings, audit.dealer, audit.seats
    step = audit.steps[settings.step[row]]
    audited: dict[str, Any] = {
        "is_void": bool(dealer.is_void[row]),
        "house_net_minor": int(audit.house_net_minor[row]),
        "rule": step.rule,
        "step": step.number,
        "required": _labels(settings.required_code[row]),
        "set": _labels(settings.set_code[row]),
        "settled": _labels(dealer.settled_code[row]),
        "is_as_set": bool(dealer.is_as_set[row]),
        "qualifies": bool(dealer.qualifies[row]),
        "lucky_break": bool(dealer.lucky_break[row]),
        "compliance": COMPLIANCES[settings.compliance[row]],
    }
    for seat in seats:
        name = f"seat {batch.seats.seat[seat]}"
        audited[name] = (
            EVENTS[events.event[seat]],
            bool(events.foul[seat]),
            _labels(events.set_code[seat]),
            _labels(events.reset_code[seat]),
            bool(events.lucky_break[seat]),
            int(audit.seat_net_minor[seat]),
        )
        for wager, bets, stakes_minor, lines in (
            (Wager.MAIN, audit.main, batch.seats.main_minor, ()),
            (
                Wager.DEALER_BREAK_BONUS,
                audit.dealer_break_bonus,
                batch.seats.dealer_break_bonus_minor,
                DEALER_BREAK_BONUS_LINES,
            ),
            (
                Wager.BREAK_BONUS,
                audit.break_bonus,
                batch.seats.break_bonus_minor,
                BREAK_BONUS_LINES,
            ),
        ):
            bet = _bet(bets, seat, lines)
            if bet is not None:
                audited[f"{name} {wager}"] = (int(stakes_minor[seat]), *bet)
    return audited


def _bet(bets: Bets, seat: int, lines: Sequence[Any]) -> tuple[Any, ...] | None:
    if bets.outcome[seat] == NOTHING:
        return None
    line = None if bets.line[seat] == NOTHING else lines[bets.line[seat]]
    net, uncapped = int(bets.net_minor[seat]), int(bets.uncapped_net_minor[seat])
    return OUTCOMES[bets.outcome[seat]], net, line, None if net == uncapped else uncapped


def _labels(code: Any) -> tuple[str | None, str | None]:
    if code == NOT_RECORDED_CODE:
        return None, None
    low, high = divmod(int(code), 1 << CODE_BITS)
    return ALL_LOW[low].label, ALL_HIGH[high].label
