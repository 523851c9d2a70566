"""Everything wrong with a round as it was entered, for the people who must put it right.

``data`` is decoded JSON: ``{"dealer": {"cards", "low"?, "high"?}, "seats": [{"seat", "cards",
"low", "high", "bets": {"main", "dealer_break_bonus"?, "break_bonus"?}}]}``.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Final

from games.engine.cards import Card
from games.engine.dealing import SEATS_MAX
from games.engine.errors import (
    JSON,
    DuplicateCardError,
    EngineError,
    HandSizeError,
    RoundShapeError,
    SeatError,
    SettingError,
    SideBetWithoutMainError,
    WagerAmountError,
    WagerLimitError,
    shown,
)
from games.engine.hand_setting import (
    HAND_CARDS,
    HIGH_CARDS,
    LOW_CARDS,
    SettingFault,
    copies_in_deck,
)
from games.engine.notation import CardEntry, card_faults, parse_cards
from games.engine.wagers import STAKE_MINOR_MAX, Wager

UNKNOWN_KEYS_MAX: Final = 16
"""At most so many unknown keys of one object are reported one by one."""

_ROUND_KEYS: Final = ("dealer", "seats")
_DEALER_KEYS: Final = ("cards", "low", "high")
_SEAT_KEYS: Final = ("seat", "cards", "low", "high", "bets")
_WAGERS: Final = tuple(wager.value for wager in Wager)


def round_faults(
    data: object, *, card_entry: CardEntry = CardEntry.SUITED
) -> tuple[EngineError, ...]:
    """Return every fault of an entered round, in the order of the document; () if there is none.

    A fault that only follows from another (a card of an unreadable hand is not in that hand) is
    left out. A foul is no fault: it is stored as set, and loses. BP-4.3

    >>> [fault.place for fault in round_faults({"dealer": {"cards": "As"}, "seats": []})]
    ['dealer.cards', 'seats']
    """
    walk = _Walk(card_entry)
    walk.look_at_round(data)
    return tuple(walk.faults)


class _Walk:
    """One walk through a document, collecting faults and where each card was seen."""

    def __init__(self, card_entry: CardEntry) -> None:
        self.faults: list[EngineError] = []
        self._card_entry = card_entry
        self._places: dict[Card, list[str]] = {}
        self._seat_places: dict[int, str] = {}

    def look_at_round(self, data: object) -> None:
        found = self._keys_of(data, "", _ROUND_KEYS, required=_ROUND_KEYS)
        if found is None:
            return
        if "dealer" in found:
            self._look_at_dealer(found["dealer"])
        if "seats" in found:
            self._look_at_seats(found["seats"])

    def _look_at_dealer(self, dealer: object) -> None:
        found = self._keys_of(dealer, "dealer", _DEALER_KEYS, required=("cards",))
        if found is None:
            return
        cards = self._look_at_hand(found, "dealer", {})
        low, high = found.get("low"), found.get("high")
        if low is None and high is None:
            return
        for name, value in (("low", low), ("high", high)):
            if value is None:
                message = "expected both the low and the high hand of the dealer, or neither"
                self._add(RoundShapeError(message, place=f"dealer.{name}"))
        if low is not None and high is not None:
            self._look_at_setting(cards, low, high, "dealer", {})

    def _look_at_seats(self, seats: object) -> None:
        if not isinstance(seats, list):
            message = f"expected a list of seats, got {shown(seats)}"
            self._add(RoundShapeError(message, place="seats"))
            return
        if not 1 <= len(seats) <= SEATS_MAX:
            message = f"expected 1 to {SEATS_MAX} seats, got {len(seats)}"
            self._add(SeatError(message, place="seats", detail={"count": len(seats)}))
        for index, seat in enumerate(seats[:SEATS_MAX]):
            self._look_at_seat(seat, f"seats[{index}]")

    def _look_at_seat(self, seat: object, place: str) -> None:
        found = self._keys_of(seat, place, _SEAT_KEYS, required=_SEAT_KEYS)
        if found is None:
            return
        known: dict[str, int] = {}
        if "seat" in found:
            known = self._look_at_seat_number(found["seat"], f"{place}.seat")
        cards = self._look_at_hand(found, place, known)
        if "low" in found and "high" in found:
            self._look_at_setting(cards, found["low"], found["high"], place, known)
        if "bets" in found:
            self._look_at_bets(found["bets"], f"{place}.bets", known)

    def _look_at_seat_number(self, number: object, place: str) -> dict[str, int]:
        """Return ``{"seat": number}`` for the details of later faults, or {} if it is none."""
        if type(number) is not int:
            message = f"expected a seat number, got {shown(number)}"
            self._add(RoundShapeError(message, place=place, detail={"value": shown(number)}))
            return {}
        if not 1 <= number <= SEATS_MAX:
            message = f"expected a seat from 1 to {SEATS_MAX}, got {shown(number)}"
            self._add(SeatError(message, place=place, detail={"value": shown(number)}))
            return {}
        first = self._seat_places.setdefault(number, place)
        if first != place:
            message = f"expected each seat once, got seat {number} in {first} and in {place}"
            detail: dict[str, JSON] = {"seat": number, "places": [first, place]}
            self._add(SeatError(message, place=place, detail=detail))
        return {"seat": number}

    def _look_at_hand(
        self, owner: dict[str, object], owner_place: str, known: dict[str, int]
    ) -> tuple[Card, ...] | None:
        """Return the seven cards of a hand, if that is what it holds. BP-1.4, BP-8.1."""
        if "cards" not in owner:
            return None
        place = f"{owner_place}.cards"
        cards = self._read_cards(owner["cards"], place, known)
        if cards is None:
            return None
        if len(cards) != HAND_CARDS:
            message = f"expected {HAND_CARDS} cards, got {len(cards)}: {shown(owner['cards'])}"
            detail = {**known, "count": len(cards)}
            self._add(HandSizeError(message, place=place, detail=detail))
        for card in cards[: HAND_CARDS + 1]:
            self._note_card(card, place, known)
        return cards if len(cards) == HAND_CARDS else None

    def _note_card(self, card: Card, place: str, known: dict[str, int]) -> None:
        places = self._places.setdefault(card, [])
        places.append(place)
        copies = copies_in_deck(card)
        if len(places) != copies + 1:
            # Fewer are fine; of more, the first one too many has been told.
            return
        first = places[0]
        where = f"twice in {place}" if first == place else f"in {place} and in {first}"
        if copies > 1:
            where = f"in {', '.join(places)}, and a deck holds {copies}"
        message = f"expected each card once in a round, but {card.code} is {where}"
        detail: dict[str, JSON] = {**known, "card": card.code, "places": list(places)}
        self._add(DuplicateCardError(message, place=place, detail=detail))

    def _look_at_setting(
        self,
        cards: tuple[Card, ...] | None,
        low_text: object,
        high_text: object,
        owner_place: str,
        known: dict[str, int],
    ) -> None:
        """Report what makes a setting impossible: counts, and cards that are not there. BP-4.1."""
        left = None if cards is None else list(cards)
        for text, name, count, fault in (
            (low_text, "low", LOW_CARDS, SettingFault.LOW_NOT_TWO_CARDS),
            (high_text, "high", HIGH_CARDS, SettingFault.HIGH_NOT_THREE_CARDS),
        ):
            place = f"{owner_place}.{name}"
            used = self._read_cards(text, place, known)
            if used is None:
                continue
            if len(used) != count:
                message = f"expected {count} cards in the {name} hand, got {len(used)}"
                self._add_setting_fault(fault, f"{message}: {shown(text)}", place, known)
            if cards is not None and left is not None:
                self._look_at_used_cards(used[: HAND_CARDS + 1], cards, left, place, known)

    def _look_at_used_cards(
        self,
        used: Sequence[Card],
        cards: Sequence[Card],
        left: list[Card],
        place: str,
        known: dict[str, int],
    ) -> None:
        """Report cards used that are not in the hand, or no longer ``left``; take the others."""
        for card in used:
            if card in left:
                left.remove(card)
            elif card in cards:
                message = f"expected each card once in a setting, but {card.code} is used again"
                self._add_setting_fault(SettingFault.CARD_USED_TWICE, message, place, known)
            else:
                message = f"expected cards of the hand, but {card.code} is not one of its seven"
                self._add_setting_fault(SettingFault.CARD_NOT_IN_HAND, message, place, known)

    def _look_at_bets(self, bets: object, place: str, known: dict[str, int]) -> None:
        found = self._keys_of(bets, place, _WAGERS, required=())
        if found is None:
            return
        if Wager.MAIN not in found:
            if found:
                message = f"expected a main bet beside side bets, got only {', '.join(found)}"
                self._add(SideBetWithoutMainError(message, place=place, detail=known))
            else:
                message = "expected a main bet, got none"
                self._add(RoundShapeError(message, place=place, detail=known))
        for wager in _WAGERS:
            if wager in found:
                self._look_at_amount(found[wager], f"{place}.{wager}", known)

    def _look_at_amount(self, amount: object, place: str, known: dict[str, int]) -> None:
        detail: dict[str, JSON] = {**known, "value": shown(amount)}
        if isinstance(amount, (int, float)) and STAKE_MINOR_MAX < amount != math.inf:
            message = f"expected at most {STAKE_MINOR_MAX} minor units, got {shown(amount)}"
            self._add(WagerLimitError(message, place=place, detail=detail))
        elif type(amount) is not int or amount <= 0:
            message = f"expected a positive whole number of minor units, got {shown(amount)}"
            self._add(WagerAmountError(message, place=place, detail=detail))

    def _read_cards(
        self, text: object, place: str, known: dict[str, int]
    ) -> tuple[Card, ...] | None:
        faults = card_faults(text, card_entry=self._card_entry, place=place)
        for fault in faults:
            fault.detail.update(known)
            self._add(fault)
        return None if faults else parse_cards(text, card_entry=self._card_entry)

    def _keys_of(
        self, value: object, place: str, names: Iterable[str], *, required: Iterable[str]
    ) -> dict[str, object] | None:
        """Return the known keys of an object, in the order of ``names``; None if it is none."""
        if not isinstance(value, dict):
            message = f"expected an object, got {shown(value)}"
            self._add(RoundShapeError(message, place=place))
            return None
        prefix = f"{place}." if place else ""
        for key in [key for key in value if key not in names][:UNKNOWN_KEYS_MAX]:
            message = f"expected one of {', '.join(names)}, got the unknown key {shown(key)}"
            # A key may be of any length and hold anything: the place shows it cut.
            name = key if isinstance(key, str) and key.isidentifier() and len(key) < 40 else "?"
            detail = {"key": shown(key)}
            self._add(RoundShapeError(message, place=f"{prefix}{name}", detail=detail))
        for name in required:
            if name not in value:
                message = f"expected the key {name!r}, which is missing"
                self._add(RoundShapeError(message, place=f"{prefix}{name}"))
        return {name: value[name] for name in names if name in value}

    def _add(self, fault: EngineError) -> None:
        self.faults.append(fault)

    def _add_setting_fault(
        self, fault: SettingFault, message: str, place: str, known: dict[str, int]
    ) -> None:
        detail: dict[str, JSON] = {**known, "faults": [fault.value]}
        self._add(SettingError(message, place=place, detail=detail))
