"""The report as comma-separated values for spreadsheets."""

import csv
import io
from collections.abc import Iterator
from typing import Final

from games.engine.wagers import Wager
from reporting.figures.decimals import fixed, major_units
from reporting.figures.metrics import (
    HOLD_ON_HANDLE_DECIMALS,
    LINES_OF_WAGER,
    Figures,
    Postings,
    Tally,
)
from reporting.figures.selectors import Group, PerformanceReport
from reporting.worth.split import Worth

_FORMULA_STARTS: Final = tuple("=+-@\t\r\n＝＋－＠'")


def performance_csv(report: PerformanceReport) -> Iterator[str]:
    """The report line by line: a header, a row a group, and the totals last.

    Money is in the currency's unit with all its digits, as the header says. The columns without a
    prefix are net of voids; what was played and what was voided stand apart beside them.
    """
    writer = _LineWriter()
    yield writer.line(_header(report))
    for row in report.rows:
        yield writer.line(_cells(report, row.group, row.figures))
    yield writer.line(_cells(report, Group(None, "Total"), report.totals))


def csv_filename(report: PerformanceReport) -> str:
    """What the file is called when it is saved: plain ASCII, whatever the property is called."""
    days = f"{report.first_day.isoformat()}_{report.last_day.isoformat()}"
    return f"performance_{report.property.code}_{days}_by_{report.group_by}.csv"


def spreadsheet_text(text: str) -> str:
    """Text that no spreadsheet takes for a formula; dropping a leading apostrophe restores it.

    For text only: a negative number is a number and stays one.

    >>> spreadsheet_text("=1+1"), spreadsheet_text("'quoted"), spreadsheet_text("BP-01")
    ("'=1+1", "''quoted", 'BP-01')
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text


class _LineWriter:
    """Writes one CSV line at a time."""

    def __init__(self) -> None:
        self._buffer = io.StringIO()
        self._writer = csv.writer(self._buffer)

    def line(self, cells: list[str]) -> str:
        self._writer.writerow(cells)
        line = self._buffer.getvalue()
        self._buffer.seek(0)
        self._buffer.truncate()
        return line


def _header(report: PerformanceReport) -> list[str]:
    money = f"({report.property.currency})"
    wagers = [
        name
        for wager in Wager
        for name in (
            f"{wager} bets",
            f"{wager} handle {money}",
            f"{wager} house win {money}",
            f"{wager} hold on handle",
            *_worth_header(f"{wager} ", money),
            *(f"{wager} {line}" for line in LINES_OF_WAGER[wager]),
        )
    ]
    return [
        str(report.group_by),
        "label",
        *_summary_header("", money),
        "hold on handle",
        *_worth_header("", money),
        *("dealer match", "dealer deviation", "dealer not recorded"),
        *wagers,
        *_summary_header("played ", money),
        *_summary_header("voided ", money),
        "gaming days from",
        "gaming days to",
        "rolled up at",
        "is current",
    ]


def _cells(report: PerformanceReport, group: Group, figures: Postings) -> list[str]:
    net, digits = figures.net, report.property.minor_digits
    wagers = [
        cell
        for of in net.wagers
        for cell in (
            *_tally_cells(of.total, digits),
            *_worth_cells(of.worth, digits),
            *(str(line.tally.count) for line in of.lines[: len(LINES_OF_WAGER[of.wager])]),
        )
    ]
    return [
        spreadsheet_text(group.key or ""),
        spreadsheet_text(group.label),
        *_summary(net, digits),
        _hold(net.bets),
        *_worth_cells(net.worth, digits),
        *(str(rounds) for rounds in (net.matches, net.deviations, net.not_recorded)),
        *wagers,
        *_summary(figures.play, digits),
        *_summary(figures.voids, digits),
        report.first_day.isoformat(),
        report.last_day.isoformat(),
        report.rolled_up_at.isoformat() if report.rolled_up_at else "",
        "yes" if report.is_current else "no",
    ]


def _summary_header(prefix: str, money: str) -> list[str]:
    names = ("rounds", "late rounds", "decisions", f"handle {money}", f"house win {money}")
    return [f"{prefix}{name}" for name in names]


def _summary(figures: Figures, digits: int) -> list[str]:
    return [
        str(figures.rounds),
        str(figures.late_rounds),
        str(figures.decisions),
        major_units(figures.bets.handle_minor, digits),
        major_units(figures.bets.house_win_minor, digits),
    ]


def _worth_header(prefix: str, money: str) -> list[str]:
    names = ("theoretical win", "player error", "dealer error", "luck", "worth as set")
    return [*(f"{prefix}{name} {money}" for name in names), f"{prefix}bets not appraised"]


def _worth_cells(worth: Worth, digits: int) -> list[str]:
    """The split of the house win, which adds up to it; empty while it is not known."""
    split = worth.shown
    if split is None:
        return [*[""] * 5, str(worth.bets_missing)]
    amounts = (
        split.theo_minor,
        split.player_error_minor,
        split.dealer_error_minor,
        split.luck_minor,
        split.setting_theo_minor,
    )
    return [*(major_units(amount, digits) for amount in amounts), "0"]


def _tally_cells(tally: Tally, digits: int) -> list[str]:
    return [
        str(tally.count),
        major_units(tally.handle_minor, digits),
        major_units(tally.house_win_minor, digits),
        _hold(tally),
    ]


def _hold(tally: Tally) -> str:
    """The ratio as decimal text; empty when it is undefined."""
    ratio = tally.hold_on_handle
    return "" if ratio is None else fixed(ratio, HOLD_ON_HANDLE_DECIMALS)
