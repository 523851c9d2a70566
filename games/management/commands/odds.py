"""``manage.py odds``: the exact odds of a ruleset."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.analysis.probabilities import (
    RulesetOdds,
    odds_as_dict,
    odds_of,
    two_seats_covariance,
)
from games.analysis.rule_texts import parse_qualifier, qualifier_words
from games.analysis.setting_values import PlayerKind
from games.analysis.variants import RuleChanges, changes_as_dict, read_changes, varied_ruleset
from games.engine.errors import EngineError
from games.engine.pay_tables import exact
from games.engine.rulesets import DEFAULT_RULESET_ID, get_ruleset
from games.engine.strict_json import decode_json
from games.management.progress import progress_bar


class Command(BaseCommand):
    help = (
        "Compute the exact odds of a ruleset, from all hands of a player and of a dealer. The exit "
        "status is 2 if the ruleset, the qualifier or the changes cannot be read."
    )
    # Nothing here needs a database.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", default=DEFAULT_RULESET_ID, metavar="ID")
        parser.add_argument(
            "--qualifier",
            metavar="HAND",
            help="instead of the ruleset's: K-3-2, A-high or another high hand, or none",
        )
        parser.add_argument(
            "--changes",
            metavar="JSON",
            help='other rules, such as {"house_way": [1,2,5,3,4,6,7], "main": "19 to 20", '
            '"break_bonus": {"trips": "7 to 1"}}',
        )
        parser.add_argument(
            "--player", choices=[kind.value for kind in PlayerKind], default=PlayerKind.BEST.value
        )
        parser.add_argument("--json", action="store_true", help="one JSON object")

    def handle(self, **options: Any) -> None:
        started = time.perf_counter()
        try:
            changes = _changes_of(options["changes"], options["qualifier"])
            ruleset = varied_ruleset(get_ruleset(options["ruleset"]), changes)
        except EngineError as error:
            raise CommandError(str(error), returncode=2) from error
        folder = settings.ANALYSIS_DIR
        with _bar() as progress:
            odds = odds_of(
                ruleset,
                PlayerKind(options["player"]),
                folder=folder,
                progress=lambda part: progress(0.7 * part),
            )
            covariance = two_seats_covariance(
                odds, folder=folder, progress=lambda part: progress(0.7 + 0.3 * part)
            )
        seconds = round(time.perf_counter() - started, 3)
        if options["json"]:
            found = {
                **odds_as_dict(odds),
                # By its name; what differs from it stands apart.
                "ruleset": options["ruleset"],
                "changes": changes_as_dict(changes),
                "two_seats": {"covariance": exact(covariance), "value": float(covariance)},
                "seconds": seconds,
            }
            self.stdout.write(json.dumps(found))
        else:
            self.stdout.write("\n".join(_lines(odds, covariance, seconds)))


def _changes_of(text: str | None, qualifier: str | None) -> RuleChanges:
    """The changes asked for; the qualifier that has an option of its own goes first."""
    changes = read_changes({} if text is None else decode_json(text.encode()), place="changes")
    if qualifier is None:
        return changes
    return replace(changes, qualifier=parse_qualifier(qualifier, place="qualifier"))


@contextmanager
def _bar() -> Iterator[Callable[[float], None]]:
    """A progress bar on a terminal, told of the part that is done."""
    bar = progress_bar(100, unit="%", bar_format="{l_bar}{bar}| {elapsed}", leave=False)
    with bar:

        def tell(part: float) -> None:
            bar.update(int(100 * part) - bar.n)

        yield tell


def _lines(odds: RulesetOdds, covariance: Fraction, seconds: float) -> Iterator[str]:
    yield f"Ruleset    {odds.ruleset.id}"
    yield f"Qualifier  {qualifier_words(odds.ruleset.qualifier)}"
    yield f"Player     {odds.player.value}"
    yield f"Deals      {odds.total_deals:,}"
    for wager, of in odds.wagers.items():
        yield ""
        yield wager.value
        for line in of.lines:
            share = line.deals / of.total_deals
            yield f"  {line.line:<22}{line.deals:>26,}{share:>12.6%}  {_signed(line.net):>5} to 1"
        yield f"  {'house edge':<22}{float(of.house_edge):>38.6%}"
        yield f"  {'standard deviation':<22}{of.standard_deviation:>38.6f}"
        yield f"  {'exact expected value':<22}{exact(of.expected_value):>38}"
    yield ""
    yield "Covariance of a stake of one each"
    for pair in odds.pairs:
        yield f"  {pair.first} and {pair.second}".ljust(45) + f"{float(pair.covariance):>17.6f}"
    yield "  main bets of two seats".ljust(45) + f"{float(covariance):>17.6f}"
    yield f"\n{seconds} s"


def _signed(net: Fraction) -> str:
    return f"{'+' if net > 0 else ''}{net}"
