"""The figures again, added up one round at a time in plain Python: slow and obviously right."""

import datetime as dt
from collections import Counter
from typing import NamedTuple

from reporting.models import BucketLine
from tables.models import Bet, GamingDay, Round, RoundVoid
from tables.models.rounds import FloorEvent


class Key(NamedTuple):
    """What a line of the figures stands for."""

    table_id: int
    dealer_id: int | None
    shift_id: int
    gaming_day: dt.date
    hour: dt.datetime
    posting: str
    subject: str
    line: str


class Sums(NamedTuple):
    """What is added up."""

    number: int
    late_count: int
    handle_minor: int
    house_win_minor: int


def straight_sum() -> dict[Key, Sums]:
    """Every line as it has to be, from the records alone."""
    count: Counter[Key] = Counter()
    late: Counter[Key] = Counter()
    handle: Counter[Key] = Counter()
    win: Counter[Key] = Counter()

    def add(event: FloorEvent, posting: str, subject: str, line: str, bet: int, won: int) -> None:
        key = Key(
            *(event.table_id, event.dealer_id, event.shift_id, event.gaming_day, event.hour),
            *(posting, subject, line),
        )
        count[key] += 1
        late[key] += event.recorded_at >= ends_at[event.gaming_day, event.table.property_id]
        handle[key] += bet
        win[key] += won

    ends_at = {(day.date, day.property_id): day.ends_at for day in GamingDay.objects.all()}
    voids = {void.round_id: void for void in RoundVoid.objects.select_related("table")}
    for played in Round.objects.select_related("table"):
        postings: list[tuple[FloorEvent, str]] = [(played, "play")]
        if played.pk in voids:
            postings.append((voids[played.pk], "void"))
        for event, posting in postings:
            add(event, posting, "round", played.compliance, 0, played.house_net_minor)
            for bet in Bet.objects.filter(seat_hand__round=played):
                if bet.outcome != "void":
                    add(event, posting, bet.wager, bet.line, bet.amount_minor, -bet.net_minor)
    return {key: Sums(count[key], late[key], handle[key], win[key]) for key in count}


def stored_lines() -> dict[Key, Sums]:
    """Every line as it is stored."""
    return {
        Key(
            *(line.table_id, line.dealer_id, line.shift_id, line.gaming_day, line.hour),
            *(line.posting, line.subject, line.line),
        ): Sums(line.count, line.late_count, line.handle_minor, line.house_win_minor)
        for line in BucketLine.objects.all()
    }
