"""What an appraisal takes, and what it gives: a bet with its hand, and what the bet was worth."""

from typing import Final, NamedTuple


class BetRow(NamedTuple):
    """A bet with what its worth follows from."""

    pk: int
    wager: str
    hand_id: int
    cards: str
    low: str
    high: str
    round_id: int
    ruleset_id: str
    compliance: str


BET_FIELDS: Final = (
    *("pk", "wager", "seat_hand_id", "seat_hand__cards", "seat_hand__low", "seat_hand__high"),
    *("seat_hand__round_id", "seat_hand__round__ruleset_id", "seat_hand__round__compliance"),
)


class WorthRow(NamedTuple):
    """What a bet was worth; see `BetWorth`, whose columns these are."""

    bet_id: int
    denominator: int
    best_value: int
    setting_value: int
    wins: int
    losses: int
    best_low: str
    best_high: str
    dealer_error_minor: int
