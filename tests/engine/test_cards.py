"""The deck: 52 cards and one joker, each one object."""

import copy
import pickle

import pytest

from games.engine.cards import DECK, JOKER, RANK_CARDS, Card, Rank, Suit, card_by_code


def test_bp_1_1_deck_has_52_cards_and_one_joker() -> None:
    assert len(DECK) == len(set(DECK)) == 53
    assert DECK.count(JOKER) == 1
    assert {(card.rank, card.suit) for card in DECK if card is not JOKER} == {
        (rank, suit) for rank in Rank for suit in Suit
    }


def test_bp_1_1_ranks_alone_are_thirteen_and_have_no_suit() -> None:
    assert [card.code for card in RANK_CARDS] == list("AKQJT98765432")
    assert {card.suit for card in RANK_CARDS} == {None}


def test_rank_symbols_are_those_of_the_notation() -> None:
    assert "".join(rank.symbol for rank in Rank) == "23456789TJQKA"


@pytest.mark.parametrize("card", [*DECK, *RANK_CARDS], ids=lambda card: card.code)
def test_card_exists_once_through_copy_and_pickle(card: Card) -> None:
    assert card_by_code(card.code) is card
    assert copy.copy(card) is card
    assert copy.deepcopy(card) is card
    assert pickle.loads(pickle.dumps(card)) is card  # noqa: S301  (our own bytes)


def test_card_cannot_be_changed() -> None:
    card = card_by_code("As")
    with pytest.raises(AttributeError, match=r"As\.rank"):
        card.rank = Rank.TWO
    with pytest.raises(AttributeError, match=r"As\.code"):
        del card.code
    assert (card.rank, card.suit, repr(card)) == (Rank.ACE, Suit.SPADES, "<As>")


def test_unknown_code_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        card_by_code("1s")
