import csv
import datetime as dt
import io
import json
from fractions import Fraction
from typing import Any, cast
from urllib.parse import urlencode

import pytest
from django.http import StreamingHttpResponse
from django.test import Client
from jsonschema import Draft202012Validator
from pydantic import BaseModel

from reporting.figures.metrics import LINES_OF_WAGER, GroupBy
from reporting.figures.services import roll_up
from reporting.figures.shapes import PerformanceReportOut
from reporting.models import BucketLine
from tables.models import Bet, Dealer, Role
from tests.builders import NOON, Floor, build_floor, build_user
from tests.reporting.play import play, void

URL = "/api/v1/reports/performance/"
DAY = dt.timedelta(days=1)
AT = NOON + 2 * DAY
TODAY = {"from": "2026-11-29", "to": "2026-11-29"}
EXACT = ("theo", "player_error", "player_luck", "dealer_luck")


@pytest.fixture
def manager(floor: Floor, client: Client) -> Client:
    """A signed-in manager of `floor`."""
    client.force_login(floor.manager)
    return client


def get_json(client: Client, **parameters: str) -> Any:
    answer = client.get(URL, parameters)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "application/json"
    return json.loads(answer.content, parse_constant=pytest.fail)


def get_csv(client: Client, **parameters: str) -> list[dict[str, str]]:
    answer = client.get(URL, {**parameters, "format": "csv"})
    text = cast("StreamingHttpResponse", answer).getvalue().decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_report_says_what_was_played_what_was_voided_and_the_net(
    floor: Floor, manager: Client
) -> None:
    kept, voided = play(floor, 0), play(floor, 1)
    void(floor, voided)
    roll_up(at=AT)
    found = get_json(manager, **TODAY)
    assert {key: value for key, value in found.items() if key not in ("rows", "totals")} == {
        "from": "2026-11-29",
        "to": "2026-11-29",
        "group_by": "table",
        "currency": "USD",
        "minor_digits": 2,
        "rolled_up_at": "2026-12-01T20:00:00+00:00",
        "is_current": True,
    }
    [row] = found["rows"]
    assert (row["key"], row["label"]) == ("BP-01", "BP-01")
    assert {name: row[name] for name in ("net", "play", "voids")} == found["totals"]
    assert [row[name]["rounds"] for name in ("play", "voids", "net")] == [2, 1, 1]
    bets = Bet.objects.filter(seat_hand__round=kept)
    net, main = row["net"], row["net"]["wagers"][0]
    assert net["house_win_minor"] == kept.house_net_minor
    assert net["handle_minor"] == sum(bet.amount_minor for bet in bets)
    assert net["decisions"] == main["bets"] == bets.filter(wager="main").count()
    ratio = net["house_win_minor"] / net["handle_minor"]
    assert net["hold_on_handle"] == f"{ratio:.6f}"
    assert [wager["wager"] for wager in net["wagers"]] == list(LINES_OF_WAGER)
    assert [line["line"] for line in main["lines"]] == list(LINES_OF_WAGER[main["wager"]])
    assert sum(line["hits"] for line in main["lines"]) == main["bets"]


def assert_shape(shape: type[BaseModel], answer: dict[str, Any]) -> None:
    """The answer has the fields of the documented structure, all of them and no others."""
    Draft202012Validator(_closed(shape.model_json_schema(mode="serialization"))).validate(answer)


def _closed(node: Any) -> Any:
    if isinstance(node, list):
        return [_closed(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items()}
    if "properties" in closed:
        closed |= {"additionalProperties": False, "required": sorted(closed["properties"])}
    return closed


@pytest.mark.parametrize("group_by", list(GroupBy))
def test_answer_is_of_the_documented_shape(
    floor: Floor, manager: Client, group_by: GroupBy
) -> None:
    play(floor)
    roll_up(at=AT)
    answer = get_json(manager, **TODAY, group_by=group_by)
    assert len(answer["rows"]) == 1
    assert_shape(PerformanceReportOut, answer)


def test_document_names_parameters_and_both_forms(manager: Client) -> None:
    document = json.loads(manager.get("/api/v1/schema/?format=json").content)
    operation = document["paths"][URL]["get"]
    parameters = {item["name"]: item for item in operation["parameters"]}
    assert set(parameters) == {"from", "to", "group_by", "format"}
    assert [name for name, item in parameters.items() if item.get("required")] == ["from", "to"]
    assert set(operation["responses"]) == {"200", "400", "401", "403"}
    assert set(operation["responses"]["200"]["content"]) == {"application/json", "text/csv"}


def test_case_e01_hour_of_returned_bets_has_no_ratio(floor: Floor, manager: Client) -> None:
    played = play(floor)
    roll_up(at=AT)
    BucketLine.objects.exclude(subject="round").delete()
    BucketLine.objects.update(house_win_minor=0)
    net = get_json(manager, **TODAY, group_by="hour")["rows"][0]["net"]
    assert (net["rounds"], net["handle_minor"], net["hold_on_handle"]) == (1, 0, None)
    [hour, total] = get_csv(manager, **TODAY, group_by="hour")
    assert (hour["hold on handle"], total["hold on handle"]) == ("", "")
    assert hour["hour"] == played.hour.isoformat()


def test_case_e03_total_is_the_ratio_of_the_sums(floor: Floor, manager: Client) -> None:
    for hours, handle_minor, house_win_minor in ((-4, 100_000, 50_000), (4, 900_000, 90_000)):
        played = play(floor, at=NOON + hours * DAY / 24)
        roll_up(at=AT)
        BucketLine.objects.filter(shift=played.shift).exclude(subject="round").delete()
        BucketLine.objects.create(
            **{name: getattr(played, name) for name in ("table", "dealer", "shift", "hour")},
            gaming_day=played.gaming_day,
            posting="play",
            subject="main",
            line="lose_both",
            count=1,
            late_count=0,
            handle_minor=handle_minor,
            house_win_minor=house_win_minor,
            denominator=1,
            **dict.fromkeys(
                (
                    "appraised_count",
                    *("player_error_minor", "player_error_rest", "dealer_error_minor"),
                    *("returned_minor", "returned_rest"),
                ),
                0,
            ),
        )
    found = get_json(manager, **TODAY, group_by="shift")
    assert [row["net"]["hold_on_handle"] for row in found["rows"]] == ["0.500000", "0.100000"]
    assert found["totals"]["net"]["hold_on_handle"] == "0.140000"
    rows = get_csv(manager, **TODAY, group_by="shift")
    assert [row["hold on handle"] for row in rows] == ["0.500000", "0.100000", "0.140000"]


def major(amount_minor: int) -> str:
    sign = "-" if amount_minor < 0 else ""
    return f"{sign}{abs(amount_minor) // 100}.{abs(amount_minor) % 100:02d}"


WORTH_COLUMNS = {
    "theoretical win": "theo_minor",
    "player error": "player_error_minor",
    "dealer error": "dealer_error_minor",
    "luck": "luck_minor",
    "worth as set": "setting_theo_minor",
}


def assert_worth_cells(row: dict[str, str], prefix: str, answer: dict[str, Any]) -> None:
    worth = answer["worth"]
    for column, name in WORTH_COLUMNS.items():
        assert row[f"{prefix}{column} (USD)"] == major(worth[name])
    assert row[f"{prefix}bets not appraised"] == "0"


@pytest.mark.parametrize("group_by", list(GroupBy))
def test_case_x09_csv_is_the_api_to_the_cent(
    floor: Floor, manager: Client, group_by: GroupBy
) -> None:
    for number in range(6):
        played = play(floor, number, at=NOON + number * DAY / 8, table=f"BP-0{number % 2 + 1}")
    void(floor, played, at=NOON + DAY)
    roll_up(at=AT)
    days = {"from": "2026-11-29", "to": "2026-11-30"}
    found = get_json(manager, **days, group_by=group_by)
    rows = get_csv(manager, **days, group_by=group_by)
    expected = [*found["rows"], {"key": None, "label": "Total", **found["totals"]}]
    assert [row["label"] for row in rows] == [row["label"] for row in expected]
    for row, answer in zip(rows, expected, strict=True):
        net = answer["net"]
        assert row[group_by] == (answer["key"] or "")
        for prefix, figures in (
            ("", net),
            ("played ", answer["play"]),
            ("voided ", answer["voids"]),
        ):
            assert row[f"{prefix}rounds"] == str(figures["rounds"])
            assert row[f"{prefix}late rounds"] == str(figures["late_rounds"])
            assert row[f"{prefix}decisions"] == str(figures["decisions"])
            assert row[f"{prefix}handle (USD)"] == major(figures["handle_minor"])
            assert row[f"{prefix}house win (USD)"] == major(figures["house_win_minor"])
        assert row["hold on handle"] == (net["hold_on_handle"] or "")
        assert_worth_cells(row, "", net)
        for name, rounds in net["compliance"].items():
            assert row[f"dealer {name.replace('_', ' ')}"] == str(rounds)
        for wager in net["wagers"]:
            name = wager["wager"]
            assert row[f"{name} bets"] == str(wager["bets"])
            assert row[f"{name} handle (USD)"] == major(wager["handle_minor"])
            assert row[f"{name} house win (USD)"] == major(wager["house_win_minor"])
            assert row[f"{name} hold on handle"] == (wager["hold_on_handle"] or "")
            assert_worth_cells(row, f"{name} ", wager)
            for line in wager["lines"]:
                assert row[f"{name} {line['line']}"] == str(line["hits"])
        assert (row["gaming days from"], row["gaming days to"]) == ("2026-11-29", "2026-11-30")
        assert (row["rolled up at"], row["is current"]) == ("2026-12-01T20:00:00+00:00", "yes")


def test_split_is_exact_and_its_rounded_parts_add_up(floor: Floor, manager: Client) -> None:
    for number in range(12):
        played = play(floor, number, at=NOON + number * DAY / 48)
    void(floor, played)
    roll_up(at=AT)
    found = get_json(manager, **TODAY, group_by="hour")
    for row in (*found["rows"], found["totals"]):
        for posting in ("net", "play", "voids"):
            for figures in (row[posting], *row[posting]["wagers"]):
                worth, won = figures["worth"], figures["house_win_minor"]
                assert worth["bets_missing"] == 0
                exact = {name: Fraction(worth[name]) for name in EXACT}
                assert sum(exact.values()) + worth["dealer_error_minor"] == won
                rounded = ("theo_minor", "player_error_minor", "dealer_error_minor", "luck_minor")
                assert sum(worth[name] for name in rounded) == won
                assert worth["theo_minor"] == round(exact["theo"])
                luck = exact["player_luck"] + exact["dealer_luck"]
                assert abs(worth["luck_minor"] - luck) < 2
                setting_theo = exact["theo"] + exact["player_error"] + exact["player_luck"]
                assert Fraction(worth["setting_theo"]) == setting_theo
                assert worth["setting_theo_minor"] == round(setting_theo)


def test_split_is_null_while_a_bet_is_not_appraised(floor: Floor, manager: Client) -> None:
    play(floor)
    roll_up(at=AT)
    line = BucketLine.objects.filter(subject="main").order_by("pk")[0]
    BucketLine.objects.filter(pk=line.pk).update(appraised_count=line.appraised_count - 1)
    found = get_json(manager, **TODAY)
    assert_shape(PerformanceReportOut, found)
    worth = dict(found["totals"]["net"]["worth"])
    assert worth.pop("bets_missing") == 1
    assert set(worth.values()) == {None}
    assert found["totals"]["net"]["wagers"][1]["worth"]["bets_missing"] == 0
    [row, _] = get_csv(manager, **TODAY)
    assert (row["theoretical win (USD)"], row["luck (USD)"]) == ("", "")
    assert row["bets not appraised"] == row["main bets not appraised"] == "1"


def test_csv_is_a_file_with_a_name_and_streams(floor: Floor, manager: Client) -> None:
    play(floor)
    for answer in (
        manager.get(URL, {**TODAY, "format": "csv"}),
        manager.get(URL, TODAY, headers={"accept": "text/csv"}),
    ):
        assert answer.status_code == 200
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer["Content-Disposition"] == (
            'attachment; filename="performance_LA_2026-11-29_2026-11-29_by_table.csv"'
        )
        assert answer.streaming
        assert b"".join(answer).count(b"\r\n") == 2


@pytest.mark.parametrize("name", ["=1+1", "@SUM(A1)", "\tx", "\rx", "+1", "-1", "'quoted", "＝1"])
def test_case_c19_text_is_no_formula_and_a_loss_is_a_number(
    floor: Floor, manager: Client, name: str
) -> None:
    play(floor)
    roll_up(at=AT)
    # A property's own rules keep such badges out; a report must not lean on them.
    Dealer.objects.filter(badge="D101").update(badge=name)
    BucketLine.objects.filter(subject="main").update(house_win_minor=-125_000)
    lines = BucketLine.objects.filter(subject="main").count()
    row = get_csv(manager, **TODAY, group_by="dealer")[0]
    assert row["dealer"] == f"'{name}"
    assert row["label"] == f"'{name} Dealer D101"
    assert row["main house win (USD)"] == major(-125_000 * lines)


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ({}, "from"),
        ({"from": "2026-11-29"}, "to"),
        ({"to": "2026-11-29"}, "from"),
        ({**TODAY, "from": ""}, "from"),
        ({**TODAY, "from": "29.11.2026"}, "from"),
        ({**TODAY, "from": "2026-02-29"}, "from"),
        ({**TODAY, "from": "20261129"}, "from"),
        ({**TODAY, "from": "2026-W48-7"}, "from"),
        ({**TODAY, "from": "2026-11-29\n"}, "from"),
        ({**TODAY, "from": "2026-11-29T00:00"}, "from"),
        ({**TODAY, "from": "２０２６-11-29"}, "from"),
        ({**TODAY, "to": "0000-01-01"}, "to"),
        ({**TODAY, "to": "2026-11-28"}, "to"),
        ({**TODAY, "to": "2028-01-03"}, "to"),
        ({**TODAY, "to": "2026-12-30", "group_by": "hour"}, "to"),
        ({**TODAY, "group_by": "seat"}, "group_by"),
        ({**TODAY, "group_by": ""}, "group_by"),
        ({**TODAY, "group_by": "TABLE"}, "group_by"),
        ({**TODAY, "format": "xml"}, "format"),
        ({**TODAY, "page": "1"}, "page"),
        ({**TODAY, "From": "2026-11-29"}, "From"),
    ],
)
def test_bad_parameter_is_refused_by_name(
    manager: Client, parameters: dict[str, str], place: str
) -> None:
    answer = manager.get(URL, parameters)
    body = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")
    assert set(body) == {"code", "message", "detail"}
    assert (body["code"], body["detail"]["place"]) == ("field_invalid", place)


NUMBERS = ("NaN", "sNaN", "-NaN", "Infinity", "-Infinity", "1e400", "１０", "true", "10,0")


@pytest.mark.parametrize("name", ["from", "to", "group_by", "format"])
@pytest.mark.parametrize(
    "value", [*NUMBERS, "2147483648", "1" + "0" * 30, "\x00", "2026-11-29\x00"]
)
def test_case_d18_x14_x20_numbers_and_nul_are_refused(
    manager: Client, name: str, value: str
) -> None:
    answer = manager.get(URL, {**TODAY, name: value})
    assert answer.status_code == 400
    assert answer.json()["detail"]["place"] == name


def test_parameter_given_twice_is_refused(manager: Client) -> None:
    answer = manager.get(f"{URL}?{urlencode(TODAY)}&to=2026-11-30")
    assert (answer.status_code, answer.json()["detail"]["place"]) == (400, "to")


def test_error_is_json_also_when_csv_was_asked_for(manager: Client) -> None:
    for answer in (
        manager.get(URL, {"format": "csv"}),
        manager.get(URL, headers={"accept": "text/csv"}),
    ):
        assert (answer.status_code, answer["Content-Type"]) == (400, "application/json")
        assert answer.json()["detail"]["place"] == "from"


@pytest.mark.parametrize(
    ("first_day", "last_day", "group_by"),
    [
        ("2026-11-29", "2028-01-02", "table"),
        ("2026-11-29", "2026-12-29", "hour"),
        ("0001-01-01", "0001-01-01", "gaming_day"),
        ("9999-12-31", "9999-12-31", "shift"),
    ],
)
def test_longest_and_farthest_ranges_are_answered(
    manager: Client, first_day: str, last_day: str, group_by: str
) -> None:
    found = get_json(manager, **{"from": first_day, "to": last_day}, group_by=group_by)
    assert found["rows"] == []
    assert found["totals"]["net"]["hold_on_handle"] is None


def test_only_managers_of_a_property_may_read(floor: Floor, client: Client) -> None:
    expected = {floor.manager: 200}
    for user in (*floor.users, build_user(None, Role.MANAGER)):
        client.force_login(user)
        answer = client.get(URL, TODAY)
        assert answer.status_code == expected.get(user, 403)
        assert answer.status_code == 200 or answer.json()["code"] == "permission_denied"
    client.logout()
    answer = client.get(URL, TODAY)
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")


def test_manager_sees_the_own_property_only(floor: Floor, manager: Client) -> None:
    play(build_floor(code="NV"))
    roll_up(at=AT)
    assert get_json(manager, **TODAY)["rows"] == []


def test_report_is_for_reading(manager: Client) -> None:
    for method in (manager.post, manager.put, manager.delete, manager.patch):
        answer = method(URL)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
