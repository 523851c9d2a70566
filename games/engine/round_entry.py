"""A round as it was entered: read from decoded JSON, checked once, and written back.

``parse_round`` is the door of the engine. Its way for good rounds only asks whether all is well;
when anything is not, ``round_faults`` finds out what, and the first fault is raised. So there is
one place that words faults, and a round passes exactly when it has none.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from games.engine.cards import Card
from games.engine.dealing import SEATS_MAX
from games.engine.errors import JSON, InvariantViolation, shown
from games.engine.hand_setting import HAND_CARDS, HIGH_CARDS, LOW_CARDS, copies_in_deck
from games.engine.notation import TOKEN_READERS, CardEntry, TokenReader, format_cards
from games.engine.round_faults import round_faults
from games.engine.wagers import STAKE_MINOR_MAX, Wager


class Bet(NamedTuple):
    """One bet of a seat, in minor units."""

    wager: Wager
    amount_minor: int


class DealerEntry(NamedTuple):
    """The dealer's seven cards, and the setting if it was recorded (both hands, or neither)."""

    cards: tuple[Card, ...]
    low: tuple[Card, ...] | None = None
    high: tuple[Card, ...] | None = None


class SeatEntry(NamedTuple):
    """One player's seat (1 to 6), seven cards, setting as set, and stakes; None is no bet."""

    seat: int
    cards: tuple[Card, ...]
    low: tuple[Card, ...]
    high: tuple[Card, ...]
    main_minor: int
    dealer_break_bonus_minor: int | None = None
    break_bonus_minor: int | None = None

    @property
    def bets(self) -> tuple[Bet, ...]:
        """The bets placed, in the order of Wager."""
        stakes = (self.main_minor, self.dealer_break_bonus_minor, self.break_bonus_minor)
        return tuple(
            Bet(wager, stake)
            for wager, stake in zip(Wager, stakes, strict=True)
            if stake is not None
        )


class RoundEntry(NamedTuple):
    """A checked round; seats in ascending order. Only ``parse_round`` should make one."""

    dealer: DealerEntry
    seats: tuple[SeatEntry, ...]


class _NotClean(Exception):  # noqa: N818  (a signal inside this module, never an error outside)
    """Something in the round is not as it should be."""


# Makes a named tuple in half the time of calling its class.
_make: Final = tuple.__new__
_seat_number: Final = attrgetter("seat")


def parse_round(data: object, *, card_entry: CardEntry = CardEntry.SUITED) -> RoundEntry:
    """Return the round that decoded JSON holds (the shape is told in ``round_faults``).

    Seats may come in any order, keys too. Raises the first EngineError of ``round_faults``.

    >>> entry = parse_round({"dealer": {"cards": "As Kd Th 9c 7d 5s 2h"}, "seats": [{"seat": 3,
    ...     "cards": "Jk Kh Ts 9d 7s 5h 2c", "low": "Kh Ts", "high": "Jk 9d 7s",
    ...     "bets": {"main": 1000}}]})
    >>> entry.seats[0].low, entry.seats[0].bets[0].amount_minor
    ((<Kh>, <Ts>), 1000)
    """
    try:
        return _read_round(data, card_entry)
    except (_NotClean, KeyError, TypeError, AttributeError, ValueError):
        # Whatever the quick way stumbled over, the walk below names it.
        faults = round_faults(data, card_entry=card_entry)
    if not faults:
        message = f"a round was refused but has no fault: {shown(data)}"
        raise InvariantViolation(message)
    raise faults[0]


_Cards: TypeAlias = tuple[Card, ...]
_IsPossible: TypeAlias = Callable[[_Cards, _Cards, _Cards], bool]


def _is_possible(cards: _Cards, low: _Cards, high: _Cards) -> bool:
    """Say whether these are seven cards, two low and three high, all out of the seven.

    Of seven different cards two are left exactly when five different ones of them are taken away.
    (Seven cards that are not different do not pass the round.)
    """
    return (
        len(cards) == HAND_CARDS
        and len(low) == LOW_CARDS
        and len(high) == HIGH_CARDS
        and len({*cards}.difference(low, high)) == HAND_CARDS - LOW_CARDS - HIGH_CARDS
    )


def _is_possible_by_ranks(cards: _Cards, low: _Cards, high: _Cards) -> bool:
    """Say the same of rank-only cards, which may be there more than once."""
    return (
        len(cards) == HAND_CARDS
        and len(low) == LOW_CARDS
        and len(high) == HIGH_CARDS
        and not Counter([*low, *high]) - Counter(cards)
    )


# Looking a member up on its enumeration costs as much as reading a card.
_SUITED: Final = CardEntry.SUITED
_POSSIBLE: Final[Mapping[CardEntry, _IsPossible]] = MappingProxyType(
    {CardEntry.SUITED: _is_possible, CardEntry.RANKS: _is_possible_by_ranks}
)


def _read_round(data: Any, card_entry: CardEntry) -> RoundEntry:
    """Read a round, or stop with any error at the first thing that is not clean."""
    if not isinstance(data, dict) or len(data) != 2:
        raise _NotClean
    is_possible = _POSSIBLE[card_entry]
    card_of = TOKEN_READERS[card_entry]
    dealer = _read_dealer(data["dealer"], card_of, is_possible)
    seats_in = data["seats"]
    if not isinstance(seats_in, list) or not 1 <= len(seats_in) <= SEATS_MAX:
        raise _NotClean
    seats = [_read_seat(seat_in, card_of, is_possible) for seat_in in seats_in]
    if len(seats) > 1:
        seats.sort(key=_seat_number)
        if len({seat.seat for seat in seats}) != len(seats):
            raise _NotClean
    if card_entry is _SUITED:
        seen = {*dealer.cards}
        for seat in seats:
            seen.update(seat.cards)
        if len(seen) != HAND_CARDS * (1 + len(seats)):
            raise _NotClean
    else:
        counts = Counter(dealer.cards)
        for seat in seats:
            counts.update(seat.cards)
        if any(count > copies_in_deck(card) for card, count in counts.items()):
            raise _NotClean
    return RoundEntry(dealer, tuple(seats))


def _read_dealer(dealer_in: Any, card_of: TokenReader, is_possible: _IsPossible) -> DealerEntry:
    if not isinstance(dealer_in, dict):
        raise _NotClean
    cards = tuple(map(card_of, dealer_in["cards"].split()))
    low_in: Any = dealer_in.get("low")
    high_in: Any = dealer_in.get("high")
    if len(dealer_in) != 1 + ("low" in dealer_in) + ("high" in dealer_in):
        raise _NotClean
    if low_in is None and high_in is None:
        if len(cards) != HAND_CARDS:
            raise _NotClean
        return DealerEntry(cards)
    low = tuple(map(card_of, low_in.split()))
    high = tuple(map(card_of, high_in.split()))
    if not is_possible(cards, low, high):
        raise _NotClean
    return DealerEntry(cards, low, high)


def _read_seat(seat_in: Any, card_of: TokenReader, is_possible: _IsPossible) -> SeatEntry:
    if not isinstance(seat_in, dict) or len(seat_in) != 5:
        raise _NotClean
    number = seat_in["seat"]
    if type(number) is not int or not 1 <= number <= SEATS_MAX:
        raise _NotClean
    cards = tuple(map(card_of, seat_in["cards"].split()))
    low = tuple(map(card_of, seat_in["low"].split()))
    high = tuple(map(card_of, seat_in["high"].split()))
    if not is_possible(cards, low, high):
        raise _NotClean
    bets_in = seat_in["bets"]
    if not isinstance(bets_in, dict):
        raise _NotClean
    main = bets_in["main"]
    dealer_break_bonus = bets_in.get("dealer_break_bonus")
    break_bonus = bets_in.get("break_bonus")
    placed = 1 + (dealer_break_bonus is not None) + (break_bonus is not None)
    if len(bets_in) != placed:
        raise _NotClean
    for stake in bets_in.values():
        if type(stake) is not int or not 0 < stake <= STAKE_MINOR_MAX:
            raise _NotClean
    return _make(SeatEntry, (number, cards, low, high, main, dealer_break_bonus, break_bonus))


def round_as_dict(entry: RoundEntry) -> dict[str, JSON]:
    """Return the round as JSON in canonical form: ``parse_round`` of it gives the entry again.

    Cards in canonical text and in the order entered, seats ascending, bets in the order of Wager.
    """
    dealer: dict[str, JSON] = {"cards": format_cards(entry.dealer.cards)}
    if entry.dealer.low is not None and entry.dealer.high is not None:
        dealer["low"] = format_cards(entry.dealer.low)
        dealer["high"] = format_cards(entry.dealer.high)
    return {"dealer": dealer, "seats": [_seat_as_dict(seat) for seat in entry.seats]}


def _seat_as_dict(seat: SeatEntry) -> dict[str, JSON]:
    return {
        "seat": seat.seat,
        "cards": format_cards(seat.cards),
        "low": format_cards(seat.low),
        "high": format_cards(seat.high),
        "bets": {bet.wager.value: bet.amount_minor for bet in seat.bets},
    }
