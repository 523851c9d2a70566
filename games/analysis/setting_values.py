"""What every setting of every hand is worth against a house-way dealer, exactly. BP-6.

For each of the 67,600 patterns of a player all 67,600 of the dealer are counted, with the player's
own seven cards gone from the deck. The number of dealer hands of a class that are left,

    sum over the patterns of the class of the product over the kinds of C(copies - mine, dealer's),

is summed half by half: the product over the lower kinds depends on the lower half of the player's
pattern alone, so its sums (one for each class and upper half of the dealer) are made once for all
patterns that share this lower half. That leaves about a billion additions.

Every number counts dealer hands, so none exceeds C(46,7) = 53,524,680, and 32 bits hold it.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from os import cpu_count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.decks import FULL_DECK, Deck
from games.analysis.house_ways import LUCKY_BREAKS, DealerClasses, dealer_classes, house_ways
from games.analysis.kernels import kernel
from games.analysis.setting_table import CODE_BITS, HIGH_MASK, SettingTable, setting_table
from games.engine.errors import InvariantViolation
from games.engine.hands import ALL_HIGH, ALL_LOW
from games.engine.lookup import break_bonus_line
from games.engine.outcomes import BreakBonusLine, Event, compare_hands
from games.engine.rulesets import Ruleset

Progress = Callable[[float], None]
"""Called now and then with the part of the work that is done, from 0 to 1."""


def unheeded(part: float, /) -> None:
    """Take no notice of progress."""


EVENTS: Final = tuple(event for event in Event if event not in (Event.FOUL, Event.VOID))
"""The twelve events, in the order of the columns that count them. BP-6."""
LINES: Final = tuple(BreakBonusLine)
"""The Break Bonus lines, best first. BP-7.2."""
_PLAYER_BREAK: Final = EVENTS.index(Event.PLAYER_BREAK)
_DEALER_BREAK: Final = EVENTS.index(Event.DEALER_BREAK)
_DEALER_NOT_QUALIFIED: Final = EVENTS.index(Event.DEALER_NOT_QUALIFIED)
# By how the player's low hand did (0 copied, 1 won, -1 lost), and then the high hand.
_COMPARISONS: Final = np.array(
    [
        [
            EVENTS.index(
                compare_hands(ALL_LOW[1 + low], ALL_HIGH[1 + high], ALL_LOW[1], ALL_HIGH[1])
            )
            for high in (0, 1, -1)
        ]
        for low in (0, 1, -1)
    ]
)
_HIGHS: Final = len(ALL_HIGH)
_CHUNKS: Final = 64


@dataclass(frozen=True, slots=True, eq=False)
class SettingValues:
    """Dealer hands that a setting beats and loses to, of ``deck.hands_after_one``; the rest push.

    ``wins`` and ``losses`` stand beside ``table.codes``; ``qualified`` counts, for each pattern,
    the dealer hands that qualify, to which a foul loses (BP-4.3, BP-6.1). ``best_codes`` are the
    settings of highest expected value on the main bet, of equal ones the strongest low, then the
    strongest high; ``house_codes`` those of the house way. ``breaks`` counts, for each pattern, the
    dealer hands of which a Lucky Break could be set (BP-7.1).

    ``deals`` counts all deals by how the player plays (``PlayerKind``), the event (``EVENTS``),
    whether the dealer could have set a Lucky Break, and the Break Bonus line (``LINES``). All deals
    are 8,250,459,031,214,400, so 63 bits hold any sum of them.
    """

    table: SettingTable
    wins: NDArray[np.int32]
    losses: NDArray[np.int32]
    qualified: NDArray[np.int32]
    breaks: NDArray[np.int32]
    best_codes: NDArray[np.int32]
    house_codes: NDArray[np.int32]
    deals: NDArray[np.int64]

    def of_pattern(self, pattern: int) -> list[tuple[int, int, int]]:
        """Return code, wins and losses of each setting of one of the engine's pattern numbers.

        Raises KeyError for a pattern that is not of the deck.
        """
        patterns, starts = self.table.deck.patterns, self.table.starts
        row = int(np.searchsorted(patterns, pattern))
        if row == len(patterns) or patterns[row] != pattern:
            raise KeyError(pattern)
        own = slice(starts[row], starts[row + 1])
        arrays = (self.table.codes, self.wins, self.losses)
        return list(zip(*(array[own].tolist() for array in arrays), strict=True))

    def codes(self, player: "PlayerKind") -> NDArray[np.int32]:
        """Return the setting that a player of this kind makes of each pattern."""
        return self.best_codes if player is PlayerKind.BEST else self.house_codes


class PlayerKind(StrEnum):
    """How the player sets the hand: for the highest expected value, or the house way."""

    BEST = "best"
    HOUSE_WAY = "house_way"


class _Dealer(NamedTuple):
    """The dealer's classes, and the groups of dealer patterns alike in class and upper half.

    The groups of class ``c`` are ``group_starts[c]`` to ``group_starts[c + 1]``; the lower halves
    of the patterns of group ``g`` are ``lower[lower_starts[g]:lower_starts[g + 1]]``.
    """

    low: NDArray[np.int32]
    high: NDArray[np.int32]
    is_break: NDArray[np.bool_]
    can_break: NDArray[np.bool_]
    qualifies: NDArray[np.bool_]
    group_starts: NDArray[np.int64]
    group_upper: NDArray[np.int32]
    lower_starts: NDArray[np.int64]
    lower: NDArray[np.int32]


class _Player(NamedTuple):
    """The player's patterns, those of lower half ``h`` being ``by_lower[lower_starts[h]:...]``."""

    lower_starts: NDArray[np.int64]
    by_lower: NDArray[np.int64]
    upper: NDArray[np.int32]
    upper_ways: NDArray[np.int32]
    lower_ways: NDArray[np.int32]
    setting_starts: NDArray[np.int64]
    codes: NDArray[np.int32]
    house_codes: NDArray[np.int32]
    lucky_breaks: NDArray[np.bool_]
    win_pays: int
    loss_costs: int


class _Answer(NamedTuple):
    """What the kernel fills in: a row a setting (wins, losses) or a pattern.

    ``best_events`` and ``house_events`` count dealer hands by event, and by whether a Lucky Break
    could be set of them; ``hands`` is how many there were in all.
    """

    wins: NDArray[np.int32]
    losses: NDArray[np.int32]
    qualified: NDArray[np.int32]
    best_codes: NDArray[np.int32]
    best_events: NDArray[np.int32]
    house_events: NDArray[np.int32]
    hands: NDArray[np.int64]


def evaluate_settings(
    ruleset: Ruleset, *, deck: Deck = FULL_DECK, progress: Progress = unheeded
) -> SettingValues:
    """Count wins and losses of all settings, and the events of best play and of the house way.

    Takes some seconds on two processors. Of the ruleset only the qualifier, the house way and the
    odds of the main bet count. Raises InvariantViolation if the hands of a dealer do not add up to
    C(46,7) for some pattern.
    """
    table = setting_table(deck)
    classes = dealer_classes(deck, ruleset.house_way)
    dealer = _dealer_of(deck, classes, ruleset)
    player = _player_of(deck, table, ruleset)
    patterns = len(deck.patterns)
    answer = _Answer(
        np.zeros(len(table.codes), dtype=np.int32),
        np.zeros(len(table.codes), dtype=np.int32),
        np.zeros(patterns, dtype=np.int32),
        np.zeros(patterns, dtype=np.int32),
        np.zeros((patterns, len(EVENTS), 2), dtype=np.int32),
        np.zeros((patterns, len(EVENTS), 2), dtype=np.int32),
        np.zeros(patterns, dtype=np.int64),
    )
    # Chunks of lower halves of about the same number of patterns.
    bounds = np.searchsorted(
        player.lower_starts, np.linspace(0, patterns, _CHUNKS + 1), side="left"
    )
    with ThreadPoolExecutor(cpu_count()) as threads:
        work = [
            threads.submit(_evaluate, first, last, player, dealer, answer)
            for first, last in pairwise(bounds.tolist())
        ]
        for done, finished in enumerate(as_completed(work), start=1):
            finished.result()
            progress(done / len(work))
    if (answer.hands != deck.hands_after_one).any():
        message = f"expected {deck.hands_after_one} dealer hands, got {np.unique(answer.hands)}"
        raise InvariantViolation(message)
    return SettingValues(
        table,
        answer.wins,
        answer.losses,
        answer.qualified,
        answer.best_events[:, :, 1].sum(axis=1, dtype=np.int32),
        answer.best_codes,
        player.house_codes,
        np.stack([_deals(deck, answer.best_events), _deals(deck, answer.house_events)]),
    )


@cache
def break_bonus_lines(deck: Deck) -> NDArray[np.int8]:
    """Return the place in ``LINES`` of the Break Bonus line of each pattern. BP-7.2."""
    places = {line: place for place, line in enumerate(LINES)}
    lines = (places[break_bonus_line(pattern)] for pattern in deck.patterns.tolist())
    return np.fromiter(lines, dtype=np.int8, count=len(deck.patterns))


def _deals(deck: Deck, events: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count deals by event, by whether the dealer could break, and by Break Bonus line."""
    lines = break_bonus_lines(deck)
    by_line = [
        np.tensordot(deck.weights[lines == place], events[lines == place].astype(np.int64), axes=1)
        for place in range(len(LINES))
    ]
    return np.stack(by_line, axis=-1)


def _dealer_of(deck: Deck, classes: DealerClasses, ruleset: Ruleset) -> _Dealer:
    uppers = len(deck.upper.counts)
    keys = classes.class_of.astype(np.int64) * uppers + deck.upper.part_of
    order = np.argsort(keys, kind="stable")
    groups, lower_starts = np.unique(keys[order], return_index=True)
    lowest = 0 if ruleset.qualifier is None else ruleset.qualifier.strength
    return _Dealer(
        classes.low,
        classes.high,
        classes.is_break,
        classes.can_break,
        classes.high >= lowest,
        np.searchsorted(groups // uppers, np.arange(len(classes.low) + 1)),
        (groups % uppers).astype(np.int32),
        np.append(lower_starts, len(keys)),
        deck.lower.part_of[order],
    )


def _player_of(deck: Deck, table: SettingTable, ruleset: Ruleset) -> _Player:
    lower = deck.lower.part_of
    return _Player(
        np.searchsorted(np.sort(lower), np.arange(len(deck.lower.counts) + 1)),
        np.argsort(lower, kind="stable"),
        deck.upper.part_of,
        deck.upper.ways,
        deck.lower.ways,
        table.starts,
        table.codes,
        house_ways(deck, ruleset.house_way).codes,
        LUCKY_BREAKS,
        *_main_odds(ruleset),
    )


def _main_odds(ruleset: Ruleset) -> tuple[int, int]:
    """What a win pays and a loss costs, in whole units of the same size."""
    net = ruleset.main.net
    return net.numerator, net.denominator


@kernel
def _evaluate(first: int, last: int, player: _Player, dealer: _Dealer, answer: _Answer) -> None:
    """Fill in the answer for the patterns whose lower half is from ``first`` up to ``last``."""
    group_hands = np.empty(len(dealer.group_upper), dtype=np.int32)
    hands = np.empty(len(dealer.low), dtype=np.int32)
    for half in range(first, last):
        lower_ways = player.lower_ways[half]
        for group in range(len(group_hands)):
            ways = 0
            for lower in dealer.lower[dealer.lower_starts[group] : dealer.lower_starts[group + 1]]:
                ways += lower_ways[lower]
            group_hands[group] = ways
        for place in range(player.lower_starts[half], player.lower_starts[half + 1]):
            pattern = player.by_lower[place]
            upper_ways = player.upper_ways[player.upper[pattern]]
            for of_class in range(len(hands)):
                ways = 0
                for group in range(
                    dealer.group_starts[of_class], dealer.group_starts[of_class + 1]
                ):
                    ways += upper_ways[dealer.group_upper[group]] * group_hands[group]
                hands[of_class] = ways
            answer.hands[pattern] = hands.sum()
            _evaluate_pattern(pattern, hands, player, dealer, answer)


@kernel
def _evaluate_pattern(
    pattern: int, hands: NDArray[np.int32], player: _Player, dealer: _Dealer, answer: _Answer
) -> None:
    """Compare all settings of a pattern with the dealer hands of each class.

    A setting wins with both hands stronger and loses with both weaker or the same. So wins less
    losses are the dealer hands with a weaker low, and those with a weaker high, less all of them:
    only the wins must be counted over pairs of hands.
    """
    # Side by side: dealer settings that are no Lucky Break, and those that are one. BP-6.2, BP-6.3
    weaker_high = _hands_by_high(hands, dealer)
    total = weaker_high[:, -1]
    answer.qualified[pattern] = total.sum()
    with_weaker_low = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    weaker_both = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    best_value = -(1 << 62)
    of_class = 0
    current_low = -1
    for place in range(player.setting_starts[pattern], player.setting_starts[pattern + 1]):
        code = player.codes[place]
        low, high = code >> CODE_BITS, code & HIGH_MASK
        if low != current_low:
            while of_class < len(hands) and dealer.low[of_class] < low:
                if dealer.qualifies[of_class]:
                    kind = int(dealer.is_break[of_class])
                    with_weaker_low[kind, dealer.high[of_class] + 1] += hands[of_class]
                of_class += 1
            for kind in range(2):
                running = 0
                for place_high in range(_HIGHS + 1):
                    running += with_weaker_low[kind, place_high]
                    weaker_both[kind, place_high] = running
            current_low = low
        own = int(player.lucky_breaks[low, high])
        wins = weaker_both[own, high]
        losses = wins - (weaker_both[own, -1] + weaker_high[own, high] - total[own])
        if own:
            wins += total[0]
        else:
            losses += total[1]
        answer.wins[place] = wins
        answer.losses[place] = losses
        value = player.win_pays * wins - player.loss_costs * losses
        # Codes ascend, so of equal values the strongest low, then the strongest high stays.
        if value >= best_value:
            best_value = value
            answer.best_codes[pattern] = code
    _count_events(answer.best_codes[pattern], hands, player, dealer, answer.best_events[pattern])
    _count_events(player.house_codes[pattern], hands, player, dealer, answer.house_events[pattern])


@kernel
def _hands_by_high(hands: NDArray[np.int32], dealer: _Dealer) -> NDArray[np.int64]:
    """Count qualifying dealer hands below each high hand; a row each without and with a break."""
    by_high = np.zeros((2, _HIGHS + 1), dtype=np.int64)
    for of_class in range(len(hands)):
        if dealer.qualifies[of_class]:
            by_high[int(dealer.is_break[of_class]), dealer.high[of_class] + 1] += hands[of_class]
    for kind in range(2):
        for high in range(_HIGHS):
            by_high[kind, high + 1] += by_high[kind, high]
    return by_high


@kernel
def _count_events(
    code: int,
    hands: NDArray[np.int32],
    player: _Player,
    dealer: _Dealer,
    events: NDArray[np.int32],
) -> None:
    """Count dealer hands by the event that they make with one setting. BP-6."""
    low, high = code >> CODE_BITS, code & HIGH_MASK
    is_break = player.lucky_breaks[low, high]
    for of_class in range(len(hands)):
        if not dealer.qualifies[of_class]:
            event = _DEALER_NOT_QUALIFIED
        elif is_break != dealer.is_break[of_class]:
            event = _PLAYER_BREAK if is_break else _DEALER_BREAK
        else:
            by_low = (low > dealer.low[of_class]) - (low < dealer.low[of_class])
            by_high = (high > dealer.high[of_class]) - (high < dealer.high[of_class])
            event = _COMPARISONS[by_low, by_high]
        events[event, int(dealer.can_break[of_class])] += hands[of_class]
