"""Appraising bets by array code: the values of their hands, many at a time."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from games.analysis.misset import is_dealer_error_possible, settle_on_house_way
from games.analysis.probabilities import odds_of
from games.analysis.setting_table import code_of, labels_of
from games.analysis.setting_values import PlayerKind, SettingValues
from games.analysis.value_store import BeingComputedError, setting_values
from games.analysis.worth import values_of_hands
from games.engine.cards import DECK, RANK_CARDS
from games.engine.hands import HIGH_BY_PATTERN, LOW_BY_PATTERN
from games.engine.pay_tables import exact
from games.engine.rulesets import Ruleset
from games.engine.settlement import Compliance
from games.engine.wagers import Wager
from reporting.worth.rows import BetRow, WorthRow
from tables.models import Round
from tables.rounds.reader import read_stored_rounds, require_readable

__all__ = ["Appraiser", "BeingComputedError", "make_appraiser"]

logger = logging.getLogger(__name__)

_MAIN: Final = Wager.MAIN.value
_PATTERN_OF: Final = {card.code: card.pattern for card in (*DECK, *RANK_CARDS)}


@dataclass(frozen=True, slots=True, eq=False)
class Appraiser:
    """A ruleset with the values of all settings under it.

    `expected_values` are what a stake of one nets the best player before the deal, as `"num/den"`.
    """

    ruleset: Ruleset
    values: SettingValues
    expected_values: Mapping[Wager, str]

    def appraise(self, bets: Sequence[BetRow]) -> Iterator[WorthRow]:
        """The worths of bets under this ruleset, one by one.

        A hand that cannot be read is passed over, with a warning.
        """
        places: dict[int, int] = {}
        patterns: list[int] = []
        codes: list[int] = []
        for bet in bets:
            if bet.hand_id not in places:
                places[bet.hand_id] = len(patterns)
                pattern, code = _read_hand(bet)
                patterns.append(pattern)
                codes.append(code)
        hands = values_of_hands(self.values, self.ruleset, patterns, codes)
        is_known, best_codes = hands.is_known.tolist(), hands.best_codes.tolist()
        columns = {
            wager.value: (
                of.denominator,
                *(each.tolist() for each in (of.best, of.setting, of.wins, of.losses)),
            )
            for wager, of in hands.wagers.items()
        }
        errors = _dealer_errors(self.ruleset, bets)
        for bet in bets:
            place = places[bet.hand_id]
            if not is_known[place]:
                logger.warning("cannot appraise bet %d: no such hand is dealt and set", bet.pk)
                continue
            denominator, best, setting, wins, losses = columns[bet.wager]
            is_main = bet.wager == _MAIN
            yield WorthRow(
                *(bet.pk, denominator, best[place], setting[place], wins[place], losses[place]),
                *(labels_of(best_codes[place]) if is_main else ("", "")),
                errors.get(bet.pk, 0),
            )


def make_appraiser(ruleset: Ruleset, *, may_wait: bool = True) -> Appraiser:
    """Get the values of a ruleset; takes seconds when nobody ever asked for them.

    Raises BeingComputedError when another process is at it and this one may not wait.
    """
    folder = settings.ANALYSIS_DIR
    values = setting_values(ruleset, folder=folder, may_wait=may_wait)
    odds = odds_of(ruleset, PlayerKind.BEST, folder=folder)
    return Appraiser(
        ruleset, values, {wager: exact(of.expected_value) for wager, of in odds.wagers.items()}
    )


def _read_hand(bet: BetRow) -> tuple[int, int]:
    """The rank pattern of a hand and the code of its setting; of no cards if it is unreadable."""
    try:
        cards, low, high = (
            sum([_PATTERN_OF[code] for code in text.split()])
            for text in (bet.cards, bet.low, bet.high)
        )
        return cards, code_of(LOW_BY_PATTERN[low].strength, HIGH_BY_PATTERN[high].strength)
    except KeyError:
        return 0, 0


def _dealer_errors(ruleset: Ruleset, bets: Sequence[BetRow]) -> Mapping[int, int]:
    """What the dealer's setting changed, for each bet of a round in which it may have. BP-5.9."""
    suspect = {item.value for item in Compliance if is_dealer_error_possible(item, ruleset)}
    round_ids = {bet.round_id for bet in bets if bet.compliance in suspect}
    errors: dict[int, int] = {}
    for chunk in read_stored_rounds(Round.objects.filter(pk__in=round_ids)):
        for played in require_readable(chunk):
            nets = {
                (seat.seat, bet.wager.value): bet.net_minor
                for seat in settle_on_house_way(played.entry, ruleset).seats
                for bet in seat.bets
            }
            for seat in played.seats:
                for bet in seat.bets:
                    errors[bet.key] = nets[seat.seat, bet.wager] - bet.net_minor
    return errors
