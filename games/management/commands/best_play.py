"""``manage.py best_play``: every setting of seven cards and what it is worth."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.analysis.best_play import BestPlay, RankedSetting, best_play
from games.analysis.odds import exact
from games.analysis.value_store import setting_values
from games.engine.errors import JSON, EngineError, UnknownRulesetError
from games.engine.hand_setting import parse_hand
from games.engine.notation import CardEntry, format_cards
from games.engine.rulesets import DEFAULT_RULESET_ID, get_ruleset


class Command(BaseCommand):
    help = (
        "Rank all settings of seven cards, such as 'As Kd Th 9c 7d 5s 2h', by their exact expected "
        "value against a dealer who plays the house way. The exit status is 1 if the cards cannot "
        "be a hand, 2 if the ruleset is not known."
    )
    # Nothing here needs a database.
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
            cards = parse_hand(" ".join(options["cards"]), card_entry=card_entry)
        except UnknownRulesetError as error:
            raise CommandError(error.message, returncode=2) from error
        except EngineError as error:
            if not options["json"]:
                raise CommandError(error.message, returncode=1) from error
            self.stdout.write(json.dumps({"error": error.as_dict()}))
            sys.exit(1)
        values = setting_values(ruleset, folder=settings.ANALYSIS_DIR)
        play = best_play(cards, ruleset, values)
        if options["json"]:
            self.stdout.write(json.dumps(_as_dict(play)))
        else:
            self.stdout.write("\n".join(_lines(play)))


def _lines(play: BestPlay) -> Iterator[str]:
    yield f"{'':<9}{'low':<9}{'high':<12}{'hands':<14}{'win':>9}{'push':>9}{'lose':>9}{'value':>12}"
    for place, setting in enumerate(play.settings, start=1):
        hands = f"{setting.low.label} {setting.high.label}"
        shares = [
            f"{count / setting.dealer_hands:>9.3%}"
            for count in (setting.wins, setting.pushes, setting.losses)
        ]
        low, high = format_cards(setting.cards.low_cards), format_cards(setting.cards.high_cards)
        notes = " ".join(_notes(play, setting))
        yield (
            f"{place:>7}  {low:<9}{high:<12}{hands:<14}{''.join(shares)}"
            f"{float(setting.expected_value):>+12.6f}  {notes}".rstrip()
        )
    yield ""
    yield f"The house way costs {_words(play.house_way_costs)} of the stake."
    yield f"Ruleset  {play.ruleset.id}"


def _notes(play: BestPlay, setting: RankedSetting) -> Iterator[str]:
    if setting is play.best:
        yield "best"
    if setting is play.house_way:
        yield "house way"
    if setting.is_lucky_break:
        yield "Lucky Break"


def _words(cost: Fraction) -> str:
    return f"{float(cost):.6f} ({exact(cost)})" if cost else "nothing"


def _as_dict(play: BestPlay) -> dict[str, JSON]:
    return {
        "ruleset": play.ruleset.id,
        "cards": format_cards(play.cards),
        "best": _setting_as_dict(play.best),
        "house_way": _setting_as_dict(play.house_way),
        "house_way_costs": exact(play.house_way_costs),
        "settings": [_setting_as_dict(setting) for setting in play.settings],
    }


def _setting_as_dict(setting: RankedSetting) -> dict[str, JSON]:
    return {
        "low": setting.low.label,
        "high": setting.high.label,
        "low_cards": format_cards(setting.cards.low_cards),
        "high_cards": format_cards(setting.cards.high_cards),
        "discards": format_cards(setting.cards.discards),
        "lucky_break": setting.is_lucky_break,
        "win": setting.wins,
        "push": setting.pushes,
        "lose": setting.losses,
        "dealer_hands": setting.dealer_hands,
        "expected_value": exact(setting.expected_value),
        "value": float(setting.expected_value),
    }
