import datetime as dt
import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from reporting.figures.metrics import GroupBy
from reporting.figures.services import roll_up
from reporting.models import BucketLine
from tables.models import Dealer, Role
from tables.web.formats import money
from tests.builders import NOON, Floor, build_user
from tests.reporting.play import play, void

URL = "/reports/performance/"
API = "/api/v1/reports/performance/"
DAY = dt.timedelta(days=1)
AT = NOON + 2 * DAY
PARTS = ("theo", "player_error", "dealer_error", "luck")
TODAY = {"from": "2026-11-29", "to": "2026-11-29"}


@pytest.fixture
def manager(floor: Floor, client: Client) -> Client:
    """A signed-in manager of `floor`."""
    client.force_login(floor.manager)
    return client


def get_text(client: Client, **parameters: str) -> str:
    answer = client.get(URL, parameters)
    assert answer.status_code == 200
    return answer.content.decode()


def words_of(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def tables_of(html: str) -> list[list[list[str]]]:
    """The cells of each row of each table of data."""
    return [
        [
            [words_of(cell) for cell in re.findall(r"<t[hd][ >].*?</t[hd]>", row, re.DOTALL)]
            for row in re.findall(r"<tr>.*?</tr>", table, re.DOTALL)
        ]
        for table in re.findall(r"<table.*?</table>", html, re.DOTALL)
    ]


def percent(ratio: str | None) -> str:
    return "n/a" if ratio is None else f"{float(ratio) * 100:.2f} %"


@pytest.mark.parametrize("group_by", list(GroupBy))
def test_case_x09_page_is_the_api_to_the_cent(
    floor: Floor, manager: Client, group_by: GroupBy
) -> None:
    for number in range(6):
        played = play(floor, number, at=NOON + number * DAY / 8, table=f"BP-0{number % 2 + 1}")
    void(floor, played, at=NOON + DAY)
    roll_up(at=AT)
    days = {"from": "2026-11-29", "to": "2026-11-30", "group_by": group_by.value}
    found = manager.get(API, days).json()
    result, why, by_wager, compliance, *by_line = tables_of(get_text(manager, **days))

    def shown(amount_minor: int) -> str:
        return money(amount_minor, floor.casino)

    def result_cells(row: dict[str, Any]) -> list[str]:
        net, voids = row["net"], row["voids"]
        return [
            row["label"],
            *(str(net["rounds"]), str(net["decisions"]), shown(net["handle_minor"])),
            *(shown(net["house_win_minor"]), percent(net["hold_on_handle"])),
            *(str(voids["rounds"]), shown(voids["handle_minor"])),
            shown(voids["house_win_minor"]),
        ]

    def worth_cells(row: dict[str, Any]) -> list[str]:
        worth, house_win_minor = row["net"]["worth"], row["net"]["house_win_minor"]
        parts = [worth[f"{name}_minor"] for name in PARTS]
        assert sum(parts) == house_win_minor
        return [
            row["label"],
            *(shown(part) for part in parts),
            *(shown(house_win_minor), shown(worth["setting_theo_minor"])),
        ]

    def wager_cells(row: dict[str, Any]) -> list[str]:
        return [
            row["label"],
            *(
                cell
                for wager in row["net"]["wagers"]
                for cell in (
                    *(str(wager["bets"]), shown(wager["handle_minor"])),
                    *(shown(wager["house_win_minor"]), percent(wager["hold_on_handle"])),
                )
            ),
        ]

    rows = [*found["rows"], {"label": "Total", **found["totals"]}]
    assert len(rows) > 1
    assert result[2:] == [result_cells(row) for row in rows]
    assert why[1:] == [worth_cells(row) for row in rows]
    assert by_wager[2:] == [wager_cells(row) for row in rows]
    assert [row[:4] for row in compliance[1:]] == [
        [row["label"], *(str(rounds) for rounds in row["net"]["compliance"].values())]
        for row in rows
    ]
    for table, wager in zip(by_line, found["totals"]["net"]["wagers"], strict=True):
        hits = [str(line["hits"]) for line in wager["lines"]]
        assert [row[1] for row in table[1:]] == [*hits, str(wager["bets"])]


def test_what_is_not_appraised_is_na_and_says_how_much(floor: Floor, manager: Client) -> None:
    played = play(floor)
    play(floor, 1, table="BP-02")
    roll_up(at=AT)
    lines = BucketLine.objects.filter(table=played.table, subject="main")
    count = sum(lines.values_list("count", flat=True))
    lines.update(appraised_count=0, player_error_minor=0, returned_minor=0, returned_rest=0)
    html = get_text(manager, **TODAY)
    first, second, total = tables_of(html)[1][1:]
    unknown = f"n/a: {count} bets not appraised yet"
    assert first[:2] == ["BP-01", unknown]
    assert (first[3], total[1], total[3]) == ("n/a", unknown, "n/a")
    assert first[2] == money(played.house_net_minor, floor.casino)
    assert "n/a" not in second
    assert "Theoretical win n/a" in words_of(html)


def test_page_opens_with_the_current_gaming_day_by_table(
    floor: Floor, manager: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(floor)
    roll_up(at=AT)
    night = dt.datetime(2026, 11, 30, 9, 30, tzinfo=dt.UTC)
    monkeypatch.setattr(timezone, "now", lambda: night)
    html = get_text(manager)
    assert html.count('value="2026-11-29"') == 2
    assert '<option value="table" selected>Table</option>' in html
    assert tables_of(html)[0][2][0] == "BP-01"


def test_case_e01_undefined_ratio_is_na_and_a_loss_keeps_its_sign(
    floor: Floor, manager: Client
) -> None:
    play(floor)
    roll_up(at=AT)
    BucketLine.objects.exclude(subject="round").delete()
    row = tables_of(get_text(manager, **TODAY))[0][2]
    assert (row[3], row[5]) == ("$0.00", "n/a")
    line = BucketLine.objects.get()
    line.pk, line.subject, line.line = None, "main", "win_both"
    line.handle_minor, line.house_win_minor = 100_000, -25_000
    line.save()
    html = get_text(manager, **TODAY)
    assert tables_of(html)[0][2][3:6] == ["$1,000.00", "-$250.00", "-25.00 %"]
    assert '<td class="num loss">-$250.00</td>' in html


def test_case_x27_page_says_as_of_when_and_whether_that_is_now(
    floor: Floor, manager: Client
) -> None:
    text = words_of(get_text(manager, **TODAY))
    assert "Nothing has been rolled up yet" in text
    assert "No rounds and no voids in the gaming day 2026-11-29." in text
    play(floor)
    roll_up(at=AT)
    html = get_text(manager, **TODAY)
    assert "As of 2026-12-01 12:00:00 PST (UTC-08:00)" in words_of(html)
    assert "Not current" not in html
    assert "is-stale" not in html
    play(floor)
    html = get_text(manager, **TODAY)
    assert "Not current" in html
    assert "is-stale" in html


def test_late_rounds_are_named_as_a_restatement(floor: Floor, manager: Client) -> None:
    play(floor)
    roll_up(at=AT)
    assert "Restated" not in get_text(manager, **TODAY)
    play(floor, 1, recorded_at=NOON + DAY)
    roll_up(at=AT)
    text = words_of(get_text(manager, **TODAY))
    assert "Restated: 1 of these rounds was recorded after the gaming day had ended." in text


def test_link_leads_to_the_same_report_as_csv(floor: Floor, manager: Client) -> None:
    play(floor)
    roll_up(at=AT)
    html = get_text(manager, **TODAY, group_by="hour")
    [link] = re.findall(r'href="([^"]*format=csv)"', html)
    answer = manager.get(unescape(link))
    assert answer.status_code == 200
    assert answer["Content-Disposition"].endswith('_2026-11-29_2026-11-29_by_hour.csv"')


@pytest.mark.parametrize(
    ("parameters", "place"),
    [
        ({"from": "2026-11-30", "to": "2026-11-29"}, "to"),
        ({"from": "x", "to": "2026-11-29"}, "from"),
        ({"from": "\x00", "to": "2026-11-29"}, "from"),
        ({**TODAY, "group_by": "<script>"}, "group_by"),
        ({**TODAY, "format": "csv"}, "format"),
    ],
)
def test_bad_parameter_is_named_beside_the_form(
    manager: Client, parameters: dict[str, str], place: str
) -> None:
    answer = manager.get(URL, parameters)
    html = answer.content.decode()
    assert answer.status_code == 400
    assert html.count(f"({place})</p>") == 1
    assert html.count('aria-describedby="fault"') == (place != "format")
    assert "<script>" not in html
    assert "<table" not in html


def test_case_x13_names_are_shown_as_text(floor: Floor, manager: Client) -> None:
    Dealer.objects.filter(badge="D101").update(name="<b>Bold</b>\N{RIGHT-TO-LEFT OVERRIDE}")
    play(floor)
    roll_up(at=AT)
    html = get_text(manager, **TODAY, group_by="dealer")
    assert "<b>Bold" not in html
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in html
    assert "D101 <b>Bold</b>[U+202E]" in unescape(html)


def test_only_managers_may_see_the_page(floor: Floor, client: Client) -> None:
    expected = {floor.manager: 200}
    for user in (*floor.users, build_user(None, Role.MANAGER)):
        client.force_login(user)
        assert client.get(URL).status_code == expected.get(user, 403)
    client.logout()
    assert client.get(URL).status_code == 302
    client.force_login(floor.manager)
    assert client.post(URL).status_code == 405
