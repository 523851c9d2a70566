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
from itertools import pairwise
from os import cpu_count
from typing import Final

import numpy as np
from numpy.typing import NDArray

from games.analysis.break_bonus import LINES, break_bonus_lines
from games.analysis.decks import FULL_DECK, Deck
from games.analysis.house_ways import LUCKY_BREAKS, DealerClasses, dealer_classes, house_ways
from games.analysis.setting_counts import (
    EVENTS,
    DealerArrays,
    PlayerArrays,
    SettingCounts,
    count_settings,
)
from games.analysis.setting_table import SettingTable, setting_table
from games.engine.errors import InvariantViolation
from games.engine.rulesets import Ruleset

VALUES_VERSION: Final = 1
"""Raised with every change of the program that changes a number it keeps.

Those are the arrays of ``SettingValues`` and the means of ``two_seats``; what was kept under
another version is not found.
"""

Progress = Callable[[float], None]
"""Called now and then with the part of the work that is done, from 0 to 1."""


def unheeded(part: float, /) -> None:
    """Take no notice of progress."""


def part_of(progress: Progress, place: int, parts: int) -> Progress:
    """Return what to tell of one of several equal parts of the work, the first at place 0."""
    return lambda done: progress((place + done) / parts)


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
    answer = _nothing_counted(table)
    # Chunks of lower halves of about the same number of patterns.
    chunks = np.linspace(0, len(deck.patterns), _CHUNKS + 1)
    bounds = np.searchsorted(player.lower_starts, chunks, side="left")
    with ThreadPoolExecutor(cpu_count()) as threads:
        work = [
            threads.submit(count_settings, first, last, player, dealer, answer)
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


def _nothing_counted(table: SettingTable) -> SettingCounts:
    settings, patterns = len(table.codes), len(table.deck.patterns)
    return SettingCounts(
        np.zeros(settings, dtype=np.int32),
        np.zeros(settings, dtype=np.int32),
        np.zeros(patterns, dtype=np.int32),
        np.zeros(patterns, dtype=np.int32),
        np.zeros((patterns, len(EVENTS), 2), dtype=np.int32),
        np.zeros((patterns, len(EVENTS), 2), dtype=np.int32),
        np.zeros(patterns, dtype=np.int64),
    )


def _deals(deck: Deck, events: NDArray[np.int32]) -> NDArray[np.int64]:
    """Count deals by event, by whether the dealer could break, and by Break Bonus line."""
    lines = break_bonus_lines(deck)
    by_line = [
        np.tensordot(deck.weights[lines == place], events[lines == place].astype(np.int64), axes=1)
        for place in range(len(LINES))
    ]
    return np.stack(by_line, axis=-1)


def _dealer_of(deck: Deck, classes: DealerClasses, ruleset: Ruleset) -> DealerArrays:
    uppers = len(deck.upper.counts)
    keys = classes.class_of.astype(np.int64) * uppers + deck.upper.part_of
    order = np.argsort(keys, kind="stable")
    groups, lower_starts = np.unique(keys[order], return_index=True)
    return DealerArrays(
        classes.low,
        classes.high,
        classes.is_break,
        classes.can_break,
        classes.high >= ruleset.least_strength,
        np.searchsorted(groups // uppers, np.arange(len(classes.low) + 1)),
        (groups % uppers).astype(np.int32),
        np.append(lower_starts, len(keys)),
        deck.lower.part_of[order],
    )


def _player_of(deck: Deck, table: SettingTable, ruleset: Ruleset) -> PlayerArrays:
    lower = deck.lower.part_of
    return PlayerArrays(
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
