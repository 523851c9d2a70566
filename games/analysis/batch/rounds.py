"""Many rounds as arrays: what a batch audit takes. BP-1, BP-4, BP-7."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.cards import NO_CARD
from games.analysis.kernels import kernel
from games.engine.cards import DECK, JOKER, RANK_CARDS
from games.engine.dealing import SEATS_MAX
from games.engine.errors import (
    DuplicateCardError,
    EngineError,
    RoundShapeError,
    SeatError,
    SettingError,
    WagerLimitError,
)
from games.engine.hand_setting import HAND_CARDS, HIGH_CARDS, LOW_CARDS, copies_in_deck
from games.engine.notation import CardEntry
from games.engine.settlement import RoundEntry
from games.engine.wagers import STAKE_MINOR_MAX

_orders: Final = attrgetter("order")
_NOT_SET: Final = bytes([NO_CARD]) * HAND_CARDS


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
        if dealer.low is None or dealer.high is None:
            dealer_low += _NOT_SET[:LOW_CARDS]
            dealer_high += _NOT_SET[:HIGH_CARDS]
        else:
            dealer_low += bytes(map(_orders, dealer.low))
            dealer_high += bytes(map(_orders, dealer.high))
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


def check_batch(batch: RoundBatch, *, card_entry: CardEntry = CardEntry.SUITED) -> None:
    """Refuse a batch that no table can have dealt; what ``batch_of`` makes never is.

    For arrays from elsewhere: the audit itself trusts its input. Raises RoundShapeError for
    arrays that do not belong together, SeatError, DuplicateCardError, SettingError and
    WagerLimitError, each with the first row that is wrong as the place (``seats[5]``).
    """
    _check_shapes(batch)
    dealer, seats = batch.dealer, batch.seats
    per_round = np.bincount(seats.round_of, minlength=len(batch))
    in_order = np.diff(seats.round_of * (SEATS_MAX + 1) + seats.seat) > 0
    _refuse(SeatError, "expected 1 to 6 seats", "dealer", (per_round < 1) | (per_round > SEATS_MAX))
    _refuse(SeatError, "expected a seat of 1 to 6", "seats", (seats.seat < 1) | (seats.seat > 6))
    _refuse(SeatError, "expected ascending seats", "seats", np.append([False], ~in_order))
    row = _first_wrong_deal(dealer.cards, seats.cards, per_round, _copies(card_entry))
    if row >= 0:
        message = f"expected different cards of 0 to {len(DECK) - 1} in one round"
        raise DuplicateCardError(message, place=f"dealer[{row}]")
    is_set = (dealer.low != NO_CARD).any(axis=1) | (dealer.high != NO_CARD).any(axis=1)
    for place, hands, judged in (("dealer", dealer, is_set), ("seats", seats, seats.seat > 0)):
        wrong = _wrong_settings(hands.cards, hands.low, hands.high)
        _refuse(SettingError, "expected five cards of the hand", place, wrong & judged)
    stakes = (seats.main_minor, seats.dealer_break_bonus_minor, seats.break_bonus_minor)
    for stake_minor, least in zip(stakes, (1, 0, 0), strict=True):
        wrong = (stake_minor < least) | (stake_minor > STAKE_MINOR_MAX)
        message = f"expected a stake of {least} to {STAKE_MINOR_MAX}"
        _refuse(WagerLimitError, message, "seats", wrong)


def _refuse(error: type[EngineError], message: str, place: str, wrong: NDArray[np.bool_]) -> None:
    if wrong.any():
        raise error(message, place=f"{place}[{int(wrong.argmax())}]")


def _check_shapes(batch: RoundBatch) -> None:
    widths = {"cards": (HAND_CARDS,), "low": (LOW_CARDS,), "high": (HIGH_CARDS,)}
    bytes_wide = {"cards", "low", "high", "seat"}
    for place, table, length in (
        ("dealer", batch.dealer, len(batch)),
        ("seats", batch.seats, len(batch.seats.seat)),
    ):
        for item in fields(table):
            array = getattr(table, item.name)
            shape = (length, *widths.get(item.name, ()))
            dtype = np.uint8 if item.name in bytes_wide else np.int64
            if array.shape != shape or array.dtype != dtype:
                message = f"expected {dtype.__name__} {shape}, got {array.dtype} {array.shape}"
                raise RoundShapeError(message, place=f"{place}.{item.name}")
    round_of = batch.seats.round_of
    _refuse(
        RoundShapeError, "expected a round of the batch", "seats",
        (round_of < 0) | (round_of >= len(batch)),
    )  # fmt: skip


@kernel
def _first_wrong_deal(
    dealer: NDArray[np.uint8],
    seats: NDArray[np.uint8],
    per_round: NDArray[np.int64],
    copies: NDArray[np.int64],
) -> int:
    """Return the first round with a card more often than ``copies`` of it; -1 if there is none.

    The seats of a round stand side by side, which has been checked. Counts are below 50.
    """
    start = 0
    for row in range(len(dealer)):
        left = copies.copy()
        for card in dealer[row]:
            left[card] -= 1
        for seat in range(start, start + per_round[row]):
            for card in seats[seat]:
                left[card] -= 1
        start += per_round[row]
        if left.min() < 0:
            return row
    return -1


def _copies(card_entry: CardEntry) -> NDArray[np.int64]:
    """Return how often each number may be in a round; 0 for what is no card. BP-8.1, BP-10."""
    copies = np.zeros(256, dtype=np.int64)
    for card in DECK if card_entry is CardEntry.SUITED else (JOKER, *RANK_CARDS):
        copies[card.order] = copies_in_deck(card)
    return copies


def _wrong_settings(
    cards: NDArray[np.uint8], low: NDArray[np.uint8], high: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """Say of each row whether the five set cards are not among the seven, copies counted."""
    used = np.concatenate([low, high], axis=1)
    wrong = np.zeros(len(cards), dtype=np.bool_)
    for column in range(used.shape[1]):
        card = used[:, column : column + 1]
        wrong |= (used == card).sum(axis=1) > (cards == card).sum(axis=1)
    return wrong
