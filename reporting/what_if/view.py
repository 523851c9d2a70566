"""A stored answer as its page shows it: figures side by side, as text; nothing is computed anew."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from games.analysis.rule_texts import PAYS_NOTHING
from games.analysis.variants import (
    BREAK_BONUS_LINES,
    DEALER_BREAK_BONUS_LINES,
    read_changes,
    words_of,
)
from games.engine.wagers import Wager
from reporting.figures.decimals import fixed
from tables.web.words import words

BEST: Final = "best"
HOUSE_WAY: Final = "house_way"
SAME: Final = "same"
_RATES: Final = (
    ("house_edge", "House edge"),
    ("win_rate", "Player wins"),
    ("push_rate", "Push"),
    ("lose_rate", "Player loses"),
)
_SIDE_BET_LINES: Final[Mapping[Wager, tuple[str, ...]]] = {
    Wager.DEALER_BREAK_BONUS: DEALER_BREAK_BONUS_LINES,
    Wager.BREAK_BONUS: BREAK_BONUS_LINES,
}
_PERCENT_DECIMALS: Final = 4
_DEVIATION_DECIMALS: Final = 6


@dataclass(frozen=True, slots=True)
class Row:
    """A figure today, what if, and the difference; as text."""

    label: str
    today: str
    what_if: str
    difference: str

    @property
    def is_changed(self) -> bool:
        """Whether there is a difference."""
        return self.difference != SAME


@dataclass(frozen=True, slots=True)
class LineRow:
    """A line: what it pays and how often it hits, today and what if."""

    label: str
    pays_today: str
    pays_what_if: str
    rate_today: str
    rate_what_if: str
    difference: str
    is_changed: bool


@dataclass(frozen=True, slots=True)
class WagerBlock:
    """The figures of one wager against one kind of player."""

    key: str
    heading: str
    rows: tuple[Row, ...]
    lines: tuple[LineRow, ...]
    has_pays: bool
    exact: tuple[str, str]


@dataclass(frozen=True, slots=True)
class ResettledRow:
    """Bets of the property's own rounds, in minor units."""

    label: str
    bets: int
    handle_minor: int
    house_win_minor: int
    what_if_house_win_minor: int
    difference_minor: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that the page of an answered what-if shows."""

    rules: tuple[Row, ...]
    wagers: tuple[WagerBlock, ...]
    rounds: Mapping[str, Any]
    resettled: tuple[ResettledRow, ...]
    total: ResettledRow


def comparison_of(result: Mapping[str, Any]) -> Comparison:
    """A result as the worker stored it, for the page."""
    rounds = result["rounds"]
    return Comparison(
        rules=_rules(result["today"], result["what_if"]),
        wagers=(
            _block(result, Wager.MAIN, BEST, "Main bet, player sets for the best return"),
            _block(result, Wager.MAIN, HOUSE_WAY, "Main bet, player sets by the house way"),
            # A side bet is read from the cards: how the player sets does not matter. BP-7
            _block(result, Wager.DEALER_BREAK_BONUS, BEST, words(Wager.DEALER_BREAK_BONUS)),
            _block(result, Wager.BREAK_BONUS, BEST, words(Wager.BREAK_BONUS)),
        ),
        rounds=rounds,
        # In the engine's order: a database gives the keys of JSON in its own.
        resettled=tuple(
            _resettled(words(wager), rounds["wagers"][wager])
            for wager in Wager
            if wager in rounds["wagers"]
        ),
        total=_resettled("Total", rounds["total"]),
    )


def sentence_of(changes: Mapping[str, Any]) -> str:
    """Stored changes as a person reads them.

    >>> sentence_of({"qualifier": "A-4-2", "break_bonus": {"trips": "7 to 1", "akq": None}})
    'qualifier A-4-2; Break Bonus A-K-Q nothing; Break Bonus trips 7 to 1'
    """
    return words_of(read_changes(changes))


def _rules(today: Mapping[str, Any], varied: Mapping[str, Any]) -> tuple[Row, ...]:
    def texts(side: Mapping[str, Any]) -> dict[str, str]:
        return {
            "Dealer qualifies with at least": side["qualifier"],
            "Order of the house-way steps": " ".join(map(str, side["house_way"])),
            "A winning main bet pays": side["main"],
            **{
                f"{words(wager)}: {words(line)}": side[wager].get(line, PAYS_NOTHING)
                for wager, lines in _SIDE_BET_LINES.items()
                for line in lines
            },
        }

    after = texts(varied)
    return tuple(
        Row(label, before, after[label], SAME if before == after[label] else "changed")
        for label, before in texts(today).items()
    )


def _block(result: Mapping[str, Any], wager: Wager, player: str, heading: str) -> WagerBlock:
    today, varied = (result[side]["players"][player][wager] for side in ("today", "what_if"))
    more = result["differences"][player][wager]
    rows = [
        Row(
            label,
            _percent(today[name]),
            _percent(varied[name]),
            _difference(more[name]),
        )
        for name, label in _RATES
        if wager is Wager.MAIN or name != "push_rate"
    ]
    rows.insert(
        1,
        Row(
            "Standard deviation",
            f"{today['standard_deviation']:.{_DEVIATION_DECIMALS}f}",
            f"{varied['standard_deviation']:.{_DEVIATION_DECIMALS}f}",
            _deviation_difference(more["standard_deviation"]),
        ),
    )
    return WagerBlock(
        key=f"{wager.value}-{player}",
        heading=heading,
        rows=tuple(rows),
        lines=_lines(result, wager, today["lines"], varied["lines"]),
        has_pays=wager is not Wager.MAIN,
        exact=(today["house_edge"]["exact"], varied["house_edge"]["exact"]),
    )


def _lines(result: Mapping[str, Any], wager: Wager, today: Any, varied: Any) -> tuple[LineRow, ...]:
    before = {line["line"]: line for line in today}
    after = {line["line"]: line for line in varied}
    rows = []
    for line in dict.fromkeys([*before, *after]):
        rates = [
            Fraction(of[line]["rate"]["exact"]) if line in of else Fraction(0)
            for of in (before, after)
        ]
        pays = [
            "" if wager is Wager.MAIN else result[side][wager].get(line, PAYS_NOTHING)
            for side in ("today", "what_if")
        ]
        rows.append(
            LineRow(
                words(line),
                pays[0],
                pays[1],
                _percent_text(rates[0]),
                _percent_text(rates[1]),
                _signed_percent(rates[1] - rates[0]),
                is_changed=rates[0] != rates[1] or pays[0] != pays[1],
            )
        )
    return tuple(rows)


def _resettled(label: str, of: Mapping[str, int]) -> ResettledRow:
    return ResettledRow(label, **of)


def _percent(number: Mapping[str, str]) -> str:
    return _percent_text(Fraction(number["exact"]))


def _difference(number: Mapping[str, str]) -> str:
    return _signed_percent(Fraction(number["exact"]))


def _percent_text(ratio: Fraction) -> str:
    return f"{fixed(ratio * 100, _PERCENT_DECIMALS)} %"


def _signed_percent(ratio: Fraction) -> str:
    """The difference of two percentages, with its sign; "same" for none at all.

    >>> _signed_percent(Fraction(1, 800)), _signed_percent(Fraction(0))
    ('+0.1250 %', 'same')
    """
    if not ratio:
        return SAME
    text = fixed(ratio * 100, _PERCENT_DECIMALS)
    if not Fraction(text):
        # Too small for the usual decimals, and yet not the same.
        text = fixed(ratio * 100, 2 * _PERCENT_DECIMALS)
    return f"{'+' if ratio > 0 else ''}{text} %"


def _deviation_difference(value: float) -> str:
    text = f"{value:+.{_DEVIATION_DECIMALS}f}"
    return text if value else SAME
