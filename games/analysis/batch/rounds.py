"""Many rounds as arrays: what a batch audit takes. BP-1, BP-4, BP-7."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.cards import NO_CARD
from games.engine.hand_setting import HAND_CARDS, HIGH_CARDS, LOW_CARDS
from games.engine.settlement import RoundEntry

_orders: Final = attrgetter("order")
_LOW_NOT_SET: Final = bytes([NO_CARD]) * LOW_CARDS
_HIGH_NOT_SET: Final = bytes([NO_CARD]) * HIGH_CARDS


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class DealerHands:
    """The dealer's hand of each round: card numbers, uint8, a row a round.

    ``cards`` is (n, 7), ``low`` (n, 2), ``high`` (n, 3); the last two are all ``NO_CARD`` where
    the setting was not recorded.
    """

    cards: NDArray[np.uint8]
    low: NDArray[np.uint8]
    high: NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeatHands:
    """The seats of all rounds, a row a seat: those of a round side by side, rounds ascending.

    ``round_of`` is the row of the round (int64), ``seat`` its number (uint8); ``cards``, ``low``
    and ``high`` are card numbers as the dealer's. Stakes are int64 minor units; 0 is no bet.
    """

    round_of: NDArray[np.int64]
    seat: NDArray[np.uint8]
    cards: NDArray[np.uint8]
    low: NDArray[np.uint8]
    high: NDArray[np.uint8]
    main_minor: NDArray[np.int64]
    dealer_break_bonus_minor: NDArray[np.int64]
    break_bonus_minor: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RoundBatch:
    """Rounds that are audited together, in the order in which they came."""

    dealer: DealerHands
    seats: SeatHands

    def __len__(self) -> int:
        """How many rounds there are."""
        return len(self.dealer.cards)

    def take(self, rounds: NDArray[np.int64]) -> "RoundBatch":
        """Return the batch of some of the rounds, given by ascending rows."""
        new_row = np.full(len(self), -1, dtype=np.int64)
        new_row[rounds] = np.arange(len(rounds))
        new_round_of = new_row[self.seats.round_of]
        kept = new_round_of >= 0
        dealer = {f.name: getattr(self.dealer, f.name)[rounds] for f in fields(DealerHands)}
        seats = {f.name: getattr(self.seats, f.name)[kept] for f in fields(SeatHands)}
        seats["round_of"] = new_round_of[kept]
        return RoundBatch(dealer=DealerHands(**dealer), seats=SeatHands(**seats))


def batch_of(entries: Iterable[RoundEntry]) -> RoundBatch:
    """Return the batch of rounds that ``parse_round`` has checked; rank-only cards are welcome."""
    dealer_cards, dealer_low, dealer_high = bytearray(), bytearray(), bytearray()
    cards, low, high, numbers = bytearray(), bytearray(), bytearray(), bytearray()
    round_of: list[int] = []
    stakes: list[tuple[int, int, int]] = []
    for row, entry in enumerate(entries):
        dealer = entry.dealer
        dealer_cards += bytes(map(_orders, dealer.cards))
        dealer_low += _LOW_NOT_SET if dealer.low is None else bytes(map(_orders, dealer.low))
        dealer_high += _HIGH_NOT_SET if dealer.high is None else bytes(map(_orders, dealer.high))
        for seat in entry.seats:
            round_of.append(row)
            numbers.append(seat.seat)
            cards += bytes(map(_orders, seat.cards))
            low += bytes(map(_orders, seat.low))
            high += bytes(map(_orders, seat.high))
            stakes.append(
                (seat.main_minor, seat.dealer_break_bonus_minor or 0, seat.break_bonus_minor or 0)
            )
    by_wager = np.array(stakes, dtype=np.int64).reshape(-1, 3).T.copy()
    return RoundBatch(
        dealer=DealerHands(
            cards=_rows(dealer_cards, HAND_CARDS),
            low=_rows(dealer_low, LOW_CARDS),
            high=_rows(dealer_high, HIGH_CARDS),
        ),
        seats=SeatHands(
            round_of=np.array(round_of, dtype=np.int64),
            seat=np.frombuffer(bytes(numbers), dtype=np.uint8),
            cards=_rows(cards, HAND_CARDS),
            low=_rows(low, LOW_CARDS),
            high=_rows(high, HIGH_CARDS),
            main_minor=by_wager[0],
            dealer_break_bonus_minor=by_wager[1],
            break_bonus_minor=by_wager[2],
        ),
    )


def _rows(raw: bytearray, width: int) -> NDArray[np.uint8]:
    return np.frombuffer(raw, dtype=np.uint8).reshape(-1, width)
