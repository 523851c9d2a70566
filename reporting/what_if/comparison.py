"""The exact odds of two rulesets side by side, as JSON. For workers: it loads the array code."""

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from games.analysis.probabilities import LineOdds, RulesetOdds, WagerOdds, odds_of
from games.analysis.rule_texts import qualifier_words
from games.analysis.setting_values import PlayerKind, Progress, part_of
from games.engine.pay_tables import Odds, exact
from games.engine.rulesets import Ruleset
from games.engine.wagers import Wager
from reporting.figures.decimals import fixed

DECIMALS: Final = 10


def compare_odds(
    today: Ruleset, varied: Ruleset, *, folder: Path, progress: Progress
) -> dict[str, Any]:
    """The odds of today's ruleset, of the varied one, and what the second has more.

    Those of today's are kept in the folder; those of the varied one are asked for once, and would
    fill it. Takes some seconds for each of the two that is not kept.
    """
    both = [
        {
            player: odds_of(
                ruleset,
                player,
                folder=kept_in,
                progress=part_of(progress, place, 2),
            )
            for player in PlayerKind
        }
        for place, (ruleset, kept_in) in enumerate(((today, folder), (varied, None)))
    ]
    return {
        "today": _side(today, both[0]),
        "what_if": _side(varied, both[1]),
        "differences": _by_player(
            lambda player: {
                wager.value: _difference(
                    both[0][player].wagers[wager], both[1][player].wagers[wager]
                )
                for wager in Wager
            }
        ),
    }


def _side(ruleset: Ruleset, odds: Mapping[PlayerKind, RulesetOdds]) -> dict[str, Any]:
    tables: dict[Wager, Mapping[Any, Odds]] = {
        Wager.DEALER_BREAK_BONUS: ruleset.dealer_break_bonus.lines,
        Wager.BREAK_BONUS: ruleset.break_bonus.lines,
    }
    return {
        "ruleset": ruleset.id,
        "qualifier": qualifier_words(ruleset.qualifier),
        "house_way": [step.number for step in ruleset.house_way],
        "main": str(ruleset.main),
        **{
            wager.value: {line.value: str(pays) for line, pays in lines.items()}
            for wager, lines in tables.items()
        },
        "total_deals": odds[PlayerKind.BEST].total_deals,
        "players": _by_player(
            lambda player: {wager.value: _wager(of) for wager, of in odds[player].wagers.items()}
        ),
    }


def _by_player(of: Any) -> dict[str, Any]:
    return {player.value: of(player) for player in PlayerKind}


def _wager(of: WagerOdds) -> dict[str, Any]:
    return {
        "expected_value": number(of.expected_value),
        "house_edge": number(of.house_edge),
        "standard_deviation": of.standard_deviation,
        "win_rate": number(of.win_rate),
        "push_rate": number(of.push_rate),
        "lose_rate": number(of.lose_rate),
        "lines": [_line(line, of.total_deals) for line in of.lines],
    }


def _line(line: LineOdds, total_deals: int) -> dict[str, Any]:
    return {
        "line": str(line.line),
        "deals": line.deals,
        "rate": number(Fraction(line.deals, total_deals)),
        "net": exact(line.net),
    }


def _difference(today: WagerOdds, varied: WagerOdds) -> dict[str, Any]:
    return {
        "house_edge": number(varied.house_edge - today.house_edge),
        "standard_deviation": varied.standard_deviation - today.standard_deviation,
        "win_rate": number(varied.win_rate - today.win_rate),
        "push_rate": number(varied.push_rate - today.push_rate),
        "lose_rate": number(varied.lose_rate - today.lose_rate),
    }


def number(value: Fraction) -> dict[str, str]:
    """An exact value, and the same as a decimal for people.

    >>> number(Fraction(1, 3))
    {'exact': '1/3', 'decimal': '0.3333333333'}
    """
    return {"exact": exact(value), "decimal": fixed(value, DECIMALS)}
