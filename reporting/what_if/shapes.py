"""What-ifs as they are sent and answered."""

import datetime as dt
from collections.abc import Mapping
from typing import Annotated, Any, Final, Generic, Self, TypeVar

from django.urls import reverse
from pydantic import Field, PrivateAttr, create_model

from games.analysis.variants import (
    BREAK_BONUS_LINES,
    DEALER_BREAK_BONUS_LINES,
    STEPS,
    RuleChanges,
    change_faults,
    changes_as_dict,
    read_changes,
    words_of,
)
from games.engine.errors import EngineError
from reporting.what_if.models import WhatIf
from tables.errors import FaultsError, FieldError
from tables.property.models import User
from tables.recording import CommandRequest
from tables.shapes import Answer, AsItIs, BuiltApart, From, Moment, Shape, whole_number

LAST_ROUNDS_DEFAULT: Final = 1_000
LAST_ROUNDS_MAX: Final = 20_000
CHANGES: Final = "changes"
_ODDS: Final = "odds such as `6 to 1` or `7 for 1`"


def _lines(name: str, words: str, lines: tuple[Any, ...]) -> type[Shape]:
    """The lines of a pay table, each with new odds or none."""
    pays = (str | None, Field(default=None, description=f"{_ODDS}; null: pays nothing"))
    fields: dict[str, Any] = {line.value: pays for line in lines}
    return create_model(name, __base__=Shape, __doc__=words, **fields)


DealerBreakBonusChanges = _lines(
    "DealerBreakBonusChanges",
    "The lines of the Dealer Break Bonus that change (BP-7.1).",
    DEALER_BREAK_BONUS_LINES,
)
BreakBonusChanges = _lines(
    "BreakBonusChanges",
    "The lines of the Break Bonus that change (BP-7.2).",
    BREAK_BONUS_LINES,
)


class Changes(Shape):
    """What is to differ from the property's ruleset; what is left out stays."""

    qualifier: str | None = Field(
        default=None,
        description="`none`, a top card such as `A-high`, or a high hand such as `K-3-2` (BP-6.1)",
    )
    house_way: list[int] | None = Field(
        default=None,
        min_length=len(STEPS),
        max_length=len(STEPS),
        description="the seven steps in their new order (BP-5)",
    )
    main: str | None = Field(default=None, description=f"{_ODDS}, of a main bet that wins")
    dealer_break_bonus: DealerBreakBonusChanges | None = None  # type: ignore[valid-type]
    break_bonus: BreakBonusChanges | None = None  # type: ignore[valid-type]


class WhatIfRequest(CommandRequest):
    """A what-if; sending it again repeats the answer."""

    changes: Annotated[Changes, AsItIs()]
    last_rounds: Annotated[int, whole_number(0, LAST_ROUNDS_MAX)] = Field(
        default=LAST_ROUNDS_DEFAULT,
        description="how many of the property's latest rounds to settle anew",
    )
    _changes: RuleChanges = PrivateAttr()

    @classmethod
    def decode_for(cls, actor: User, data: object, *, now: dt.datetime) -> Self:  # noqa: ARG003
        """As `decode`, with the changes read by the mathematics: all faults of both."""
        faults: tuple[FieldError | EngineError, ...] = ()
        request = changes = None
        try:
            request = cls.decode(data, now=now)
        except FaultsError as error:
            faults = error.faults
        if isinstance(data, Mapping) and CHANGES in data:
            try:
                changes = read_changes(data[CHANGES], place=CHANGES)
            except EngineError:
                faults += change_faults(data[CHANGES], place=CHANGES)
        if request is None or changes is None:
            raise FaultsError(faults)
        request._changes = changes  # noqa: SLF001  (its own)
        return request

    def canonical(self) -> dict[str, Any]:
        """The content with every change in the one way of writing it."""
        return {CHANGES: changes_as_dict(self._changes), "last_rounds": self.last_rounds}

    @property
    def words(self) -> str:
        """The changes as a person reads them."""
        return words_of(self._changes)


Of = TypeVar("Of")


class ByWager(Answer, Generic[Of]):
    """The same of each wager."""

    main: Of
    dealer_break_bonus: Of
    break_bonus: Of


class ByPlayer(Answer, Generic[Of]):
    """A player who sets for the highest expected value, and one who sets by the house way."""

    best: Of
    house_way: Of


class NumberOut(Answer):
    """An exact value, and the same rounded."""

    exact: str = Field(description="numerator/denominator")
    decimal: str


class LineOddsOut(Answer):
    """One line of a wager: the event of the main bet, or the pay-table line of a side bet."""

    line: str
    deals: int = Field(description="of `total_deals`")
    rate: NumberOut
    net: str = Field(description="what a stake of one nets, numerator/denominator")


class RatesOut(Answer):
    """The odds of a wager for a stake of one; in a difference, what the second has more."""

    house_edge: NumberOut
    standard_deviation: float
    win_rate: NumberOut
    push_rate: NumberOut
    lose_rate: NumberOut


class WagerOddsOut(RatesOut):
    """The odds of a wager under one ruleset."""

    expected_value: NumberOut
    lines: list[LineOddsOut]


class SideOut(Answer):
    """One of the two rulesets, and its exact odds from full enumeration."""

    ruleset: str
    qualifier: str = Field(description="`none`, or the least high hand")
    house_way: list[int]
    main: str
    dealer_break_bonus: dict[str, str]
    break_bonus: dict[str, str]
    total_deals: int
    players: ByPlayer[ByWager[WagerOddsOut]]


class ResettledOut(Answer):
    """Bets of the property's own rounds, in minor units, seen from the house."""

    bets: int
    handle_minor: int
    house_win_minor: int = Field(description="as recorded")
    what_if_house_win_minor: int
    difference_minor: int


class OwnRoundsOut(Answer):
    """The property's latest rounds, without those voided, settled anew."""

    asked: int
    rounds: int = Field(description="so many there were")
    changed: int = Field(description="rounds in which some bet comes out otherwise")
    of_another_ruleset: int = Field(
        description="rounds that were recorded under another ruleset than `ruleset`"
    )
    currency: str = Field(description="ISO 4217 code of every amount")
    minor_digits: int
    wagers: ByWager[ResettledOut]
    total: ResettledOut


class ResultOut(Answer):
    """The answer to a what-if."""

    today: SideOut
    what_if: SideOut
    differences: ByPlayer[ByWager[RatesOut]]
    rounds: OwnRoundsOut


class WhatIfOut(Answer):
    """A what-if: the question, how far the answer has come, and the answer."""

    id: Annotated[str, From("what_if_id")]
    asked_by: Annotated[str, From("asked_by.username")]
    asked_at: Moment
    ruleset: Annotated[str, From("ruleset_id")] = Field(
        description="the property's when it was asked"
    )
    changes: Annotated[Changes, AsItIs()]
    last_rounds: int
    state: WhatIf.State
    progress: int = Field(ge=0, le=100)
    finished_at: Moment | None
    error: str | None = Field(description="why it failed")
    result: Annotated[ResultOut | None, AsItIs()]
    url: Annotated[str, BuiltApart()] = Field(
        description="ask here until `state` is `done` or `failed`"
    )
    page: Annotated[str, BuiltApart()] = Field(description="the same for people")

    @classmethod
    def parts_of(cls, record: WhatIf) -> dict[str, Any]:
        """The fields of a what-if."""
        return {
            **super().parts_of(record),
            "error": record.error or None,
            "url": reverse("api_what_if", args=[record.what_if_id]),
            "page": reverse("reports-what-if", args=[record.what_if_id]),
        }
