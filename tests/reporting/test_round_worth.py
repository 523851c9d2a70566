"""What one recorded round was worth: the page for every role, and the API."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.engine import rulesets
from games.engine.rulesets import RULES_AS_WRITTEN, RULESETS, DealerMissetPolicy
from reporting.figures.services import roll_up
from reporting.models import BetWorth, WagerValue
from reporting.worth import services as worths
from reporting.worth.services import prepare
from reporting.worth.shapes import RoundWorthOut
from tables.models import Bet
from tables.web.formats import money
from tests.builders import NOON, Floor, build_floor
from tests.reporting.play import play, void
from tests.reporting.straight_sum import worths_of
from tests.reporting.test_performance_api import assert_shape
from tests.reporting.test_performance_page import tables_of, words_of

PAGE = "/tables/BP-01/rounds/1/worth/"
API = "/api/v1/tables/BP-01/rounds/1/worth/"


@pytest.fixture
def guard(floor: Floor, client: Client) -> Client:
    """A signed-in surveillance officer."""
    client.force_login(floor.surveillance)
    return client


def get_json(client: Client, path: str = API) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.parametrize("number", [0, 1, 2, 5, 17, 60, 121])
def test_every_bet_has_its_exact_values_and_the_parts_add_up(
    floor: Floor, guard: Client, number: int
) -> None:
    played = play(floor, number)
    roll_up(at=NOON)
    found = get_json(guard)
    assert_shape(RoundWorthOut, found)
    assert found["house_win_minor"] == played.house_net_minor
    expected = worths_of(played)
    total = Fraction(0)
    for seat in found["seats"]:
        for bet in seat["bets"]:
            of = expected.pop((seat["seat"], bet["wager"]))
            split = bet["split"]
            assert Fraction(bet["best_value"]) == of.best_value
            assert Fraction(bet["setting_value"]) == of.setting_value
            assert (bet["wins"], bet["losses"]) == (of.wins, of.losses)
            assert sum(bet[name] for name in ("wins", "pushes", "losses")) == 53_524_680
            assert (bet["best_low"], bet["best_high"]) == (of.best_low, of.best_high)
            exact = [Fraction(split[name]) for name in ("theo", "player_error", "player_luck")]
            exact += [Fraction(split["dealer_luck"]), Fraction(split["dealer_error_minor"])]
            assert sum(exact) == bet["house_win_minor"] == of.actual_minor
            assert exact[0] == -bet["amount_minor"] * Fraction(bet["expected_value"])
            shown = ("theo", "player_error", "dealer_error", "player_luck", "dealer_luck")
            assert sum(split[f"{name}_minor"] for name in shown) == bet["house_win_minor"]
            total += sum(exact)
    assert expected == {}
    assert total == played.house_net_minor


def test_page_shows_what_the_api_says(floor: Floor, guard: Client) -> None:
    play(floor, 17)
    roll_up(at=NOON)
    found = get_json(guard)
    html = guard.get(PAGE).content.decode()
    split, settings = tables_of(html)

    def shown(amount_minor: int) -> str:
        return money(amount_minor, floor.casino)

    def cells(of: dict[str, Any], won: int) -> list[str]:
        names = ("theo", "player_error", "dealer_error", "player_luck", "dealer_luck")
        return [*(shown(of[f"{name}_minor"]) for name in names), shown(won)]

    bets = [(seat, bet) for seat in found["seats"] for bet in seat["bets"]]
    assert len(split) == len(settings) - 1 + 1 == len(bets) + 2
    for row, (seat, bet) in zip(split[1:], bets, strict=False):
        assert (row[0], row[2]) == (str(seat["seat"]), shown(bet["amount_minor"]))
        assert row[3:] == cells(bet["split"], bet["house_win_minor"])
    assert split[-1] == ["The round", *cells(found["worth"], found["house_win_minor"])]
    for row, (seat, bet) in zip(settings[2:], bets, strict=True):
        rates = [Fraction(bet[name], found["dealer_hands"]) for name in ("wins", "pushes")]
        assert row[3:5] == [f"{float(rate) * 100:.2f} %" for rate in rates]
        if bet["wager"] == "main":
            assert row[2].startswith(f"{seat['low']} | {seat['high']}")
            is_best = bet["setting_value"] == bet["best_value"]
            mark = "✓ as good as set" if is_best else "✗ better"
            assert row[7] == f"{bet['best_low']} | {bet['best_high']} {mark}"


def test_link_leads_from_the_round_and_back(floor: Floor, guard: Client) -> None:
    play(floor)
    assert f'href="{PAGE}"' in guard.get("/tables/BP-01/rounds/1/").content.decode()
    assert 'href="/tables/BP-01/rounds/1/"' in guard.get(PAGE).content.decode()


def test_what_is_not_appraised_yet_is_not_known_and_never_zero(floor: Floor, guard: Client) -> None:
    played = play(floor)
    bets = Bet.objects.filter(seat_hand__round=played)
    found = get_json(guard)
    assert_shape(RoundWorthOut, found)
    assert found["worth"]["bets_missing"] == bets.count()
    assert {value for bet in found["seats"][0]["bets"] for value in bet["split"].values()} == {None}
    html = guard.get(PAGE).content.decode()
    assert f"Not appraised yet: {bets.count()} bets" in words_of(html)
    split, settings = tables_of(html)
    assert split[-1][1] == "n/a"
    assert split[1][3] == settings[2][3] == "not appraised yet"
    roll_up(at=NOON)
    BetWorth.objects.filter(bet=bets[0]).delete()
    found = get_json(guard)
    assert_shape(RoundWorthOut, found)
    assert found["worth"]["bets_missing"] == 1
    assert "Not appraised yet: 1 bet of this round" in words_of(guard.get(PAGE).content.decode())
    WagerValue.objects.all().delete()
    assert get_json(guard)["worth"]["bets_missing"] == bets.count()


def test_voided_round_says_that_it_no_longer_counts(floor: Floor, guard: Client) -> None:
    void(floor, play(floor))
    roll_up(at=NOON)
    assert get_json(guard)["was_voided"] is True
    assert "no longer counts" in words_of(guard.get(PAGE).content.decode())


def test_bp_5_9_misset_is_told_with_what_it_would_have_cost(floor: Floor, guard: Client) -> None:
    """By hand: as set (A-5, A-8-5) seats 1 and 3 win both hands, and seat 4 pushes."""
    play(floor, 0)
    assert get_json(guard)["misset"] == {
        "set_low": "A-5",
        "set_high": "A-8-5",
        "required_low": "A-A",
        "required_high": "5-5-5",
        "foul": False,
        "cost_minor": 35_000,
        "seats": [
            {"seat": 1, "cost_minor": 20_000},
            {"seat": 2, "cost_minor": 0},
            {"seat": 3, "cost_minor": 10_000},
            {"seat": 4, "cost_minor": 5_000},
        ],
    }
    assert (
        "The dealer did not set the house way: set A-5 | A-8-5, required A-A | 5-5-5. Had it "
        "stood, the house would have lost $350.00 by it: seat 1 $200.00, seat 2 $0.00, "
        "seat 3 $100.00, seat 4 $50.00 to the player."
    ) in words_of(guard.get(PAGE).content.decode())


def test_bp_5_9_nothing_is_told_of_a_dealer_who_set_the_house_way(
    floor: Floor, guard: Client
) -> None:
    assert play(floor, 1).compliance == "match"
    assert get_json(guard)["misset"] is None
    assert "The dealer did not set" not in guard.get(PAGE).content.decode()


def test_bp_5_9_round_that_was_returned_shows_what_the_misset_cost(
    floor: Floor, guard: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruleset = replace(RULES_AS_WRITTEN, id="test/v@1", dealer_misset=DealerMissetPolicy.VOID)
    known = {**RULESETS, ruleset.id: ruleset}
    monkeypatch.setattr(rulesets, "RULESETS", known)
    monkeypatch.setattr(worths, "RULESETS", known)
    monkeypatch.setattr(worths, "_ready", dict(worths._ready))
    floor.casino.ruleset_id = ruleset.id
    floor.casino.save()
    prepare([ruleset.id])
    played = play(floor)
    roll_up(at=NOON)
    assert (played.compliance, played.house_net_minor) == ("deviation", 0)
    found = get_json(guard)
    assert found["worth"]["dealer_error_minor"] == sum(
        of.split.dealer_error_minor for of in worths_of(played).values()
    )
    assert found["worth"]["dealer_error_minor"] != 0
    assert "All bets were returned" in words_of(guard.get(PAGE).content.decode())


def test_every_role_on_the_floor_may_read_and_another_property_sees_nothing(
    floor: Floor, client: Client
) -> None:
    play(floor)
    for user in floor.users:
        client.force_login(user)
        reads = 403 if user == floor.administrator else 200
        assert client.get(PAGE).status_code == reads
        assert client.get(API).status_code == reads
        assert client.post(PAGE).status_code == 405
    client.force_login(build_floor(code="NV").manager)
    assert (client.get(PAGE).status_code, client.get(API).status_code) == (404, 404)
    client.logout()
    assert (client.get(PAGE).status_code, client.get(API).status_code) == (302, 401)


def test_case_x25_queries_do_not_grow_with_the_seats(floor: Floor, guard: Client) -> None:
    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            assert guard.get(path).status_code == 200
        return len(captured)

    rounds = sorted(
        (play(floor, number) for number in range(12)), key=lambda item: item.seat_hands.count()
    )
    few, many = rounds[0], rounds[-1]
    assert few.seat_hands.count() < many.seat_hands.count()
    roll_up(at=NOON)
    paths = [f"/tables/BP-01/rounds/{item.sequence}/worth/" for item in (few, many)]
    # The first request of a session keeps at which property it is.
    queries(paths[0])
    assert queries(paths[0]) == queries(paths[1]) <= 9
    assert queries(f"/api/v1{paths[0]}") == queries(f"/api/v1{paths[1]}") <= 9
