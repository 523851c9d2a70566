"""Settings of seven cards: how many, what makes one impossible, what makes one foul."""

from typing import cast

import pytest

from games.engine.cards import JOKER
from games.engine.errors import (
    JSON,
    CardParseError,
    DuplicateCardError,
    ErrorKind,
    HandSizeError,
)
from games.engine.hand_setting import (
    LOWEST_LEGAL_HIGH,
    SettingFault,
    all_settings,
    copies_in_deck,
    discards_of,
    is_foul,
    is_lucky_break,
    parse_hand,
)
from games.engine.hands import ALL_HIGH, ALL_LOW, HighClass, LowClass, parse_high, parse_low
from games.engine.notation import CardEntry
from games.engine.round_faults import round_faults
from tests.engine.builders import cards, dealt, seat

HAND = "As Kd Th 9c 7d 5s 2h"


def faults_of(
    hand: str, low: str, high: str, *, card_entry: CardEntry = CardEntry.SUITED
) -> set[JSON]:
    """All that is wrong with the setting of a seat."""
    dealer = "3 3 4 4 6 6 8" if card_entry is CardEntry.RANKS else "3s 3h 4s 4h 6s 6h 8s"
    faults = round_faults(dealt(dealer, seat(hand, low, high)), card_entry=card_entry)
    assert {fault.kind for fault in faults} <= {ErrorKind.IMPOSSIBLE}
    return {name for fault in faults for name in cast("list[str]", fault.detail["faults"])}


def test_bp_4_1_seven_cards_can_be_set_in_210_ways() -> None:
    settings = list(all_settings(cards(HAND)))
    assert len({(frozenset(s.low_cards), frozenset(s.high_cards)) for s in settings}) == 210
    for setting in settings:
        assert (len(setting.low_cards), len(setting.high_cards), len(setting.discards)) == (2, 3, 2)
        assert {*setting.low_cards, *setting.high_cards, *setting.discards} == set(cards(HAND))


@pytest.mark.parametrize(
    ("low", "high", "foul"),
    [
        ("Q-9", "Q-8-2", True),
        ("J-4", "J-4-3", False),
        ("9-9", "6-6-A", True),
        ("5-5", "5-5-3", False),
        ("3-3", "A-Q-9", True),
        ("A-A", "A-2-3", False),
        ("A-A", "2-2-2", False),
        ("A-K", "2-2-3", False),
        ("K-2", "A-4-3", False),
        ("A-2", "K-Q-T", True),
    ],
)
def test_bp_4_2_low_hand_must_not_outrank_high_hand(low: str, high: str, *, foul: bool) -> None:
    assert is_foul(parse_low(low), parse_high(high)) is foul


def test_bp_4_2_legal_high_hands_of_a_low_hand_are_all_from_one_strength_upwards() -> None:
    def outranks(low: int, high: int) -> bool:
        """The rule, written out once more."""
        a, b = ALL_LOW[low], ALL_HIGH[high]
        if b.hand_class in (HighClass.STRAIGHT, HighClass.TRIPS):
            return False
        if (a.hand_class is LowClass.PAIR) != (b.hand_class is HighClass.PAIR):
            return a.hand_class is LowClass.PAIR
        return list(a.ranks) > list(b.ranks[:2])

    for low in range(91):
        legal = [high for high in range(455) if not outranks(low, high)]
        assert legal == list(range(LOWEST_LEGAL_HIGH[low], 455))


def test_bp_4_4_lucky_break_is_a_pair_low_with_trips_or_a_straight_high() -> None:
    for low in ALL_LOW:
        for high in ALL_HIGH:
            expected = "-".join(low.label.split("-")[:1] * 2) == low.label and (
                high.hand_class in (HighClass.STRAIGHT, HighClass.TRIPS)
            )
            assert is_lucky_break(low, high) is expected


def test_bp_4_4_pair_and_three_cards_are_five_different_cards() -> None:
    # Three nines are not both a pair low and trips high.
    faults = faults_of("9s 9d 9c Ah Kd 4c 2s", "9s 9d", "9s 9d 9c")
    assert faults == {SettingFault.CARD_USED_TWICE}


@pytest.mark.parametrize(
    ("low", "high", "faults"),
    [
        ("Kd Th", "As 9c 7d", set()),
        ("Kd", "As 9c 7d", {"low_not_two_cards"}),
        ("Kd Th 2h", "As 9c 7d", {"low_not_two_cards"}),
        ("Kd Th", "As 9c", {"high_not_three_cards"}),
        ("", "", {"low_not_two_cards", "high_not_three_cards"}),
        ("Kd Th", "As 9c 7s", {"card_not_in_hand"}),
        ("Kd Kd", "As 9c 7d", {"card_used_twice"}),
        ("Kd Th", "Kd 9c 7d", {"card_used_twice"}),
        ("As Kd", "Th 9c 7d", set()),
        ("Ks Ks", "As 9c", {"card_not_in_hand", "high_not_three_cards"}),
    ],
)
def test_bp_4_1_faults_of_a_setting_are_all_told(low: str, high: str, faults: set[str]) -> None:
    assert faults_of(HAND, low, high) == faults


def test_bp_4_1_two_cards_are_discarded() -> None:
    assert discards_of(cards(HAND), cards("As 2h"), cards("5s Kd Th")) == cards("9c 7d")


def test_bp_10_ranks_only_may_be_used_as_often_as_they_are_held() -> None:
    hand = "K K K A 7 5 2"
    assert faults_of(hand, "A 7", "K K K", card_entry=CardEntry.RANKS) == set()
    too_many = faults_of(hand, "K K", "K K 7", card_entry=CardEntry.RANKS)
    assert too_many == {SettingFault.CARD_USED_TWICE}
    king = parse_hand(hand, card_entry=CardEntry.RANKS)[0]
    assert [copies_in_deck(card) for card in (king, JOKER, cards("Ks")[0])] == [4, 1, 1]


@pytest.mark.parametrize("text", ["7h 7h Jk 2c 5d 9s Kc", "2c 5d 9s Kc Jk 7h 7h"])
def test_case_a13_card_twice_is_refused_beside_a_joker(text: str) -> None:
    with pytest.raises(DuplicateCardError) as caught:
        parse_hand(text, place="dealer.cards")
    assert "7h" in caught.value.message
    assert caught.value.detail["card"] == "7h"


def test_case_a13_two_jokers_are_refused() -> None:
    with pytest.raises(DuplicateCardError) as caught:
        parse_hand("Jk Jk 7h 2c 5d 9s Kc")
    assert caught.value.detail["card"] == "Jk"
    with pytest.raises(DuplicateCardError):
        parse_hand("Jk Jk 7 2 5 9 K", card_entry=CardEntry.RANKS)


def test_bp_10_fifth_card_of_a_rank_is_refused() -> None:
    assert len(parse_hand("7 7 7 7 5 9 K", card_entry=CardEntry.RANKS)) == 7
    with pytest.raises(DuplicateCardError) as caught:
        parse_hand("7 7 7 7 7 9 K", card_entry=CardEntry.RANKS)
    assert caught.value.detail["card"] == "7"


@pytest.mark.parametrize("text", ["", "As", "As Kd Th 9c 7d 5s", "As Kd Th 9c 7d 5s 2h 3h"])
def test_bp_1_4_hand_has_seven_cards(text: str) -> None:
    with pytest.raises(HandSizeError) as caught:
        parse_hand(text)
    assert (caught.value.code, caught.value.kind) == ("hand_size", ErrorKind.IMPOSSIBLE)
    assert caught.value.detail["count"] == len(text.split())


def test_hand_with_an_unreadable_token_is_malformed() -> None:
    with pytest.raises(CardParseError):
        parse_hand("As Kd Th 9c 7d 5s 1h")
