"""Reading the rounds of gaming days for an audit, in chunks of bounded size."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet

from games.engine.errors import EngineError, RoundShapeError
from games.engine.hands import high_hand, low_hand
from games.engine.notation import CardEntry, parse_cards
from games.engine.settlement import RoundEntry, parse_round
from tables.errors import ConflictError, NotFoundError
from tables.models import Bet, Property, Round, SeatHand

CHUNK_ROUNDS: Final = 2_048
"""So many rounds are held at once: some 30 MiB with all that is stored of them."""


class StoredRound(NamedTuple):
    """A round as it is stored: what was entered, and what was answered.

    ``name`` is table and sequence; ``settlement`` the answer as first given; ``columns`` the
    figures beside it, by the names that ``reporting.compliance.round_audit`` compares.
    """

    name: str
    ruleset_id: str
    entry: RoundEntry
    settlement: Any
    columns: dict[str, Any]


@dataclass(frozen=True, slots=True)
class UnreadableRound:
    """A stored round that cannot have been dealt, and why."""

    name: str
    error: EngineError


StoredChunk = Sequence[StoredRound | UnreadableRound]


def list_rounds_to_audit(
    *, first_day: dt.date, last_day: dt.date, property_code: str | None
) -> QuerySet[Round]:
    """The rounds of gaming days, both included, as they were entered; voided ones too."""
    rounds = Round.objects.filter(gaming_day__gte=first_day, gaming_day__lte=last_day)
    if property_code is not None:
        rounds = rounds.filter(table__property__code=property_code)
    return rounds.order_by("pk")


def get_rounds_to_audit(
    *, first_day: dt.date, last_day: dt.date, property_code: str | None
) -> QuerySet[Round]:
    """The same, for a person at the server, who may see every property.

    Raises NotFoundError for a code that no property has, and ConflictError when the rounds were
    played in several currencies, which cannot be added up.
    """
    if property_code is not None and not Property.objects.filter(code=property_code).exists():
        raise NotFoundError(f"expected the code of a property, got {property_code!r}")
    rounds = list_rounds_to_audit(
        first_day=first_day, last_day=last_day, property_code=property_code
    )
    currencies = list_currencies(rounds)
    if len(currencies) > 1:
        names = ", ".join(currencies)
        raise ConflictError(f"expected one currency, got {names}: name a --property")
    return rounds


def list_currencies(rounds: QuerySet[Round]) -> list[str]:
    """The currencies in which some rounds were played."""
    found = rounds.order_by().values_list("table__property__currency", flat=True).distinct()
    return sorted(found)


def read_stored_rounds(rounds: QuerySet[Round]) -> Iterator[StoredChunk]:
    """Yield rounds with seats and bets in chunks of ``CHUNK_ROUNDS``: three queries a chunk.

    Rounds are never changed, so that the three are of different moments does no harm.
    """
    rows = iter(rounds.values(*_ROUND_FIELDS).iterator(chunk_size=CHUNK_ROUNDS))
    while chunk := list(islice(rows, CHUNK_ROUNDS)):
        keys = [row["pk"] for row in chunk]
        seats = _by(
            "round_id", SeatHand.objects.filter(round_id__in=keys).order_by("seat").values()
        )
        bets = _by(
            "seat_hand_id",
            Bet.objects.filter(seat_hand__round_id__in=keys).order_by("pk").values(),
        )
        yield [_stored(row, seats[row["pk"]], bets) for row in chunk]


_ROUND_FIELDS: Final = (
    "pk",
    "table__code",
    "table__property__code",
    "sequence",
    "ruleset_id",
    "card_entry",
    "dealer_cards",
    "dealer_low",
    "dealer_high",
    "house_way_step",
    "house_way_rule",
    "required_low",
    "required_high",
    "compliance",
    "house_net_minor",
    "settlement",
)
_Row = Mapping[str, Any]


def _by(key: str, rows: Iterable[_Row]) -> Mapping[int, Sequence[_Row]]:
    found: dict[int, list[_Row]] = defaultdict(list)
    for row in rows:
        found[row[key]].append(row)
    return found


def _stored(
    row: _Row, seats: Sequence[_Row], bets: Mapping[int, Sequence[_Row]]
) -> StoredRound | UnreadableRound:
    name = f"{row['table__property__code']} {row['table__code']}/{row['sequence']}"
    dealer = {"cards": row["dealer_cards"]}
    if row["dealer_low"]:
        dealer |= {"low": row["dealer_low"], "high": row["dealer_high"]}
    entered = {
        "dealer": dealer,
        "seats": [
            {
                "seat": seat["seat"],
                "cards": seat["cards"],
                "low": seat["low"],
                "high": seat["high"],
                "bets": {bet["wager"]: bet["amount_minor"] for bet in bets[seat["id"]]},
            }
            for seat in seats
        ],
    }
    try:
        card_entry = CardEntry(row["card_entry"])
        entry = parse_round(entered, card_entry=card_entry)
        required = _required(row, card_entry)
    except EngineError as error:
        return UnreadableRound(name, error)
    except (ValueError, KeyError) as error:
        # No form writes such a column: it was changed behind the records' back.
        message = f"expected columns as they are recorded, got {error!r}"
        return UnreadableRound(name, RoundShapeError(message))
    columns: dict[str, Any] = {
        "house_way_step": row["house_way_step"],
        "house_way_rule": row["house_way_rule"],
        "required": required,
        "compliance": row["compliance"],
        "house_net_minor": row["house_net_minor"],
    }
    for seat in seats:
        place = f"seat {seat['seat']}"
        columns[f"{place} event"] = seat["event"]
        columns[f"{place} is_foul"] = seat["is_foul"]
        columns[f"{place} net_minor"] = seat["net_minor"]
        for bet in bets[seat["id"]]:
            for field in ("outcome", "line", "net_minor"):
                columns[f"{place} {bet['wager']} {field}"] = bet[field]
    return StoredRound(name, row["ruleset_id"], entry, row["settlement"], columns)


def _required(row: _Row, card_entry: CardEntry) -> str:
    """The setting that was stored as required, by its values: cards of one rank are alike."""
    low = parse_cards(row["required_low"], card_entry=card_entry, place="required_low")
    high = parse_cards(row["required_high"], card_entry=card_entry, place="required_high")
    return f"{low_hand(low).label} | {high_hand(high).label}"
