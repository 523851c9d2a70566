"""Reports as they are answered."""

import datetime as dt
from fractions import Fraction
from typing import Annotated

from pydantic import BeforeValidator, Field

from games.engine.wagers import Wager
from reporting.figures.decimals import fixed
from reporting.figures.metrics import HOLD_ON_HANDLE_DECIMALS, GroupBy
from reporting.worth.shapes import WorthOut
from tables.shapes import Answer, From, Moment


def _ratio_text(value: Fraction | None) -> str | None:
    return None if value is None else fixed(value, HOLD_ON_HANDLE_DECIMALS)


Ratio = Annotated[str | None, BeforeValidator(_ratio_text)]
_HOLD = Field(
    description="House win by handle, as a decimal text; null when nothing was bet.",
    pattern=rf"^-?[0-9]+\.[0-9]{{{HOLD_ON_HANDLE_DECIMALS}}}$",
)


class LineOut(Answer):
    """The bets of a wager that were settled on one line."""

    line: str
    hits: Annotated[int, From("tally.count")]
    handle_minor: Annotated[int, From("tally.handle_minor")]
    house_win_minor: Annotated[int, From("tally.house_win_minor")]


class WagerOut(Answer):
    """The bets of one wager, and what the house won of them, in minor units."""

    wager: Wager
    bets: Annotated[int, From("total.count")]
    handle_minor: Annotated[int, From("total.handle_minor")]
    house_win_minor: Annotated[int, From("total.house_win_minor")]
    hold_on_handle: Annotated[Ratio, From("total.hold_on_handle")] = _HOLD
    worth: WorthOut
    lines: list[LineOut]


class ComplianceOut(Answer):
    """Rounds by how the dealer's setting compared with the house way."""

    match: Annotated[int, From("matches")]
    deviation: Annotated[int, From("deviations")]
    not_recorded: int


class FiguresOut(Answer):
    """All that is counted of some rounds; money in minor units."""

    rounds: int
    late_rounds: int = Field(description="Those recorded after their gaming day had ended.")
    decisions: int = Field(description="Main bets settled.")
    handle_minor: Annotated[int, From("bets.handle_minor")]
    house_win_minor: Annotated[int, From("bets.house_win_minor")]
    hold_on_handle: Annotated[Ratio, From("bets.hold_on_handle")] = _HOLD
    worth: WorthOut
    compliance: Annotated[ComplianceOut, From("")]
    wagers: list[WagerOut]


class PostingsOut(Answer):
    """What was played, what was voided, and the one less the other.

    A void counts at its own time: a day that is over keeps its figures.
    """

    net: FiguresOut
    play: FiguresOut
    voids: FiguresOut


class PerformanceRowOut(PostingsOut):
    """One table, dealer, shift, gaming day or hour."""

    key: Annotated[str | None, From("group.key")] = Field(
        description="Table code, badge, date, or the instant at which the shift or hour begins; "
        "null for rounds without an assigned dealer."
    )
    label: Annotated[str, From("group.label")]
    net: Annotated[FiguresOut, From("figures.net")]
    play: Annotated[FiguresOut, From("figures.play")]
    voids: Annotated[FiguresOut, From("figures.voids")]


class PerformanceReportOut(Answer):
    """The figures of a range of gaming days."""

    from_: Annotated[dt.date, From("first_day")] = Field(serialization_alias="from")
    to: Annotated[dt.date, From("last_day")]
    group_by: GroupBy
    currency: Annotated[str, From("property.currency")] = Field(
        description="ISO 4217 code of every amount."
    )
    minor_digits: Annotated[int, From("property.minor_digits")] = Field(
        description="How many digits of every amount are behind the point."
    )
    rolled_up_at: Moment | None
    is_current: bool = Field(
        description="False while something that was entered is not yet in the figures."
    )
    rows: list[PerformanceRowOut]
    totals: PostingsOut
