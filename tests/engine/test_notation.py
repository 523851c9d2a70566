"""Cards as text: every accepted spelling, and nothing else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.cards import DECK, JOKER, RANK_CARDS, card_by_code
from games.engine.errors import CardParseError, ErrorKind
from games.engine.notation import (
    TOKEN_FAULTS_MAX,
    TOKEN_READERS,
    CardEntry,
    card_faults,
    format_cards,
    parse_cards,
)

TEXT_SELECTOR, EMOJI_SELECTOR = "\ufe0e", "\ufe0f"


@pytest.mark.parametrize(
    "spelling",
    [
        "Ts",
        "10s",
        "ts",
        " Ts ",
        "TS",
        "10S",
        "T♠",
        "10♠",
        "t♠" + EMOJI_SELECTOR,
        "T♠" + TEXT_SELECTOR,
        "T♤",
    ],
)
def test_case_a15_every_spelling_of_the_ten_of_spades_is_one_card(spelling: str) -> None:
    assert parse_cards(spelling) == (card_by_code("Ts"),)
    assert format_cards(parse_cards(spelling)) == "Ts"


@pytest.mark.parametrize("spelling", ["Jk", "JK", "jk", "jK", "joker", "JOKER", "Joker", "jOkEr"])
def test_case_a15_every_spelling_of_the_joker_is_the_joker(spelling: str) -> None:
    assert parse_cards(spelling) == (JOKER,)


@pytest.mark.parametrize(
    ("token", "suit"),
    [("A♥", "h"), ("A♡", "h"), ("a♦", "d"), ("A♢", "d"), ("A♣", "c"), ("A♧", "c")],
)
def test_case_a15_suit_symbols_name_their_suit(token: str, suit: str) -> None:
    assert format_cards(parse_cards(token)) == f"A{suit}"


@pytest.mark.parametrize(
    "token",
    ["J", "X", "?", "1s", "11s", "JKs", "0s", "As,", "AsKd", "sA", "10", "A", "Joke", "jokers",
     "Ꭺs", "１０s", "A♠♠", "A\u200bs", "As\x00", "\x00", "A" + EMOJI_SELECTOR + "s"],
)  # fmt: skip
def test_case_a15_anything_else_is_an_error_that_names_token_and_place(token: str) -> None:
    with pytest.raises(CardParseError) as caught:
        parse_cards(f"Kd {token} 2c", place="dealer.cards")
    error = caught.value
    assert (error.code, error.kind) == ("card_unreadable", ErrorKind.MALFORMED)
    assert error.place == "dealer.cards"
    assert error.detail["token"] == 2
    assert error.detail["value"] == repr(token)


@pytest.mark.parametrize("text", ["nothing dealt", "Ah thanks", "the Th was dealt"])
def test_case_a17_no_card_is_found_inside_words(text: str) -> None:
    with pytest.raises(CardParseError):
        parse_cards(text)


@pytest.mark.parametrize("value", [None, 7, 7.0, True, b"As", ["As"], {"As": 1}])
def test_bp_10_cards_that_are_not_text_are_refused(value: object) -> None:
    with pytest.raises(CardParseError) as caught:
        parse_cards(value, place="p")
    assert "expected cards as text" in caught.value.message
    assert len(card_faults(value)) == 1


def test_bp_10_ranks_are_refused_where_suits_are_entered_and_the_other_way_round() -> None:
    ranks = parse_cards("A 10 t 9 jk", card_entry=CardEntry.RANKS)
    assert format_cards(ranks) == "A T T 9 Jk"
    assert ranks[1] is ranks[2]
    with pytest.raises(CardParseError, match="without a suit"):
        parse_cards("A Ks", card_entry=CardEntry.RANKS)
    with pytest.raises(CardParseError, match="such as As"):
        parse_cards("As K")


def test_bp_10_every_unreadable_token_is_told_up_to_a_limit() -> None:
    faults = card_faults("As x Kd y", place="seats[0].cards")
    assert [(fault.place, fault.detail["token"]) for fault in faults] == [
        ("seats[0].cards", 2),
        ("seats[0].cards", 4),
    ]
    assert card_faults("As Kd") == ()
    assert len(card_faults("x " * 1000)) == TOKEN_FAULTS_MAX


@given(st.lists(st.sampled_from(DECK)))
def test_bp_10_printed_cards_read_back_as_the_same_cards(cards: list[object]) -> None:
    text = " ".join(card.code for card in cards)  # type: ignore[attr-defined]
    assert parse_cards(text) == tuple(cards)
    assert format_cards(parse_cards(text.lower())) == text


@given(st.lists(st.sampled_from([JOKER, *RANK_CARDS])))
def test_bp_10_printed_ranks_read_back_as_the_same_ranks(cards: list[object]) -> None:
    text = " ".join(card.code for card in cards)  # type: ignore[attr-defined]
    assert parse_cards(text, card_entry=CardEntry.RANKS) == tuple(cards)


@given(st.text(max_size=12))
def test_case_a15_no_text_becomes_another_card_than_the_one_shown_back(text: str) -> None:
    for entry in CardEntry:
        try:
            cards = parse_cards(text, card_entry=entry)
        except CardParseError:
            continue
        shown_back = format_cards(cards)
        assert parse_cards(shown_back, card_entry=entry) == cards
        assert len(shown_back.split()) == len(text.split())
        for token, card in zip(text.split(), cards, strict=True):
            assert TOKEN_READERS[entry](token) is card
