"""Rounds read from their rows again."""

import datetime as dt
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from games.engine.errors import HandSizeError, RoundShapeError
from games.engine.settlement import CardEntry, settle, settlement_as_dict
from tables.insertion import insert
from tables.models import Round
from tables.rounds import reader
from tables.rounds.reader import (
    StoredRound,
    StoredSeat,
    UnreadableRound,
    read_seats,
    read_stored_rounds,
    require_readable,
    round_content,
    stored_entry,
)
from tables.rounds.services import rounds as round_services
from tests.builders import NOON, Floor
from tests.engine.builders import AS_WRITTEN
from tests.reporting.play import play


def play_many(floor: Floor, count: int) -> list[Round]:
    return [play(floor, number, at=NOON + dt.timedelta(minutes=number)) for number in range(count)]


def sound(rounds: Any) -> list[StoredRound]:
    return [stored for chunk in read_stored_rounds(rounds) for stored in require_readable(chunk)]


def test_rounds_come_in_the_order_of_the_query_as_they_were_recorded(floor: Floor) -> None:
    played = {one.pk: one for one in play_many(floor, 12)}
    found = sound(Round.objects.order_by("-pk")[:10])
    assert [stored.key for stored in found] == sorted(played, reverse=True)[:10]
    for stored in found:
        of = played[stored.key]
        assert stored.name == f"LA BP-01/{of.sequence}"
        assert (stored.ruleset_id, stored.card_entry) == (of.ruleset_id, CardEntry.SUITED)
        assert (stored.compliance, stored.house_net_minor) == (of.compliance, of.house_net_minor)
        content = round_content(of)
        assert stored.entered == {"dealer": content["dealer"], "seats": content["seats"]}
        assert stored.entry == stored_entry(of)
        assert stored.settlement == of.settlement
        bets = [bet for seat in stored.seats for bet in seat.bets]
        assert -sum(bet.net_minor for bet in bets) == of.house_net_minor
        assert len({bet.key for bet in bets}) == len(bets)
        # What was read settles as it did.
        answer = settlement_as_dict(settle(stored.entry, AS_WRITTEN))
        assert answer["house_net_minor"] == of.house_net_minor


def test_chunks_are_bounded_and_take_two_queries_beside_that_of_all_rounds(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_many(floor, 5)
    monkeypatch.setattr(reader, "CHUNK_ROUNDS", 2)
    with django_assert_num_queries(1 + 3 * 2):
        assert [len(chunk) for chunk in read_stored_rounds(Round.objects.all())] == [2, 2, 1]
    with django_assert_num_queries(1):
        assert list(read_stored_rounds(Round.objects.filter(sequence=99))) == []


@pytest.mark.parametrize(
    ("change", "error"),
    [({"dealer_cards": "As Kd"}, HandSizeError), ({"card_entry": "guessed"}, RoundShapeError)],
)
def test_round_that_cannot_have_been_dealt_is_told_among_the_others(
    floor: Floor,
    monkeypatch: pytest.MonkeyPatch,
    change: dict[str, str],
    error: type[Exception],
) -> None:
    play(floor, 1)

    def changed(rows: Any) -> None:
        for row in rows:
            for field, value in change.items():
                if hasattr(row, field):
                    setattr(row, field, value)
        insert(rows)

    monkeypatch.setattr(round_services, "insert", changed)
    play(floor, 0)
    [chunk] = read_stored_rounds(Round.objects.order_by("pk"))
    first, second = chunk
    assert isinstance(first, StoredRound)
    assert isinstance(second, UnreadableRound)
    assert (second.name, type(second.error)) == ("LA BP-01/2", error)
    with pytest.raises(error):
        list(require_readable(chunk))


def test_rows_that_were_read_already_say_the_same_without_a_query(
    floor: Floor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    played = play(floor, 7)
    hands = list(played.seat_hands.order_by("pk").prefetch_related("bets"))
    with django_assert_num_queries(2):
        seats = read_seats([played.pk])[played.pk]
    with django_assert_num_queries(0):
        read = [StoredSeat.of(hand) for hand in hands]
        content = round_content(played, hands)
    assert [seat._replace(bets=tuple(seat.bets)) for seat in seats] == read
    assert content == round_content(played)
