"""``manage.py house_way``: how the dealer must set seven cards, and why."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.errors import JSON, EngineError, UnknownRulesetError
from games.engine.hand_setting import parse_hand
from games.engine.house_way import house_way
from games.engine.lookup import break_bonus_line
from games.engine.notation import CardEntry, format_cards
from games.engine.patterns import pattern_of
from games.engine.rulesets import DEFAULT_RULESET_ID, Ruleset, get_ruleset


class Command(BaseCommand):
    help = (
        "Explain the house way of seven cards, such as 'As Kd Th 9c 7d 5s 2h'. The exit status is "
        "1 if the cards cannot be a hand, 2 if the ruleset is not known."
    )
    # Nothing here needs a database or a configured site.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("cards", nargs="+", metavar="CARDS")
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument("--ruleset", default=DEFAULT_RULESET_ID, metavar="ID")
        parser.add_argument("--ranks", action="store_true", help="cards are ranks without suits")

    def handle(self, **options: Any) -> None:
        card_entry = CardEntry.RANKS if options["ranks"] else CardEntry.SUITED
        try:
            ruleset = get_ruleset(options["ruleset"])
            explained = _explain(" ".join(options["cards"]), ruleset, card_entry)
        except UnknownRulesetError as error:
            raise CommandError(error.message, returncode=2) from error
        except EngineError as error:
            if not options["json"]:
                raise CommandError(error.message, returncode=1) from error
            self.stdout.write(json.dumps({"error": error.as_dict()}))
            sys.exit(1)
        if options["json"]:
            self.stdout.write(json.dumps(explained))
            return
        self.stdout.write(
            f"{explained['words']}\n"
            f"Low       {explained['low_cards']} ({explained['low']})\n"
            f"High      {explained['high_cards']} ({explained['high']})\n"
            f"Discards  {explained['discards']}\n"
            f"Bonus     {explained['break_bonus']}\n"
            f"Ruleset   {explained['ruleset']}"
        )


def _explain(text: str, ruleset: Ruleset, card_entry: CardEntry) -> dict[str, JSON]:
    cards = parse_hand(text, card_entry=card_entry)
    way = house_way(cards, ruleset)
    return {
        "ruleset": ruleset.id,
        "cards": format_cards(cards),
        "step": way.step,
        "rule": way.rule,
        "reason": way.reason,
        "words": way.words,
        "low": way.low.label,
        "high": way.high.label,
        "low_cards": format_cards(way.low_cards),
        "high_cards": format_cards(way.high_cards),
        "discards": format_cards(way.discards),
        "lucky_break": way.is_lucky_break,
        "break_bonus": break_bonus_line(pattern_of(cards)).value,
    }
