"""``manage.py best_play``: every setting of seven cards and what it is worth."""

from collections.abc import Iterator
from fractions import Fraction

from django.conf import settings

from games.analysis.best_play import BestPlay, RankedSetting, best_play
from games.analysis.value_store import setting_values
from games.engine.cards import Card
from games.engine.errors import JSON
from games.engine.notation import format_cards
from games.engine.pay_tables import exact
from games.engine.rulesets import Ruleset
from games.management.hand_command import HandAnswer, HandCommand


class Command(HandCommand):
    help = (
        "Rank all settings of seven cards, such as 'As Kd Th 9c 7d 5s 2h', by their exact expected "
        "value against a dealer who plays the house way. The exit status is 1 if the cards cannot "
        "be a hand, 2 if the ruleset is not known."
    )

    def answer(self, cards: tuple[Card, ...], ruleset: Ruleset) -> HandAnswer:
        values = setting_values(ruleset, folder=settings.ANALYSIS_DIR)
        play = best_play(cards, ruleset, values)
        return HandAnswer(_as_dict(play), _lines(play))


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
