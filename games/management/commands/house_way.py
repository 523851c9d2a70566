"""``manage.py house_way``: how the dealer must set seven cards, and why."""

from games.engine.cards import Card
from games.engine.errors import JSON
from games.engine.house_way import house_way
from games.engine.lookup import break_bonus_line
from games.engine.notation import format_cards
from games.engine.patterns import pattern_of
from games.engine.rulesets import Ruleset
from games.management.hand_command import HandAnswer, HandCommand


class Command(HandCommand):
    help = (
        "Explain the house way of seven cards, such as 'As Kd Th 9c 7d 5s 2h'. The exit status is "
        "1 if the cards cannot be a hand, 2 if the ruleset is not known."
    )

    def answer(self, cards: tuple[Card, ...], ruleset: Ruleset) -> HandAnswer:
        way = house_way(cards, ruleset)
        explained: dict[str, JSON] = {
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
        lines = (
            f"{explained['words']}",
            f"Low       {explained['low_cards']} ({explained['low']})",
            f"High      {explained['high_cards']} ({explained['high']})",
            f"Discards  {explained['discards']}",
            f"Bonus     {explained['break_bonus']}",
            f"Ruleset   {explained['ruleset']}",
        )
        return HandAnswer(explained, lines)
