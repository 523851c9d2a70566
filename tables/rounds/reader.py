"""Stored rounds, read from their rows: the one place that turns columns into rounds again.

Whatever looks at many recorded rounds (audit, what-if, appraisal) reads them here as a stream, in
chunks of bounded size, with three queries a chunk at most. Rounds are never changed, so that the
three are of different moments does no harm.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, NamedTuple, Self

from django.db.models import F, QuerySet, TextField
from django.db.models.functions import Cast

from games.engine.errors import EngineError, RoundShapeError
from games.engine.notation import CardEntry
from games.engine.settlement import RoundEntry, parse_round
from tables.rounds.models import Bet, Round, SeatHand

CHUNK_ROUNDS: Final = 2_048
"""So many rounds are held at once: some 30 MiB with all that is stored of them."""


class StoredBet(NamedTuple):
    """A bet as it is stored, seen by the player; see `Bet`, whose columns these are."""

    key: int
    wager: str
    amount_minor: int
    outcome: str
    line: str
    net_minor: int

    @classmethod
    def of(cls, bet: Bet) -> Self:
        """The bet of a row that has been read already."""
        return cls._make((bet.pk, *(getattr(bet, name) for name in _BET_COLUMNS)))


class StoredSeat(NamedTuple):
    """A seat as it is stored, with its bets by ascending key; see `SeatHand`."""

    key: int
    seat: int
    cards: str
    low: str
    high: str
    event: str
    is_foul: bool
    net_minor: int
    bets: Sequence[StoredBet]

    @classmethod
    def of(cls, hand: SeatHand) -> Self:
        """The seat of a row that has been read already, with its bets."""
        bets = tuple(sorted(map(StoredBet.of, hand.bets.all())))
        return cls._make((hand.pk, *(getattr(hand, name) for name in _SEAT_COLUMNS), bets))


_BET_COLUMNS: Final = StoredBet._fields[1:]
_SEAT_COLUMNS: Final = StoredSeat._fields[1:-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRound:
    """A round as it is stored: what was entered, and what was answered.

    `entered` is what the client sent of hands and bets, as the engine takes it, and `entry` the
    same, parsed. The columns bear their names in `Round`; seats are in ascending order.
    """

    key: int
    property_code: str
    table_code: str
    sequence: int
    ruleset_id: str
    card_entry: CardEntry
    dealer_cards: str
    dealer_low: str
    dealer_high: str
    house_way_step: int
    house_way_rule: str
    required_low: str
    required_high: str
    compliance: str
    house_net_minor: int
    settlement_json: str
    seats: Sequence[StoredSeat]
    entered: Mapping[str, Any]
    entry: RoundEntry

    @property
    def settlement(self) -> Any:
        """The answer as it was first given; decoded at each call, for the few who ask."""
        return json.loads(self.settlement_json)

    @property
    def name(self) -> str:
        """Property, table and sequence, as a person names the round."""
        return _name(self.property_code, self.table_code, self.sequence)


@dataclass(frozen=True, slots=True)
class UnreadableRound:
    """A stored round that cannot have been dealt, and why; the name as that of `StoredRound`."""

    name: str
    error: EngineError


StoredChunk = Sequence[StoredRound | UnreadableRound]

_COLUMNS: Final = (
    *("sequence", "ruleset_id", "card_entry", "dealer_cards", "dealer_low", "dealer_high"),
    *("house_way_step", "house_way_rule", "required_low", "required_high", "compliance"),
    "house_net_minor",
)
_NAMED: Final = {
    "key": F("pk"),
    "property_code": F("table__property__code"),
    "table_code": F("table__code"),
    "settlement_json": Cast("settlement", TextField()),
}


def read_stored_rounds(rounds: QuerySet[Round]) -> Iterator[StoredChunk]:
    """Yield rounds, whatever their filter and order, in chunks of `CHUNK_ROUNDS`.

    One query for all rounds and two a chunk for seats and bets. The first stays open between
    chunks, so who writes meanwhile on SQLite asks for a chunk at a time.
    """
    rows = iter(rounds.values(*_COLUMNS, **_NAMED).iterator(chunk_size=CHUNK_ROUNDS))
    while chunk := list(islice(rows, CHUNK_ROUNDS)):
        seats = read_seats([row["key"] for row in chunk])
        yield [_stored(row, seats[row["key"]]) for row in chunk]


def require_readable(chunk: StoredChunk) -> Iterator[StoredRound]:
    """The rounds of a chunk. Raises the EngineError of the first that cannot be read."""
    for stored in chunk:
        if isinstance(stored, UnreadableRound):
            raise stored.error
        yield stored


def read_seats(round_ids: Collection[int]) -> Mapping[int, Sequence[StoredSeat]]:
    """The seats of some rounds by the key of the round, with their bets: two queries."""
    bets: dict[int, list[StoredBet]] = defaultdict(list)
    bet_rows = Bet.objects.filter(seat_hand__round_id__in=round_ids).order_by("pk")
    for hand_id, *bet in bet_rows.values_list("seat_hand_id", "pk", *_BET_COLUMNS):
        bets[hand_id].append(StoredBet._make(bet))
    seats: dict[int, list[StoredSeat]] = defaultdict(list)
    seat_rows = SeatHand.objects.filter(round_id__in=round_ids).order_by("seat")
    for round_id, key, *seat in seat_rows.values_list("round_id", "pk", *_SEAT_COLUMNS):
        seats[round_id].append(StoredSeat._make((key, *seat, bets[key])))
    return seats


def entered_content(
    seats: Iterable[StoredSeat], *, dealer_cards: str, dealer_low: str, dealer_high: str
) -> dict[str, Any]:
    """What a client sent of hands and bets, rebuilt from columns, as `parse_round` takes it."""
    return {
        "dealer": {"cards": dealer_cards, "low": dealer_low or None, "high": dealer_high or None},
        "seats": [
            {
                "seat": seat.seat,
                "cards": seat.cards,
                "low": seat.low,
                "high": seat.high,
                "bets": {bet.wager: bet.amount_minor for bet in seat.bets},
            }
            for seat in seats
        ],
    }


def _stored(row: dict[str, Any], seats: Sequence[StoredSeat]) -> StoredRound | UnreadableRound:
    dealer = {name: row[name] for name in ("dealer_cards", "dealer_low", "dealer_high")}
    entered = entered_content(seats, **dealer)
    try:
        row["card_entry"] = _card_entry(row["card_entry"])
        entry = parse_round(entered, card_entry=row["card_entry"])
    except EngineError as error:
        name = _name(row["property_code"], row["table_code"], row["sequence"])
        return UnreadableRound(name, error)
    return StoredRound(**row, seats=seats, entered=entered, entry=entry)


def _card_entry(text: str) -> CardEntry:
    try:
        return CardEntry(text)
    except ValueError as error:
        # No form writes such a column: it was changed behind the records' back.
        message = f"expected columns as they are recorded, got {error!r}"
        raise RoundShapeError(message) from error


def _name(property_code: str, table_code: str, sequence: int) -> str:
    return f"{property_code} {table_code}/{sequence}"


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
