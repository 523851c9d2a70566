"""From card numbers to hands, many at a time: tables that fit the cache, and the loops over them.

A card number is ``Card.order``: 0 is the joker, then the aces, kings ... twos. A rank without a
suit has the number of its spade. ``NO_CARD`` stands where a setting was not recorded.

Each card has a word of two halves: one counts the upper ranks, the other the lower ranks and the
joker, in digits of base five. Seven words sum to the two *parts* of a hand. A part of the lower
half has a base, a part of the upper half a place among those with as many cards, and base and place
sum to the hand's number among the 67,600 rank patterns, without gaps. So a hand costs three
look-ups in tables of some hundred KiB, which the second-level cache of a processor holds.

Kernels are given all that they must know as tables, so one machine code serves every ruleset.
"""

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.decks import FULL_DECK, JOKER_KIND, LOWER_KINDS, UPPER_KINDS
from games.analysis.kernels import kernel
from games.analysis.setting_table import CODE_BITS, value_tables
from games.engine.cards import DECK
from games.engine.hand_setting import HAND_CARDS

NO_CARD: Final = 255
"""The number that stands for no card."""
NOT_RECORDED_CODE: Final = 0xFFFF
"""The code of a setting that was not recorded: above those of all settings, which are 46,591."""

# An entry, by hand number: sixteen bits of code, four of step, the rest for the line.
STEP_SHIFT: Final = 16
STEP_MASK: Final = 15
LINE_SHIFT: Final = 20

_BYTES: Final = 256
_DIGIT: Final = 5
_LOWER_SHIFT: Final = 32
_PART_MAX: Final = HAND_CARDS * _DIGIT**6
_NO_KIND: Final = 15
# The two parts of NOT_RECORDED_CODE.
_NO_HIGH: Final = (1 << CODE_BITS) - 1
_NO_LOW: Final = NOT_RECORDED_CODE - _NO_HIGH
_CODE_MASK: Final = (1 << STEP_SHIFT) - 1


class CardTables(NamedTuple):
    """What card numbers mean, for kernels.

    ``words`` by number; ``bases`` and ``places`` by the sum of the words' halves; ``kinds`` by
    number; ``lows`` by two kinds of four bits each, ``highs`` by three: the two parts of a code. A
    number that is no card leads to a hand number past the last pattern, never out of a table.
    """

    words: NDArray[np.uint64]
    bases: NDArray[np.uint32]
    places: NDArray[np.uint16]
    kinds: NDArray[np.uint8]
    lows: NDArray[np.uint16]
    highs: NDArray[np.uint16]


class ComplianceCodes(NamedTuple):
    """What the kernel writes for each answer to the question of BP-5.8."""

    match: int
    deviation: int
    not_recorded: int


class DealerSettings(NamedTuple):
    """What the house way asks of each dealer hand, and what was set. BP-5.8.

    ``step`` is the place of the step in the ruleset's distinct steps, ``line`` that of the Break
    Bonus line; ``set_code`` is NOT_RECORDED_CODE where no setting was recorded.
    """

    step: NDArray[np.uint8]
    line: NDArray[np.uint8]
    required_code: NDArray[np.uint16]
    set_code: NDArray[np.uint16]
    compliance: NDArray[np.uint8]


class PatternNumbers(NamedTuple):
    """The hand number of each row of ``FULL_DECK.patterns``, and how many numbers can come up."""

    number_of: NDArray[np.int64]
    size: int


def kind_of_order(order: int) -> int:
    """Return the kind (0 to 12: two to ace, 13: joker) of a card number.

    >>> kind_of_order(0), kind_of_order(1), kind_of_order(52)
    (13, 12, 0)
    """
    rank = DECK[order].rank
    return JOKER_KIND if rank is None else rank - 2


@cache
def card_tables() -> CardTables:
    """Return the tables of the full deck. BP-1.1, BP-2, BP-3."""
    words = np.full(_BYTES, 1 << 57, dtype=np.uint64)
    kinds = np.full(_BYTES, _NO_KIND, dtype=np.uint8)
    for order in range(len(DECK)):
        kind = kind_of_order(order)
        kinds[order] = kind
        if kind in UPPER_KINDS:
            words[order] = _DIGIT ** UPPER_KINDS.index(kind)
        else:
            words[order] = _DIGIT ** LOWER_KINDS.index(kind) << _LOWER_SHIFT
    bases, places = _bases_and_places()
    low_values, high_values = value_tables()
    lows = np.full((16, 16), _NO_LOW, dtype=np.uint16)
    highs = np.full((16, 16, 16), _NO_HIGH, dtype=np.uint16)
    known = slice(JOKER_KIND + 1)
    lows[known, known] = np.where(low_values < 0, _NO_LOW, low_values << CODE_BITS)
    highs[known, known, known] = np.where(high_values < 0, _NO_HIGH, high_values)
    return CardTables(words, bases, places, kinds, lows.ravel(), highs.ravel())


@cache
def pattern_numbers() -> PatternNumbers:
    """Return the hand numbers of all patterns; each of 0 to 67,599 is there once."""
    bases, places = _bases_and_places()
    upper, lower = _parts()
    number_of = bases[lower].astype(np.int64) + places[upper]
    return PatternNumbers(number_of, int(bases.max()) + int(places.max()) + 1)


def _parts() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return both parts of each pattern of the deck."""
    digits = _DIGIT ** np.arange(len(UPPER_KINDS))
    counts = FULL_DECK.counts.astype(np.int64)
    return counts[:, UPPER_KINDS] @ digits, counts[:, LOWER_KINDS] @ digits


@cache
def _bases_and_places() -> tuple[NDArray[np.uint32], NDArray[np.uint16]]:
    upper, lower = _parts()
    sizes = FULL_DECK.counts[:, UPPER_KINDS].sum(axis=1)
    places = np.zeros(_PART_MAX + 1, dtype=np.uint16)
    partners = np.zeros(HAND_CARDS + 1, dtype=np.int64)
    for size in range(HAND_CARDS + 1):
        parts = np.unique(upper[sizes == size])
        places[parts] = np.arange(len(parts))
        partners[size] = len(parts)
    # What no hand sums to lies behind all patterns.
    bases = np.full(_PART_MAX + 1, len(upper), dtype=np.uint32)
    parts, first = np.unique(lower, return_index=True)
    ends = np.cumsum(partners[sizes[first]])
    bases[parts] = ends - partners[sizes[first]]
    return bases, places


def steps_of(entries: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Return the place of the step in each entry."""
    return (entries >> STEP_SHIFT & STEP_MASK).astype(np.uint8)


@kernel
def _hand_number(cards: NDArray[np.uint8], row: int, tables: CardTables) -> np.uint64:
    """Return the number of the hand in a row.

    Sums fit: seven times the word of no card is below 2**60. What is not seven cards of one deck
    gets some number below ``pattern_numbers().size``.
    """
    words = tables.words
    word = (
        words[cards[row, 0]]
        + words[cards[row, 1]]
        + words[cards[row, 2]]
        + words[cards[row, 3]]
        + words[cards[row, 4]]
        + words[cards[row, 5]]
        + words[cards[row, 6]]
    )
    lower = min(word >> np.uint64(_LOWER_SHIFT), np.uint64(_PART_MAX))
    upper = word & np.uint64(0xFFFFFFFF)
    return np.uint64(tables.bases[lower] + tables.places[upper])


@kernel
def _setting_code(
    low: NDArray[np.uint8], high: NDArray[np.uint8], row: int, tables: CardTables
) -> np.uint64:
    """Return the code of the two and three cards in a row, NOT_RECORDED_CODE if there are none."""
    kinds = tables.kinds
    two = kinds[low[row, 0]] << 4 | kinds[low[row, 1]]
    three = kinds[high[row, 0]] << 8 | kinds[high[row, 1]] << 4 | kinds[high[row, 2]]
    return np.uint64(tables.lows[two] | tables.highs[three])


@kernel
def hand_numbers(cards: NDArray[np.uint8], tables: CardTables) -> NDArray[np.uint32]:
    """Return the number of each hand, a row of seven card numbers a hand."""
    found = np.empty(len(cards), dtype=np.uint32)
    for row in range(len(cards)):
        found[row] = _hand_number(cards, row, tables)
    return found


@kernel
def setting_codes(
    low: NDArray[np.uint8], high: NDArray[np.uint8], tables: CardTables
) -> NDArray[np.uint16]:
    """Return the code of each setting, rows of two and of three card numbers; foul or not."""
    found = np.empty(len(low), dtype=np.uint16)
    for row in range(len(low)):
        found[row] = _setting_code(low, high, row, tables)
    return found


@kernel
def dealer_settings(
    cards: NDArray[np.uint8],
    low: NDArray[np.uint8],
    high: NDArray[np.uint8],
    tables: CardTables,
    entries: NDArray[np.uint32],
    compliances: ComplianceCodes,
) -> DealerSettings:
    """Look up each hand, and compare with what was set by values, not cards. BP-5.8."""
    size = len(cards)
    step, line = np.empty(size, dtype=np.uint8), np.empty(size, dtype=np.uint8)
    required, was_set = np.empty(size, dtype=np.uint16), np.empty(size, dtype=np.uint16)
    compliance = np.empty(size, dtype=np.uint8)
    for row in range(size):
        entry = entries[_hand_number(cards, row, tables)]
        code = _setting_code(low, high, row, tables)
        step[row] = entry >> STEP_SHIFT & STEP_MASK
        line[row] = entry >> LINE_SHIFT
        required[row] = entry & _CODE_MASK
        was_set[row] = code
        if code == NOT_RECORDED_CODE:
            compliance[row] = compliances.not_recorded
        elif code == entry & _CODE_MASK:
            compliance[row] = compliances.match
        else:
            compliance[row] = compliances.deviation
    return DealerSettings(step, line, required, was_set, compliance)
