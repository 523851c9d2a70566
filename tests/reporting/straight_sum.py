"""The figures again, added up one round at a time in plain Python: slow and obviously right."""

import datetime as dt
from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from django.conf import settings

from games.analysis.probabilities import odds_of
from games.analysis.setting_values import PlayerKind
from games.analysis.value_store import setting_values
from games.engine.errors import EngineError
from games.engine.notation import CardEntry
from games.engine.rulesets import get_ruleset
from games.engine.settlement import parse_round, settle
from reporting.models import BucketLine
from tables.models import Bet, GamingDay, Round, RoundVoid
from tables.rounds.models import FloorEvent
from tables.rounds.reader import round_content
from tests.analysis.appraisal import BetAppraisal, appraise_round


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
    ruleset_id: str


@dataclass
class Sums:
    """What is added up. `returned` is what the bets as set bring back on the average."""

    number: int = 0
    late_count: int = 0
    handle_minor: int = 0
    house_win_minor: int = 0
    appraised_count: int = 0
    player_error: Fraction = Fraction(0)
    returned: Fraction = Fraction(0)
    dealer_error_minor: int = 0


def straight_sum() -> dict[Key, Sums]:
    """Every line as it has to be, from the records alone."""
    sums: dict[Key, Sums] = defaultdict(Sums)

    def add(event: FloorEvent, labels: tuple[str, str, str, str], bet: int, won: int) -> Sums:
        bucket = (event.table_id, event.dealer_id, event.shift_id, event.gaming_day, event.hour)
        of = sums[Key(*bucket, *labels)]
        of.number += 1
        of.late_count += event.recorded_at >= ends_at[event.gaming_day, event.table.property_id]
        of.handle_minor += bet
        of.house_win_minor += won
        return of

    ends_at = {(day.date, day.property_id): day.ends_at for day in GamingDay.objects.all()}
    voids = {void.round_id: void for void in RoundVoid.objects.select_related("table")}
    for played in Round.objects.select_related("table"):
        ruleset = played.ruleset_id
        postings: list[tuple[FloorEvent, str]] = [(played, "play")]
        if played.pk in voids:
            postings.append((voids[played.pk], "void"))
        worths = worths_of(played)
        for event, posting in postings:
            labels = (posting, "round", played.compliance, ruleset)
            add(event, labels, 0, played.house_net_minor)
            for bet in Bet.objects.filter(seat_hand__round=played).select_related("seat_hand"):
                if bet.outcome == "void":
                    continue
                labels = (posting, bet.wager, bet.line, ruleset)
                of = add(event, labels, bet.amount_minor, -bet.net_minor)
                worth = worths.get((bet.seat_hand.seat, bet.wager))
                if worth is not None:
                    of.appraised_count += 1
                    of.player_error += worth.split.player_error
                    of.returned += bet.amount_minor * (1 + worth.setting_value)
                    of.dealer_error_minor += worth.split.dealer_error_minor
    return dict(sums)


def worths_of(played: Round) -> dict[tuple[int, str], BetAppraisal]:
    """What each bet of a stored round was worth, by seat and wager; nothing if it is unreadable."""
    content = round_content(played)
    ruleset = get_ruleset(played.ruleset_id)
    try:
        entry = parse_round(
            {"dealer": content["dealer"], "seats": content["seats"]},
            card_entry=CardEntry(played.card_entry),
        )
    except EngineError:
        return {}
    folder = settings.ANALYSIS_DIR
    values = setting_values(ruleset, folder=folder)
    odds = odds_of(ruleset, PlayerKind.BEST, folder=folder)
    return {
        (seat.seat, bet.wager.value): bet
        for seat in appraise_round(entry, settle(entry, ruleset), ruleset, values, odds)
        for bet in seat.bets
    }


def stored_lines() -> dict[Key, Sums]:
    """Every line as it is stored."""
    return {
        Key(
            *(line.table_id, line.dealer_id, line.shift_id, line.gaming_day, line.hour),
            *(line.posting, line.subject, line.line, line.ruleset_id),
        ): Sums(
            *(line.count, line.late_count, line.handle_minor, line.house_win_minor),
            line.appraised_count,
            line.player_error_minor + Fraction(line.player_error_rest, line.denominator),
            line.returned_minor + Fraction(line.returned_rest, line.denominator),
            line.dealer_error_minor,
        )
        for line in BucketLine.objects.all()
    }
