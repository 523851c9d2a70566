"""``manage.py audit_rounds --from --to``: rounds as they are stored."""

import datetime as dt
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError

from games.engine.outcomes import Event, Outcome
from games.engine.rulesets import RULESETS
from games.engine.settlement import (
    Compliance,
    RoundSettlement,
    parse_round,
    settle,
    settlement_as_dict,
)
from reporting.compliance import selectors as audit_selectors
from reporting.compliance.selectors import (
    list_currencies,
    list_rounds_to_audit,
)
from tables.insertion import insert
from tables.models import Property, Round
from tables.rounds import reader
from tables.rounds.reader import UnreadableRound, read_stored_rounds
from tables.rounds.services import rounds as round_services
from tests.builders import NOON, Floor, build_floor, forget_membership, golden_rounds
from tests.engine.builders import AS_WRITTEN, dealt, seat
from tests.reporting.audits import DAY, RANGE, audit, printed
from tests.reporting.play import play, void


def test_recorded_rounds_are_audited_and_agree(floor: Floor) -> None:
    played = [play(floor, number, at=NOON + dt.timedelta(minutes=number)) for number in range(40)]
    play(floor, 50, at=NOON + dt.timedelta(days=1))
    void(floor, played[3], at=NOON + dt.timedelta(hours=1))
    summary = audit(*RANGE)
    assert summary["rounds"] == 40
    assert summary["house_net_minor"] == sum(each.house_net_minor for each in played)
    assert summary["differing_rounds"] == {"count": 0, "listed": []}
    assert summary["unreadable"]["count"] == 0
    expected = [line["expect"]["dealer"]["compliant"] for line in golden_rounds()[:40]]
    assert summary["compliance"]["deviation"] == expected.count(False) > 0
    names = [item["name"] for item in summary["deviations"]["listed"]]
    assert names[0] == f"LA BP-01/{1 + expected.index(False)}"
    assert audit("--from", DAY, "--to", "2026-11-30")["rounds"] == 41
    assert audit("--from", "2026-12-24", "--to", "2026-12-24")["rounds"] == 0


def _change_ruleset(floor: Floor, ruleset_id: str) -> None:
    Property.objects.update(ruleset_id=ruleset_id)
    forget_membership(floor.clerk)


@pytest.mark.parametrize("ruleset_id", RULESETS)
def test_each_round_is_audited_under_its_own_ruleset(floor: Floor, ruleset_id: str) -> None:
    other = next(each for each in RULESETS if each != ruleset_id)
    _change_ruleset(floor, other)
    # A king-high dealer: the two rulesets part here.
    body = dealt("Ks Qd Th 9c 7d 5s 4h", seat("Ah Kh Qs Js 9h 8h 2d", "Kh Qs", "Ah Js 9h"))
    play(floor, 1, **body)
    _change_ruleset(floor, ruleset_id)
    play(floor, 1, **body)
    assert {each.ruleset_id for each in Round.objects.all()} == set(RULESETS)
    summary = audit(*RANGE)
    assert (summary["rounds"], summary["differing_rounds"]["count"]) == (2, 0)
    # Under the published analysis the dealer does not qualify, and the player's win is a push.
    assert summary["house_net_minor"] == -1000


def test_rank_only_rounds_of_a_property_agree(db: None) -> None:
    floor = build_floor(card_entry="ranks")
    player = {"seat": 1, "cards": "K Q 9 8 6 4 2", "low": "Q 9", "high": "K 8 6"}
    body = dealt("A A A A T 3 Jk", player | {"bets": {"main": 500}}, low="A A", high="A A Jk")
    play(floor, **body)
    summary = audit(*RANGE)
    assert (summary["rounds"], summary["compliance"]["match"]) == (1, 1)
    assert summary["differing_rounds"]["count"] == summary["unreadable"]["count"] == 0


def _settled_wrongly(change: Callable[[RoundSettlement], RoundSettlement]) -> Any:
    def wrong(*arguments: Any, **options: Any) -> RoundSettlement:
        return change(settle(*arguments, **options))

    return wrong


def _seat_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    first, *others = settlement.seats
    return settlement._replace(seats=(first._replace(**changes), *others))


def _bet_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    main, *others = settlement.seats[0].bets
    return _seat_changed(settlement, bets=(main._replace(**changes), *others))


def _dealer_changed(settlement: RoundSettlement, **changes: Any) -> RoundSettlement:
    return settlement._replace(dealer=settlement.dealer._replace(**changes))


@pytest.mark.parametrize(
    ("change", "places"),
    [
        (
            lambda settled: settled._replace(house_net_minor=settled.house_net_minor + 1),
            {"house_net_minor", "settlement.house_net_minor"},
        ),
        (lambda settled: settled._replace(is_void=True), {"settlement.is_void"}),
        (
            lambda settled: _dealer_changed(settled, compliance=Compliance.MATCH),
            {"compliance", "settlement.dealer.compliance", "settlement.dealer.compliant"},
        ),
        (
            lambda settled: _dealer_changed(
                settled, way=settled.dealer.way._replace(step=AS_WRITTEN.house_way[6])
            ),
            {
                "house_way_step",
                "house_way_rule",
                "settlement.dealer.step",
                "settlement.dealer.rule",
            },
        ),
        (lambda settled: _dealer_changed(settled, low="2-2"), {"settlement.dealer.low"}),
        (
            lambda settled: _dealer_changed(settled, lucky_break=False, qualifies=False),
            {"settlement.dealer.lucky_break", "settlement.dealer.qualifies"},
        ),
        (
            lambda settled: _seat_changed(settled, foul=True),
            {"seat 1 is_foul", "settlement.seats[0].foul"},
        ),
        (
            lambda settled: _seat_changed(settled, event=Event.WIN_BOTH),
            {"seat 1 event", "seat 1 main line", "settlement.seats[0].event"},
        ),
        (
            lambda settled: _bet_changed(settled, outcome=Outcome.PUSH),
            {"seat 1 main outcome", "settlement.seats[0].main.outcome"},
        ),
        (
            lambda settled: _bet_changed(settled, net_minor=0),
            {
                "seat 1 net_minor",
                "seat 1 main net_minor",
                "settlement.seats[0].net_minor",
                "settlement.seats[0].main.net_minor",
            },
        ),
        (
            lambda settled: _bet_changed(settled, uncapped_net_minor=5),
            {"settlement.seats[0].main.uncapped_net_minor"},
        ),
        (
            lambda settled: _bet_changed(settled, limit_breach=None),
            set(),
        ),
    ],
)
def test_stored_settlement_that_differs_is_found(
    floor: Floor,
    monkeypatch: pytest.MonkeyPatch,
    change: Callable[[RoundSettlement], RoundSettlement],
    places: set[str],
) -> None:
    play(floor, 1)
    monkeypatch.setattr(round_services, "settle", _settled_wrongly(change))
    play(floor, 0)
    summary = audit(*RANGE, status=1 if places else 0)
    assert summary["rounds"] == 2
    listed = summary["differing_rounds"]["listed"]
    assert {item["place"] for item in listed} == places
    assert {item["name"] for item in listed} <= {"LA BP-01/2"}
    assert summary["differing_rounds"]["count"] == (1 if places else 0)


def test_answer_and_columns_are_compared_each_by_itself(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_last_seat(settlement: RoundSettlement) -> dict[str, Any]:
        answer: dict[str, Any] = settlement_as_dict(settlement)
        return {**answer, "seats": answer["seats"][:-1]}

    with monkeypatch.context() as patched:
        patched.setattr(round_services, "settlement_as_dict", without_last_seat)
        play(floor, 0)
    monkeypatch.setattr(round_services, "insert", _inserted_with(house_net_minor=7))
    play(floor, 0)
    differing = audit(*RANGE, status=1)["differing_rounds"]
    assert [(item["name"], item["place"]) for item in differing["listed"]] == [
        ("LA BP-01/1", "settlement.seats"),
        ("LA BP-01/2", "house_net_minor"),
    ]
    assert differing["count"] == 2


def _inserted_with(**changes: Any) -> Callable[[Any], None]:
    """Insert rows changed: once they are in, the database refuses to change a round."""

    def changed(rows: Any) -> None:
        for row in rows:
            for field, value in changes.items():
                if hasattr(row, field):
                    setattr(row, field, value)
        insert(rows)

    return changed


def test_difference_is_told_in_words(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        round_services,
        "settle",
        _settled_wrongly(lambda settled: settled._replace(house_net_minor=7)),
    )
    stored = play(floor, 0)
    right = settle(parse_round(_hands(golden_rounds()[0])), AS_WRITTEN).house_net_minor
    text = printed(*RANGE, status=1)
    assert stored.house_net_minor == 7
    assert f"  LA BP-01/1: house_net_minor is 7, expected {right}\n" in text


def _hands(line: dict[str, Any]) -> dict[str, Any]:
    return {key: line[key] for key in ("dealer", "seats")}


def test_stored_round_under_an_unknown_ruleset_is_told(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor, 1)
    monkeypatch.setattr(
        round_services,
        "settle",
        _settled_wrongly(lambda settled: settled._replace(ruleset_id="house@9")),
    )
    play(floor, 0)
    summary = audit(*RANGE, status=1)
    assert summary["rounds"] == 1
    [found] = summary["unreadable"]["listed"]
    assert (found["name"], found["error"]["code"]) == ("LA BP-01/2", "ruleset_unknown")


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"dealer_cards": "As Kd"}, "hand_size"),
        ({"required_low": "As"}, "round_malformed"),
        ({"required_high": "As Kd ??"}, "card_unreadable"),
        ({"card_entry": "guessed"}, "round_malformed"),
    ],
)
def test_stored_round_that_cannot_be_read_is_told(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, change: dict[str, str], code: str
) -> None:
    play(floor, 1)
    monkeypatch.setattr(round_services, "insert", _inserted_with(**change))
    play(floor, 0)
    summary = audit(*RANGE, status=1)
    assert summary["rounds"] == 1
    [found] = summary["unreadable"]["listed"]
    assert (found["name"], found["error"]["code"]) == ("LA BP-01/2", code)


def test_properties_are_told_apart(floor: Floor) -> None:
    play(floor, 0)
    play(build_floor(code="NV"), 1)
    assert audit(*RANGE)["rounds"] == 2
    assert audit(*RANGE, "--property", "NV")["rounds"] == 1
    with pytest.raises(CommandError, match="expected the code of a property, got 'XX'") as caught:
        call_command("audit_rounds", *RANGE, "--property", "XX")
    assert caught.value.returncode == 2


def test_amounts_of_two_currencies_are_not_added_up(floor: Floor) -> None:
    play(floor, 0)
    play(build_floor(code="MC", currency="EUR"), 1)
    with pytest.raises(CommandError, match="expected one currency, got EUR, USD") as caught:
        call_command("audit_rounds", *RANGE)
    assert caught.value.returncode == 2
    assert audit(*RANGE, "--property", "MC")["rounds"] == 1


def test_stored_rounds_are_read_in_chunks_of_three_queries(
    floor: Floor,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: Callable[[int], AbstractContextManager[Any]],
) -> None:
    for number in range(5):
        play(floor, number)
    rounds = list_rounds_to_audit(first_day=NOON.date(), last_day=NOON.date(), property_code="LA")
    with django_assert_num_queries(3):
        [chunk] = read_stored_rounds(rounds)
    assert [stored.name for stored in chunk] == [f"LA BP-01/{n}" for n in range(1, 6)]
    assert not any(isinstance(stored, UnreadableRound) for stored in chunk)
    monkeypatch.setattr(reader, "CHUNK_ROUNDS", 2)
    with django_assert_num_queries(7):
        assert [len(chunk) for chunk in read_stored_rounds(rounds)] == [2, 2, 1]
    assert audit(*RANGE)["rounds"] == 5
    assert list_currencies(rounds) == ["USD"]


def test_database_that_does_not_answer_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(**_: Any) -> None:
        raise DatabaseError("no such table: tables_round\nLINE 1: ...")

    monkeypatch.setattr(audit_selectors, "list_rounds_to_audit", fail)
    with pytest.raises(
        CommandError, match=r"\Acannot read the records: no such table: tab"
    ) as told:
        call_command("audit_rounds", *RANGE)
    assert told.value.returncode == 2
    assert "LINE" not in str(told.value)
