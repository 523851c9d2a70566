"""What the property's own last rounds would have paid under other rules."""

import dataclasses
import datetime as dt
from typing import Any

import pytest
from django.db.models import Sum
from pytest_django import DjangoAssertNumQueries

from games.analysis.setting_values import unheeded
from games.analysis.variants import read_changes, varied_ruleset
from games.engine.outcomes import Outcome
from games.engine.rulesets import RULES_AS_WRITTEN, RULESETS, DealerMissetPolicy
from games.engine.settlement import CardEntry, RoundSettlement, parse_round, settle
from reporting.what_if.own_rounds import resettle_last_rounds
from tables.models import Bet, Property, Round
from tests.builders import NOON, Floor, build_floor, forget_membership, golden_rounds
from tests.reporting.play import play, void

MINUTE = dt.timedelta(minutes=1)


def resettle(casino: Property, changes: dict[str, Any], *, last_rounds: int = 1000) -> Any:
    """Settle anew under the rules as written with some changes."""
    return resettle_last_rounds(
        casino,
        last_rounds=last_rounds,
        ruleset_id=casino.ruleset_id,
        varied=varied_ruleset(RULES_AS_WRITTEN, read_changes(changes)),
        progress=unheeded,
    )


def play_many(floor: Floor, count: int) -> list[Round]:
    """Golden rounds, one after the other."""
    return [play(floor, number, at=NOON + number * MINUTE) for number in range(count)]


def test_without_a_change_every_round_pays_what_was_recorded(floor: Floor) -> None:
    played = play_many(floor, 40)
    found = resettle(floor.casino, {})

    assert (found["rounds"], found["changed"], found["of_another_ruleset"]) == (40, 0, 0)
    assert (found["currency"], found["minor_digits"]) == ("USD", 2)
    total = found["total"]
    assert total["house_win_minor"] == sum(one.house_net_minor for one in played)
    assert total["what_if_house_win_minor"] == total["house_win_minor"]
    assert total["bets"] == Bet.objects.count()
    assert total["handle_minor"] == Bet.objects.aggregate(all=Sum("amount_minor"))["all"]
    for wager, of in found["wagers"].items():
        bets = Bet.objects.filter(wager=wager).aggregate(
            bet=Sum("amount_minor"), net=Sum("net_minor")
        )
        assert (of["handle_minor"], of["house_win_minor"]) == (bets["bet"], -bets["net"])
        assert of["difference_minor"] == 0


def test_bp_7_2_another_line_changes_the_bets_on_that_line_by_the_difference(floor: Floor) -> None:
    play_many(floor, 60)
    hit = Bet.objects.filter(wager="break_bonus", line="straight")
    staked = hit.aggregate(all=Sum("amount_minor"))["all"]
    assert staked

    more = resettle(floor.casino, {"break_bonus": {"straight": "3 to 1"}})
    assert more["wagers"]["break_bonus"]["difference_minor"] == -2 * staked
    assert more["wagers"]["main"]["difference_minor"] == 0
    assert more["changed"] == hit.values("seat_hand__round").distinct().count()

    none = resettle(floor.casino, {"break_bonus": {"straight": None}})
    assert none["total"]["difference_minor"] == 2 * staked


def test_bp_6_main_odds_change_what_winners_win(floor: Floor) -> None:
    play_many(floor, 60)
    won = Bet.objects.filter(wager="main", outcome=Outcome.WIN.value)
    found = resettle(floor.casino, {"main": "1 to 2"})
    expected = sum(bet.amount_minor - bet.amount_minor // 2 for bet in won)
    assert expected > 0
    assert found["wagers"]["main"]["difference_minor"] == expected


def test_bp_6_1_a_king_high_dealer_pushes_where_an_ace_is_needed(floor: Floor) -> None:
    # The dealer has Q-T and K-8-6; the player beats both with A-A and 9-9-9: no Lucky Break of the
    # dealer, a win today.
    dealer = {"cards": "Kd Qs Th 8c 6d 4s 2h"}
    seat = {
        "seat": 2,
        "cards": "As Ah 9s 9h 9d 3c 2c",
        "low": "As Ah",
        "high": "9s 9h 9d",
        "bets": {"main": 1000, "dealer_break_bonus": 100},
    }
    play(floor, dealer=dealer, seats=[seat])
    found = resettle(floor.casino, {"qualifier": "A-high"})

    main = found["wagers"]["main"]
    assert (main["house_win_minor"], main["what_if_house_win_minor"]) == (-1000, 0)
    assert found["wagers"]["dealer_break_bonus"]["difference_minor"] == 0
    assert found["changed"] == 1
    # A weaker qualifier changes nothing: this dealer has qualified.
    assert resettle(floor.casino, {"qualifier": "8-high"})["changed"] == 0


@pytest.mark.parametrize("changes", [{"qualifier": "9-9-4"}, {"house_way": [7, 6, 5, 4, 3, 2, 1]}])
def test_bp_5_and_bp_6_1_every_round_is_settled_as_if_dealt_so(
    floor: Floor, changes: dict[str, Any]
) -> None:
    play_many(floor, 60)
    ruleset = varied_ruleset(RULES_AS_WRITTEN, read_changes(changes))
    expected = 0
    for golden in golden_rounds()[:60]:
        # A dealer of that house would have set by its house way.
        hands = {"dealer": {"cards": golden["dealer"]["cards"]}, "seats": golden["seats"]}
        expected += settle(parse_round(hands), ruleset).house_net_minor

    found = resettle(floor.casino, changes)

    assert found["total"]["what_if_house_win_minor"] == expected
    assert found["changed"] > 0


def test_bp_5_9_dealer_who_followed_the_house_way_follows_the_new_one_and_others_stand(
    floor: Floor,
) -> None:
    house = dataclasses.replace(
        RULES_AS_WRITTEN,
        house_way=RULES_AS_WRITTEN.house_way[::-1],
        dealer_misset=DealerMissetPolicy.STAND,
    )
    by_compliance: dict[bool, tuple[int, RoundSettlement, RoundSettlement]] = {}
    for number, golden in enumerate(golden_rounds()):
        cards = golden["dealer"]["cards"]
        unset = {"dealer": {"cards": cards}, "seats": golden["seats"]}
        as_set = {"dealer": golden["dealer"], "seats": golden["seats"]}
        new, stands = (settle(parse_round(hands), house) for hands in (unset, as_set))
        if new.house_net_minor != stands.house_net_minor:
            is_match = golden["expect"]["dealer"]["compliant"]
            by_compliance.setdefault(is_match, (number, new, stands))
    for is_match, (number, new, stands) in by_compliance.items():
        play(floor, number, at=NOON)
        found = resettle_last_rounds(
            floor.casino,
            last_rounds=1,
            ruleset_id=floor.casino.ruleset_id,
            varied=house,
            progress=unheeded,
        )
        expected = new if is_match else stands
        assert found["total"]["what_if_house_win_minor"] == expected.house_net_minor
    assert by_compliance.keys() == {True, False}


def test_voided_rounds_and_those_of_another_property_are_left_out(floor: Floor) -> None:
    first, second, third = play_many(floor, 3)
    void(floor, second, at=NOON + 10 * MINUTE)
    other = build_floor(code="MO", zone="Asia/Macau")
    play(other, 5)

    assert resettle(floor.casino, {})["rounds"] == 2
    assert resettle(floor.casino, {})["total"]["house_win_minor"] == (
        first.house_net_minor + third.house_net_minor
    )
    assert resettle(other.casino, {})["rounds"] == 1


def test_only_the_last_rounds_are_settled(floor: Floor) -> None:
    *_, last = play_many(floor, 5)
    found = resettle(floor.casino, {}, last_rounds=1)
    assert (found["asked"], found["rounds"]) == (1, 1)
    assert found["total"]["house_win_minor"] == last.house_net_minor
    nothing = resettle(floor.casino, {}, last_rounds=0)
    assert (nothing["rounds"], nothing["total"]["bets"]) == (0, 0)
    assert resettle(floor.casino, {}, last_rounds=20_000)["rounds"] == 5


def test_rounds_of_a_former_ruleset_are_told(floor: Floor) -> None:
    play_many(floor, 2)
    floor.casino.ruleset_id = next(key for key in RULESETS if key != floor.casino.ruleset_id)
    floor.casino.save()
    forget_membership(floor.clerk)
    play(floor, 0, at=NOON + 30 * MINUTE)
    assert resettle(floor.casino, {})["of_another_ruleset"] == 2


def test_bp_10_rounds_entered_by_rank_are_settled_by_rank(db: None) -> None:
    floor = build_floor(card_entry=CardEntry.RANKS.value)
    hands = {"cards": "A K Q 9 9 4 2", "low": "9 9", "high": "A K Q"}
    seat = {
        "seat": 1,
        "cards": "Jk J J T 8 7 5",
        "low": "J J",
        "high": "Jk 8 7",
        "bets": {"main": 1000, "break_bonus": 500},
    }
    play(floor, dealer=hands, seats=[seat])
    found = resettle(floor.casino, {"break_bonus": {"straight": "5 to 1"}})
    assert (found["rounds"], found["changed"]) == (1, 1)
    assert found["wagers"]["break_bonus"]["difference_minor"] == -4 * 500


def test_reading_takes_three_statements_whatever_the_number(
    floor: Floor, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    play_many(floor, 30)
    with django_assert_num_queries(4):
        resettle(floor.casino, {})
