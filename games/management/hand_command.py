"""What commands about seven cards share: their arguments, and how they refuse and answer."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.cards import Card
from games.engine.errors import JSON, EngineError, UnknownRulesetError
from games.engine.hand_setting import parse_hand
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, Ruleset, get_ruleset


@dataclass(frozen=True, slots=True)
class HandAnswer:
    """What a command tells of a hand: as JSON for programs, in lines for people."""

    body: dict[str, JSON]
    lines: Iterable[str]


class HandCommand(BaseCommand):
    """A command that answers about seven cards under a ruleset.

    The exit status is 1 if the cards cannot be a hand, 2 if the ruleset is not known.
    """

    # Nothing here needs a database or a configured site.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the cards, in one word or in seven."""
        parser.add_argument("cards", nargs="+", metavar="CARDS")
        parser.add_argument("--json", action="store_true", help="one JSON object")
        parser.add_argument("--ruleset", default=DEFAULT_RULESET_ID, metavar="ID")
        parser.add_argument("--ranks", action="store_true", help="cards are ranks without suits")

    def handle(self, **options: Any) -> None:
        """Read the cards and print the answer, or the error."""
        card_entry = CardEntry.RANKS if options["ranks"] else CardEntry.SUITED
        try:
            ruleset = get_ruleset(options["ruleset"])
            cards = parse_hand(" ".join(options["cards"]), card_entry=card_entry)
        except UnknownRulesetError as error:
            raise CommandError(error.message, returncode=2) from error
        except EngineError as error:
            if not options["json"]:
                raise CommandError(error.message, returncode=1) from error
            self.stdout.write(json.dumps({"error": error.as_dict()}))
            sys.exit(1)
        answer = self.answer(cards, ruleset)
        self.stdout.write(json.dumps(answer.body) if options["json"] else "\n".join(answer.lines))

    def answer(self, cards: tuple[Card, ...], ruleset: Ruleset) -> HandAnswer:
        """Return what there is to tell of seven different cards."""
        raise NotImplementedError
