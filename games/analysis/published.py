"""The published analysis beside the exact figures, as the tables of ``docs/mathematics.md``. BP-9.

The figures of the published page stand in ``published_tables.json``, as printed.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.analysis.probabilities import RulesetOdds, WagerOdds, odds_of, two_seats_covariance
from games.analysis.setting_values import PlayerKind
from games.engine.pay_tables import exact
from games.engine.rulesets import PUBLISHED_ANALYSIS, RULES_AS_WRITTEN
from games.engine.wagers import Wager

_PLAYER_WORDS: Final = {PlayerKind.BEST: "best play", PlayerKind.HOUSE_WAY: "house way"}
_PRINTED_NAMES: Final = {PlayerKind.BEST: "best_play", PlayerKind.HOUSE_WAY: "house_way"}
_RULESETS: Final = {"ace-high": PUBLISHED_ANALYSIS, "K-3-2": RULES_AS_WRITTEN}


def published_tables() -> Mapping[str, Any]:
    """Return the figures of the published page, as printed."""
    text = (Path(__file__).parent / "published_tables.json").read_text(encoding="utf-8")
    found: Mapping[str, Any] = json.loads(text)
    return found


def comparison_markdown(*, folder: Path | None) -> str:
    """Return all tables in Markdown; the same text every time. Values are kept in ``folder``."""
    printed = published_tables()
    odds = {
        (name, player): odds_of(ruleset, player, folder=folder)
        for name, ruleset in _RULESETS.items()
        for player in PlayerKind
    }
    any_odds = odds["ace-high", PlayerKind.BEST]
    parts = [
        *(_event_table(printed, odds, player) for player in PlayerKind),
        *(
            _side_bet_table(printed[wager.value], any_odds.wagers[wager])
            for wager in (Wager.DEALER_BREAK_BONUS, Wager.BREAK_BONUS)
        ),
        _summary_table(odds),
        _covariance_table(odds, folder),
    ]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _event_table(
    printed: Mapping[str, Any],
    odds: Mapping[tuple[str, PlayerKind], RulesetOdds],
    player: PlayerKind,
) -> Iterator[str]:
    tables = printed["main_bet"][_PRINTED_NAMES[player]]
    aces, kings = (odds[name, player] for name in _RULESETS)
    yield f"### Main bet, {_PLAYER_WORDS[player]}"
    yield ""
    yield from _table_head(
        ("event", "published", "exact, ace-high", "off by", "exact, K-3-2", "off by")
    )
    for event, deals in aces.deals.items():
        shares = [deals / aces.total_deals, kings.deals[event] / kings.total_deals]
        yield _row(f"`{event}`", tables["events"][event.value], shares, 6)
    for name, of in (("win", "win_rate"), ("push", "push_rate"), ("lose", "lose_rate")):
        shares = [float(getattr(side.main, of)) for side in (aces, kings)]
        yield _row(f"**{name}**", tables["summary"][name], shares, 6)
    values = [float(side.main.expected_value) for side in (aces, kings)]
    expected = tables["expected_value"]
    for value in expected if isinstance(expected, list) else [expected]:
        yield _row("**expected value**", value, values, 6)


def _side_bet_table(printed: Mapping[str, Any], odds: WagerOdds) -> Iterator[str]:
    yield f"### {odds.wager.value.replace('_', ' ').title()}"
    yield ""
    yield from _table_head(("line", "pays", "deals", "published", "exact", "off by"))
    for line in odds.lines:
        of = printed[line.line]
        share = line.deals / odds.total_deals
        pays = "loses" if line.net < 0 else f"{line.net} to 1"
        yield (
            f"| `{line.line}` | {pays} | {line.deals:,} | {of['p']:.6f} | {share:.6f} "
            f"| {of['p'] - share:+.6f} |"
        )
    value = float(odds.expected_value)
    yield (
        f"| **expected value** | | | {printed['expected_value']:.6f} | {value:.6f} "
        f"| {printed['expected_value'] - value:+.6f} |"
    )


def _summary_table(odds: Mapping[tuple[str, PlayerKind], RulesetOdds]) -> Iterator[str]:
    yield "### Edges and standard deviations, exactly"
    yield ""
    yield from _table_head(
        ("wager", "qualifier", "player", "house edge", "standard deviation", "expected value")
    )
    seen: set[tuple[Wager, str]] = set()
    for (name, player), of in odds.items():
        for wager, own in of.wagers.items():
            value = exact(own.expected_value)
            if wager is not Wager.MAIN and (wager, value) in seen:
                # A side bet is read from the seven cards, whoever qualifies and however they play.
                continue
            seen.add((wager, value))
            is_main = wager is Wager.MAIN
            yield (
                f"| `{wager.value}` | {name if is_main else 'any'} "
                f"| {_PLAYER_WORDS[player] if is_main else 'any'} "
                f"| {float(own.house_edge):.6%} | {own.standard_deviation:.6f} | {value} |"
            )


def _covariance_table(
    odds: Mapping[tuple[str, PlayerKind], RulesetOdds], folder: Path | None
) -> Iterator[str]:
    yield "### Covariances for a stake of one each"
    yield ""
    yield from _table_head(
        ("qualifier", "player", *_pair_names(odds.values()), "main bets of two seats")
    )
    for (name, player), of in odds.items():
        values = [float(pair.covariance) for pair in of.pairs]
        values.append(float(two_seats_covariance(of, folder=folder)))
        cells = " | ".join(f"{value:.6f}" for value in values)
        yield f"| {name} | {_PLAYER_WORDS[player]} | {cells} |"


def _pair_names(odds: Iterable[RulesetOdds]) -> list[str]:
    first = next(iter(odds))
    return [f"`{pair.first.value}` and `{pair.second.value}`" for pair in first.pairs]


def _table_head(names: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"


def _row(name: str, printed: float, found: Sequence[float], digits: int) -> str:
    cells = "".join(f" {value:.{digits}f} | {printed - value:+.{digits}f} |" for value in found)
    return f"| {name} | {printed:.{digits}f} |{cells}"
