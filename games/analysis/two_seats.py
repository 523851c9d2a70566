"""How the main bets of two seats that face the same dealer hand move together, exactly.

The results X and Y of two seats depend on three hands that share no card. For one dealer hand, the
sum of XY over all pairs of player hands without a common card is, by inclusion and exclusion over
the set S of common cards,

    sum over S of (-1)**|S| * G(S)**2,   G(S) = sum of X over the hands that hold S,

so no pair has to be looked at. Sets of cards fall into rank patterns like hands do, and G of a
pattern is a sum over the patterns with one card more: each of the 7 - k cards by which a hand
exceeds a set of k cards is counted once, hence

    (7 - k) * G(s) = sum over the kinds of (cards of the kind left beside s) * G(s + one of them).

That is half a million products for each of 67,600 dealer patterns, so some dealer patterns are
worked on side by side, in *lanes*, by instructions that take many small integers at once. Of hands
that hold k cards there are at most C(46 - k, 7 - k), which tells how many bits a sum needs.
"""

from concurrent.futures import ThreadPoolExecutor, as_completed
from fractions import Fraction
from itertools import pairwise
from math import comb
from os import cpu_count
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.card_sets import CardSets, card_sets
from games.analysis.decks import KINDS, Deck
from games.analysis.house_ways import LUCKY_BREAKS, dealer_classes
from games.analysis.kernels import kernel
from games.analysis.setting_table import CODE_BITS, HIGH_MASK
from games.analysis.setting_values import PlayerKind, Progress, SettingValues, part_of, unheeded
from games.engine.hand_setting import HAND_CARDS, RANK_COPIES
from games.engine.rulesets import Ruleset

_LANES: Final = 64
_CHUNKS: Final = 64
# Dividing exactly by 0 to 7 without dividing: a shift, then the inverse of the odd part.
_SHIFTS: Final = np.array([0, 0, 1, 0, 2, 0, 1, 0])
_INVERSES: Final = np.array([0, *(pow(n // (n & -n), -1, 1 << 32) for n in range(1, 8))])
_BINOMIALS: Final = np.array([[comb(n, k) for k in range(5)] for n in range(5)], dtype=np.int16)


class _Dealers(NamedTuple):
    """What each dealer pattern is set to, and the cards of each kind that it leaves."""

    low: NDArray[np.int16]
    high: NDArray[np.int16]
    is_break: NDArray[np.int16]
    qualifies: NDArray[np.int16]
    left: NDArray[np.int16]


class _Players(NamedTuple):
    """What each player pattern is set to, and what is counted for a win and for a loss."""

    low: NDArray[np.int16]
    high: NDArray[np.int16]
    is_break: NDArray[np.int16]
    win: int
    loss: int


def two_seats_product(
    ruleset: Ruleset,
    values: SettingValues,
    player: PlayerKind,
    *,
    progress: Progress = unheeded,
) -> Fraction:
    """Return the mean of the product of what two seats net on a main bet of one each.

    Both players play alike and see only their own cards. The covariance is this less the product
    of the two means. ``values`` are those of the ruleset. Takes some seconds on two processors.
    """
    deck = values.table.deck
    win, loss = ruleset.main.net, Fraction(1)
    counted = [(1, -1)] if win == loss else [(1, -1), (1, 0), (0, 1)]
    sums = []
    for place, (of_win, of_loss) in enumerate(counted):
        part = part_of(progress, place, len(counted))
        sums.append(_sum_products(ruleset, values, player, of_win, of_loss, part))
    both = Fraction(sums[0])
    if win != loss:
        # With w and l for a win and a loss, (w - l)(w' - l') = ww' + ll' - wl' - lw'.
        differences, wins, losses = sums
        both = win * win * wins + loss * loss * losses + win * loss * (differences - wins - losses)
    cards_left = sum(deck.copies) - 2 * HAND_CARDS
    return both / (deck.deals * comb(cards_left, HAND_CARDS))


def _sum_products(
    ruleset: Ruleset,
    values: SettingValues,
    player: PlayerKind,
    win: int,
    loss: int,
    progress: Progress,
) -> int:
    """Sum the product of what is counted of two seats over all deals of them and a dealer."""
    deck = values.table.deck
    dealers = _dealers_of(ruleset, deck)
    codes = values.codes(player)
    low, high = codes >> CODE_BITS, codes & HIGH_MASK
    players = _Players(
        low.astype(np.int16),
        high.astype(np.int16),
        LUCKY_BREAKS[low, high].astype(np.int16),
        win,
        loss,
    )
    products = np.zeros(len(codes), dtype=np.int64)
    bounds = np.linspace(0, len(codes), _CHUNKS + 1).astype(np.int64).tolist()
    with ThreadPoolExecutor(cpu_count()) as threads:
        work = [
            threads.submit(_fill_products, first, last, card_sets(deck), players, dealers, products)
            for first, last in pairwise(bounds)
        ]
        for done, finished in enumerate(as_completed(work), start=1):
            finished.result()
            progress(done / len(work))
    # The whole passes 63 bits: Python's integers do not mind.
    weighted = zip(deck.weights.tolist(), products.tolist(), strict=True)
    return sum(weight * product for weight, product in weighted)


def _dealers_of(ruleset: Ruleset, deck: Deck) -> _Dealers:
    classes = dealer_classes(deck, ruleset.house_way)
    of = classes.class_of
    return _Dealers(
        classes.low[of].astype(np.int16),
        classes.high[of].astype(np.int16),
        classes.is_break[of].astype(np.int16),
        (classes.high[of] >= ruleset.least_strength).astype(np.int16),
        (np.array(deck.copies) - deck.counts).astype(np.int16),
    )


@kernel
def _fill_products(
    first: int,
    last: int,
    sets: CardSets,
    players: _Players,
    dealers: _Dealers,
    products: NDArray[np.int64],
) -> None:
    """Fill in the sums for the dealer patterns from ``first`` up to ``last``, some at a time."""
    starts = sets.starts
    ways = np.empty((starts[8], _LANES), dtype=np.int16)
    results = np.empty((starts[8] - starts[7], _LANES), dtype=np.int8)
    of_six = np.empty((starts[7] - starts[6], _LANES), dtype=np.int16)
    of_five = np.empty((starts[6] - starts[5], _LANES), dtype=np.int16)
    of_fewer = np.empty((starts[5], _LANES), dtype=np.int32)
    left = np.empty((KINDS, _LANES), dtype=np.int16)
    total = np.empty(_LANES, dtype=np.int64)
    for begin in range(first, last, _LANES):
        for lane in range(_LANES):
            total[lane] = 0
            # A lane without a dealer pattern repeats the last one, and is not looked at.
            for kind in range(KINDS):
                left[kind, lane] = dealers.left[min(begin + lane, last - 1), kind]
        _count_ways(sets, left, ways)
        _compare(players, dealers, begin, last, results)
        _sum_above(6, sets, left, results, starts[7], of_six, starts[6])
        _sum_above(5, sets, left, of_six, starts[6], of_five, starts[5])
        _sum_above(4, sets, left, of_five, starts[5], of_fewer, 0)
        for size in range(3, -1, -1):
            _sum_above(size, sets, left, of_fewer, 0, of_fewer, 0)
        _add_small_squares(7, sets, ways, results, total)
        _add_small_squares(6, sets, ways, of_six, total)
        _add_small_squares(5, sets, ways, of_five, total)
        _add_squares(sets, ways, of_fewer, total)
        for lane in range(min(_LANES, last - begin)):
            products[begin + lane] = total[lane]


@kernel
def _count_ways(sets: CardSets, left: NDArray[np.int16], ways: NDArray[np.int16]) -> None:
    """Fill in how many sets of the cards left have each pattern: at most 4**7, so 16 bits do."""
    choices = np.zeros((KINDS, RANK_COPIES + 1, _LANES), dtype=np.int16)
    for kind in range(KINDS):
        for held in range(RANK_COPIES + 1):
            for lane in range(_LANES):
                choices[kind, held, lane] = _BINOMIALS[left[kind, lane], held]
    for lane in range(_LANES):
        ways[0, lane] = 1
    for row in range(1, len(ways)):
        kind, below = sets.last[row], sets.below[row]
        held = sets.counts[row, kind]
        for lane in range(_LANES):
            ways[row, lane] = ways[below, lane] * choices[kind, held, lane]


@kernel
def _compare(
    players: _Players, dealers: _Dealers, begin: int, last: int, results: NDArray[np.int8]
) -> None:
    """Fill in what is counted of each player pattern against each dealer pattern. BP-6."""
    low = np.empty(_LANES, dtype=np.int16)
    high = np.empty(_LANES, dtype=np.int16)
    is_break = np.empty(_LANES, dtype=np.int16)
    qualifies = np.empty(_LANES, dtype=np.int16)
    for lane in range(_LANES):
        dealer = min(begin + lane, last - 1)
        low[lane], high[lane] = dealers.low[dealer], dealers.high[dealer]
        is_break[lane], qualifies[lane] = dealers.is_break[dealer], dealers.qualifies[dealer]
    for row in range(len(results)):
        own_low, own_high, own_break = players.low[row], players.high[row], players.is_break[row]
        for lane in range(_LANES):
            # Without branches: -1, 0 or 1 for who alone has a Lucky Break, then for both hands.
            breaks = own_break - is_break[lane]
            is_alike = 1 - breaks * breaks
            beats = np.int16(own_low > low[lane]) & np.int16(own_high > high[lane])
            yields = np.int16(own_low <= low[lane]) & np.int16(own_high <= high[lane])
            wins = np.int16(breaks > 0) + is_alike * beats
            loses = np.int16(breaks < 0) + is_alike * yields
            counted = players.win * wins + players.loss * loses
            results[row, lane] = qualifies[lane] * counted


@kernel
def _sum_above(
    size: int,
    sets: CardSets,
    left: NDArray[np.int16],
    above_sums: NDArray[np.int32],
    above_first: int,
    sums: NDArray[np.int32],
    first: int,
) -> None:
    """Fill in G of the patterns of ``size`` cards from G of those with one card more.

    ``above_sums`` and ``sums`` begin at the rows ``above_first`` and ``first``. A pattern of more
    cards than are left has a meaningless sum, which nothing counts: its ways, and the cards of the
    kind that are left beside one card less of it, are none.
    """
    missing = HAND_CARDS - size
    shift, inverse = _SHIFTS[missing], _INVERSES[missing]
    for row in range(sets.starts[size], sets.starts[size + 1]):
        here = row - first
        for lane in range(_LANES):
            sums[here, lane] = 0
        for kind in range(KINDS):
            above = sets.above[row, kind]
            if above >= 0:
                above -= above_first
                held = sets.counts[row, kind]
                for lane in range(_LANES):
                    sums[here, lane] += (left[kind, lane] - held) * above_sums[above, lane]
        for lane in range(_LANES):
            sums[here, lane] = (sums[here, lane] >> shift) * inverse


@kernel
def _add_small_squares(
    size: int,
    sets: CardSets,
    ways: NDArray[np.int16],
    sums: NDArray[np.int16],
    total: NDArray[np.int64],
) -> None:
    """Add the squares of patterns of five cards and more: at most 820**2 * 4**5, below 2**31."""
    first = sets.starts[size]
    for row in range(len(sums)):
        for lane in range(_LANES):
            held = np.int32(sums[row, lane])
            square = np.int32(np.int32(held * held) * np.int32(ways[first + row, lane]))
            total[lane] += -square if size % 2 else square


@kernel
def _add_squares(
    sets: CardSets, ways: NDArray[np.int16], sums: NDArray[np.int32], total: NDArray[np.int64]
) -> None:
    """Add the squares of patterns of four cards and less: together below 2**54."""
    for size in range(5):
        for row in range(sets.starts[size], sets.starts[size + 1]):
            for lane in range(_LANES):
                held = np.int64(sums[row, lane])
                square = ways[row, lane] * held * held
                total[lane] += -square if size % 2 else square
