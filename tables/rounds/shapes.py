"""Rounds, voids and misdeals as they are sent and answered."""

import datetime as dt
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import Field, PrivateAttr

from games.engine.errors import EngineError
from games.engine.notation import CardEntry
from games.engine.rulesets import RULESETS
from games.engine.settlement import (
    RoundEntry,
    parse_round,
    round_as_dict,
    round_faults,
)
from tables.errors import FaultsError, FieldError
from tables.permissions import property_of
from tables.property.models import User
from tables.recording import CommandRequest
from tables.rounds.models import Misdeal, Round, RoundVoid
from tables.rounds.settled import StoredSettlement
from tables.shapes import (
    NOTE_LENGTH_MAX,
    REASON_LENGTH_MAX,
    Answer,
    AsItIs,
    BuiltApart,
    From,
    Moment,
    PastInstant,
    Shape,
    SkipJsonSchema,
    text,
    whole_number,
)

TableCode = Annotated[str, text(16)]
Username = Annotated[str, text(150)]


class Bets(Shape):
    """Whole numbers of minor units."""

    main: int = Field(ge=1)
    dealer_break_bonus: int | None = Field(default=None, ge=1)
    break_bonus: int | None = Field(default=None, ge=1)


class SeatHands(Shape):
    """One seat's cards, setting and bets."""

    seat: int = Field(ge=1, le=6)
    cards: str = Field(description="seven cards, such as `As Kd Th 9c 7d 5s Jk`")
    low: str = Field(description="two of them")
    high: str = Field(description="three of them")
    bets: Bets


class DealerHands(Shape):
    """The dealer's cards, and the setting as made; without it, it counts as not recorded."""

    cards: str
    low: str | None = None
    high: str | None = None


class Hands(Shape):
    """The hands of a round. The engine reads them: it names every card that cannot be."""

    dealer: Annotated[DealerHands, AsItIs()]
    seats: Annotated[list[SeatHands], AsItIs()]


class RoundRequest(CommandRequest):
    """A round to settle; sending it again repeats the answer."""

    table: TableCode = Field(description="table code")
    occurred_at: PastInstant
    dealer: Annotated[DealerHands, AsItIs()]
    seats: Annotated[list[SeatHands], AsItIs()]
    _entry: RoundEntry = PrivateAttr()

    @property
    def entry(self) -> RoundEntry:
        """The hands as the engine takes them."""
        return self._entry

    @classmethod
    def decode_for(cls, actor: User, data: object, *, now: dt.datetime) -> Self:
        """As `decode`, with the hands read by the property's card entry: all faults of both."""
        faults: tuple[FieldError | EngineError, ...] = ()
        request = entry = None
        try:
            request = cls.decode(data, now=now)
        except FaultsError as error:
            faults = error.faults
        if isinstance(data, Mapping) and {"dealer", "seats"} <= data.keys():
            hands = {"dealer": data["dealer"], "seats": data["seats"]}
            card_entry = CardEntry(property_of(actor).card_entry)
            try:
                entry = parse_round(hands, card_entry=card_entry)
            except EngineError:
                faults += round_faults(hands, card_entry=card_entry)
        if request is None or entry is None:
            raise FaultsError(faults)
        request._entry = entry  # noqa: SLF001  (its own)
        return request

    @cached_property
    def hands(self) -> dict[str, Any]:
        """The hands with every card in the one notation; a dealer's hand not set is None."""
        hands: dict[str, Any] = dict(round_as_dict(self.entry))
        return {"dealer": {"low": None, "high": None, **hands["dealer"]}, "seats": hands["seats"]}

    def canonical(self) -> dict[str, Any]:
        """The content with every card in the one notation."""
        return {
            "table": self.table,
            "occurred_at": self.occurred_at.isoformat(),
            "dealer": {key: self.hands["dealer"][key] for key in ("cards", "low", "high")},
            "seats": self.hands["seats"],
        }


class Grounds(CommandRequest):
    """Why something irregular is recorded, and on whose authority (BP-8.4)."""

    reason: Annotated[str, text(REASON_LENGTH_MAX)]
    authority: Username = Field(description="user name of a floor supervisor or manager")


class OnRound(CommandRequest):
    """A command about a round, which the address names."""

    table: SkipJsonSchema[str]
    sequence: SkipJsonSchema[int]


class VoidRequest(Grounds, OnRound):
    """Why a round is voided, and on whose authority (BP-8.4)."""

    reason_code: RoundVoid.Reason = Field(strict=False)


class NoteRequest(OnRound):
    """What there is to say about a round, and why it is said."""

    text: Annotated[str, text(NOTE_LENGTH_MAX)]
    reason: Annotated[str, text(REASON_LENGTH_MAX)]


class MisdealRequest(Grounds):
    """A deal that could not be played (BP-8.1)."""

    table: TableCode = Field(description="table code")
    occurred_at: PastInstant
    kind: Misdeal.Kind = Field(strict=False)
    seats_in_play: Annotated[int, whole_number(1, 6)]
    stub_counted: Annotated[int, whole_number(0, 53)] | None = None


class WarningOut(Answer):
    """Something that stands but wants a look."""

    code: str
    message: str
    place: str


class RoundOut(Answer):
    """A recorded round without its hands: what a list shows."""

    id: Annotated[str, From("round_id")]
    table: Annotated[str, From("table.code")]
    sequence: int = Field(description="the number at its table, without gaps")
    occurred_at: Moment
    recorded_at: Moment
    gaming_day: dt.date
    shift: Annotated[str, From("shift.name")]
    dealer_badge: Annotated[str | None, From("dealer.badge")]
    entered_by: Annotated[str, From("entered_by.username")]
    ruleset: Annotated[str, From("ruleset_id")]
    settlement: StoredSettlement
    warnings: Annotated[list[WarningOut], BuiltApart()]
    url: Annotated[str, BuiltApart()] = Field(description="the round's own address")

    @classmethod
    def parts_of(cls, record: Round) -> dict[str, Any]:
        """The fields of a recorded round."""
        return {
            **super().parts_of(record),
            "settlement": {"id": record.round_id, **shown_settlement(record)},
            "warnings": warnings_of(record),
            "url": f"/api/v1/tables/{record.table.code}/rounds/{record.sequence}/",
        }


class VoidOut(Answer):
    """A void: whose, why, on whose authority, and the gaming day it counts in."""

    id: Annotated[str, From("void_id")]
    table: Annotated[str, From("table.code")]
    sequence: Annotated[int, From("round.sequence")]
    reason_code: RoundVoid.Reason
    reason: str
    authority: Annotated[str, From("authority.username")]
    voided_by: Annotated[str, From("voided_by.username")]
    recorded_at: Moment
    gaming_day: dt.date = Field(description="of the void's own time")


class RoundDetailOut(RoundOut):
    """A recorded round with its hands as entered, and its void if there is one."""

    hands: Annotated[Hands, BuiltApart()]
    void: VoidOut | None

    @classmethod
    def with_hands(cls, played: Round, content: Mapping[str, Any]) -> Self:
        """A recorded round; `content` is what was sent for it."""
        void = getattr(played, "void", None)
        return cls(
            **{
                **cls.parts_of(played),
                "hands": Hands(dealer=content["dealer"], seats=content["seats"]),
                "void": None if void is None else VoidOut.of(void),
            }
        )


class PreviewOut(Answer):
    """A settlement of which nothing is stored."""

    settlement: StoredSettlement


class MisdealOut(Answer):
    """A recorded misdeal; its deck is set aside."""

    id: Annotated[str, From("misdeal_id")]
    table: Annotated[str, From("table.code")]
    occurred_at: Moment
    recorded_at: Moment
    gaming_day: dt.date
    dealer_badge: Annotated[str | None, From("dealer.badge")]
    kind: Misdeal.Kind
    seats_in_play: int
    stub_expected: int
    stub_counted: int | None
    reason: str
    authority: Annotated[str, From("authority.username")]
    recorded_by: Annotated[str, From("recorded_by.username")]


class NoteOut(Answer):
    """A note on a round."""

    id: Annotated[str, From("note_id")]
    table: Annotated[str, From("round.table.code")]
    sequence: Annotated[int, From("round.sequence")]
    text: str
    reason: str
    noted_by: Annotated[str, From("noted_by.username")]
    recorded_at: Moment


def shown_settlement(played: Round) -> dict[str, Any]:
    """The settlement of a round as it was stored, with the dealer's step in words."""
    dealer = played.settlement["dealer"]
    required, ruleset = dealer["required"], RULESETS.get(played.ruleset_id)
    steps = {step.number: step for step in ruleset.house_way} if ruleset else {}
    reason = steps[dealer["step"]].words if dealer["step"] in steps else ""
    words = (
        f"Step {dealer['step']} ({dealer['rule']}), {reason}. "
        f"Low {required['low']}, high {required['high']}."
    )
    return {**played.settlement, "dealer": {**dealer, "words": words}}


def warnings_of(played: Round) -> list[WarningOut]:
    """What stands but wants a look: bets outside the limits (BP-8.2), nobody assigned to deal."""
    warnings = [
        WarningOut(
            code="bet_outside_limits",
            message=f"seat {seat['seat']} {wager}: {seat[wager]['amount_minor']} is "
            f"{seat[wager]['limit_breach'].replace('_', ' ')}",
            place=f"seats[{index}].bets.{wager}",
        )
        for index, seat in enumerate(played.settlement["seats"])
        for wager in ("main", "dealer_break_bonus", "break_bonus")
        if seat.get(wager, {}).get("limit_breach")
    ]
    if played.dealer is None:
        message = f"nobody was assigned to table {played.table.code} at that time"
        warnings.append(WarningOut(code="no_dealer_assigned", message=message, place="table"))
    return warnings
