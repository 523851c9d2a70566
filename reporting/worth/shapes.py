"""What a round was worth, as it is answered; the shape of a worth in every answer."""

from fractions import Fraction
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from games.engine.pay_tables import exact
from games.engine.wagers import Wager
from reporting.worth.selectors import DEALER_HANDS, AppraisedBet, AppraisedRound, Misset
from tables.shapes import Answer, BuiltApart, From


def _exact_text(value: Fraction | None) -> str | None:
    return None if value is None else exact(value)


Exact = Annotated[str | None, BeforeValidator(_exact_text)]
"""An exact number that may not be known yet, as `num/den`."""
Minor = int | None
"""A whole number of minor units that may not be known yet."""


class SplitOut(Answer):
    """Why the house won what it won; null while it is not known.

    In whole minor units theoretical win, player error, dealer error and luck add up to the house
    win; luck is what the rounding of the others leaves. The exact amounts add up exactly, with the
    dealer error, which is whole.
    """

    theo_minor: Annotated[Minor, From("shown.theo_minor")] = Field(
        description="Theoretical win: the bets' worth before the deal, with best play."
    )
    player_error_minor: Annotated[Minor, From("shown.player_error_minor")] = Field(
        description="What the players' settings gave away against the best ones."
    )
    dealer_error_minor: Annotated[Minor, From("shown.dealer_error_minor")] = Field(
        description="What the dealers' settings changed against the house way."
    )
    luck_minor: Annotated[Minor, From("shown.luck_minor")] = Field(
        description="What the cards did: the sum of the next two."
    )
    player_luck_minor: Annotated[Minor, From("shown.player_luck_minor")] = Field(
        description="What the players' cards did; negative when they were good."
    )
    dealer_luck_minor: Annotated[Minor, From("shown.dealer_luck_minor")] = Field(
        description="What the dealer's cards did, with rounding of odds and caps."
    )
    setting_theo_minor: Annotated[Minor, From("shown.setting_theo_minor")] = Field(
        description="Theoretical win of the hands as they were set."
    )
    theo: Annotated[Exact, From("split.theo")] = Field(description="Theoretical win.")
    player_error: Annotated[Exact, From("split.player_error")] = Field(description="Player error.")
    player_luck: Annotated[Exact, From("split.player_luck")] = Field(
        description="Luck of the players' cards."
    )
    dealer_luck: Annotated[Exact, From("split.dealer_luck")] = Field(
        description="Luck of the dealer's cards."
    )
    setting_theo: Annotated[Exact, From("split.setting_theo")] = Field(
        description="Theoretical win of the hands as they were set."
    )


class WorthOut(SplitOut):
    """The split of the house win, and how many bets have not been appraised yet."""

    bets_missing: int = Field(
        description="Bets whose worth is not known yet; the split is null while there are any."
    )


class AppraisedBetOut(Answer):
    """One bet: what a stake of one nets the player on the average, and the split of its result.

    All but the bet itself is null while it has not been appraised. Values are exact: `num/den`.
    """

    wager: Wager
    amount_minor: int
    house_win_minor: int
    expected_value: Annotated[Exact, From("values.expected_value")] = Field(
        description="Before the deal, with best play."
    )
    best_value: Annotated[Exact, From("values.best_value")] = Field(
        description="With the seven cards set best."
    )
    setting_value: Annotated[Exact, From("values.setting_value")] = Field(
        description="As the hand was set, against a dealer who sets the house way."
    )
    wins: Annotated[int | None, From("values.wins")] = Field(
        description="Dealer hands, of `dealer_hands`, with which the bet wins."
    )
    pushes: Annotated[int | None, From("values.pushes")] = Field(
        description="Dealer hands with which it pushes."
    )
    losses: Annotated[int | None, From("values.losses")] = Field(
        description="Dealer hands with which it loses."
    )
    best_low: Annotated[str | None, From("values.best_low")] = Field(
        description="The best setting; main bet only."
    )
    best_high: Annotated[str | None, From("values.best_high")]
    split: Annotated[SplitOut, BuiltApart()]

    @classmethod
    def parts_of(cls, record: AppraisedBet) -> dict[str, Any]:
        """The fields of a bet; each of the split is null while there is none."""
        return {**super().parts_of(record), "split": SplitOut.of(record.values)}


class AppraisedSeatOut(Answer):
    """One seat: the hand as it was set, and its bets."""

    seat: int
    cards: str
    low: Annotated[str, From("low_cards")]
    high: Annotated[str, From("high_cards")]
    foul: Annotated[bool, From("is_foul")]
    event: str
    bets: list[AppraisedBetOut]


class MissetSeatOut(Answer):
    """What a misset would have cost at one seat."""

    seat: int
    cost_minor: int


class MissetOut(Answer):
    """A dealer's setting that was not the house way, and what it would have cost."""

    set_low: str
    set_high: str
    required_low: str
    required_high: str
    foul: Annotated[bool, From("cost.is_foul")] = Field(
        description="A foul cannot stand, so it costs nothing."
    )
    cost_minor: Annotated[int, From("cost.total_minor")] = Field(
        description="What the house would have lost, had the setting stood, whatever the ruleset "
        "made of the round; negative if it would have won."
    )
    seats: Annotated[list[MissetSeatOut], BuiltApart()]

    @classmethod
    def parts_of(cls, record: Misset) -> dict[str, Any]:
        """The fields of a misset."""
        seats = [
            MissetSeatOut(seat=seat, cost_minor=cost_minor)
            for seat, cost_minor in record.cost.by_seat.items()
        ]
        return {**super().parts_of(record), "seats": seats}


class RoundWorthOut(Answer):
    """What a recorded round was worth, and why it came out as it did."""

    table: Annotated[str, From("round.table.code")]
    sequence: Annotated[int, From("round.sequence")]
    ruleset: Annotated[str, From("round.ruleset_id")]
    was_voided: Annotated[bool, BuiltApart()] = Field(
        description="It no longer counts; this is what it was."
    )
    house_win_minor: Annotated[int, From("round.house_net_minor")]
    dealer_hands: Annotated[int, BuiltApart()] = Field(
        default=DEALER_HANDS,
        description="The hands that the dealer can hold beside a player's seven cards: C(46,7).",
    )
    worth: WorthOut
    misset: MissetOut | None
    seats: list[AppraisedSeatOut]

    @classmethod
    def parts_of(cls, record: AppraisedRound) -> dict[str, Any]:
        """The fields of an appraised round."""
        return {**super().parts_of(record), "was_voided": hasattr(record.round, "void")}
