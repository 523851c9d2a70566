"""A ruleset as tables for kernels. BP-5 to BP-7."""

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import ClassVar, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from games.analysis.batch.cards import (
    LINE_SHIFT,
    STEP_MASK,
    STEP_SHIFT,
    ComplianceCodes,
    pattern_numbers,
)
from games.analysis.break_bonus import LINES, break_bonus_lines
from games.analysis.decks import FULL_DECK
from games.analysis.house_ways import house_ways
from games.analysis.setting_counts import COMPARISONS
from games.analysis.setting_table import CODE_BITS
from games.engine.dealing import SEATS_MAX
from games.engine.errors import EngineError, ErrorKind
from games.engine.hand_setting import LOWEST_LEGAL_HIGH
from games.engine.hands import parse_high, parse_low
from games.engine.outcomes import (
    MAIN_OUTCOMES,
    BreakBonusLine,
    DealerBreakBonusLine,
    Event,
    Outcome,
)
from games.engine.pay_tables import Odds, OddsUnit
from games.engine.results import Compliance
from games.engine.rulesets import DealerMissetPolicy, FoulPolicy, HouseWayStep, Ruleset
from games.engine.wagers import STAKE_MINOR_MAX

NO_STEP: Final = STEP_MASK
"""The place of the step of a hand that no step allows, and of what is no hand."""

_INT64_MAX: Final = 2**63 - 1


class PayTableTooLargeError(EngineError):
    """A pay table with which the win of one round might not fit into 64 bits."""

    code: ClassVar[str] = "pay_table_too_large"
    kind: ClassVar[ErrorKind] = ErrorKind.AGAINST_THE_RULES


class OddsTable(NamedTuple):
    """The odds of each line of a wager, by the line's place in its enumeration.

    A paid line wins ``stake * pays // per - stake * less``: ``less`` is 1 for odds "for one".
    """

    is_paid: NDArray[np.bool_]
    pays: NDArray[np.int64]
    per: NDArray[np.int64]
    less: NDArray[np.int64]


class Places(NamedTuple):
    """The places of what kernels name in the engine's enumerations.

    ``comparisons`` gives the event by the player's low hand (0 lost, 1 copied, 2 won), then the
    high hand; ``main_outcomes`` the outcome of each event.
    """

    match: int
    deviation: int
    event_void: int
    event_foul: int
    event_dealer_not_qualified: int
    event_player_break: int
    event_dealer_break: int
    outcome_win: int
    outcome_lose: int
    outcome_void: int
    line_none: int
    dealer_line_both: int
    dealer_line_dealer_only: int
    dealer_line_none: int
    comparisons: NDArray[np.uint8]
    main_outcomes: NDArray[np.uint8]


class RulesTables(NamedTuple):
    """What kernels need of a ruleset.

    ``entries`` holds, by hand number, the code that the house way sets, the place of the step and
    the Break Bonus line (see the module ``cards``). Strengths are those of the engine's hands;
    ``qualifier`` is 0 if any hand qualifies. ``high_bits`` is how wide the high hand in a code is.
    """

    entries: NDArray[np.uint32]
    high_bits: int
    lowest_legal_high: NDArray[np.int64]
    lowest_pair: int
    lowest_straight: int
    qualifier: int
    foul_is_reset: bool
    misset_stands: bool
    misset_is_void: bool
    main: OddsTable
    dealer_break_bonus: OddsTable
    break_bonus: OddsTable
    places: Places


# By place: what the codes of a batch audit mean.
COMPLIANCES: Final = tuple(Compliance)
# The twelve events come first, as ``setting_counts.EVENTS`` has them.
EVENTS: Final = tuple(Event)
OUTCOMES: Final = tuple(Outcome)
BREAK_BONUS_LINES: Final = LINES
DEALER_BREAK_BONUS_LINES: Final = tuple(DealerBreakBonusLine)

COMPLIANCE_CODES: Final = ComplianceCodes(
    match=COMPLIANCES.index(Compliance.MATCH),
    deviation=COMPLIANCES.index(Compliance.DEVIATION),
    not_recorded=COMPLIANCES.index(Compliance.NOT_RECORDED),
)


def distinct_steps(steps: Sequence[HouseWayStep]) -> tuple[HouseWayStep, ...]:
    """Return the steps that can ever apply: of two that ask for the same, only the first can."""
    first: dict[tuple[int, int], HouseWayStep] = {}
    for step in steps:
        first.setdefault((step.low_class, step.high_class), step)
    return tuple(first.values())


@lru_cache(maxsize=8)
def rules_tables(ruleset: Ruleset) -> RulesTables:
    """Return the tables of a ruleset; limits and caps are not in them.

    Raises PayTableTooLargeError if the wins of six seats at the highest stake might not fit into
    64 bits, or odds do not say for how much they pay.
    """
    _refuse_overflow(ruleset)
    return RulesTables(
        high_bits=CODE_BITS,
        entries=_entries(distinct_steps(ruleset.house_way)),
        lowest_legal_high=_lowest_legal_high(),
        lowest_pair=parse_low("2-2").strength,
        lowest_straight=parse_high("A-2-3").strength,
        qualifier=ruleset.least_strength,
        foul_is_reset=ruleset.foul is FoulPolicy.RESET_TO_HOUSE_WAY,
        misset_stands=ruleset.dealer_misset is DealerMissetPolicy.STAND,
        misset_is_void=ruleset.dealer_misset is DealerMissetPolicy.VOID,
        main=_odds_table([ruleset.main]),
        dealer_break_bonus=_odds_table(
            [ruleset.dealer_break_bonus.lines.get(line) for line in DEALER_BREAK_BONUS_LINES]
        ),
        break_bonus=_odds_table(
            [ruleset.break_bonus.lines.get(line) for line in BREAK_BONUS_LINES]
        ),
        places=_places(),
    )


@cache
def _places() -> Places:
    """Return the places of all that kernels name, from the engine's own enumerations."""
    return Places(
        match=COMPLIANCE_CODES.match,
        deviation=COMPLIANCE_CODES.deviation,
        event_void=EVENTS.index(Event.VOID),
        event_foul=EVENTS.index(Event.FOUL),
        event_dealer_not_qualified=EVENTS.index(Event.DEALER_NOT_QUALIFIED),
        event_player_break=EVENTS.index(Event.PLAYER_BREAK),
        event_dealer_break=EVENTS.index(Event.DEALER_BREAK),
        outcome_win=OUTCOMES.index(Outcome.WIN),
        outcome_lose=OUTCOMES.index(Outcome.LOSE),
        outcome_void=OUTCOMES.index(Outcome.VOID),
        line_none=BREAK_BONUS_LINES.index(BreakBonusLine.NONE),
        dealer_line_both=DEALER_BREAK_BONUS_LINES.index(DealerBreakBonusLine.BOTH),
        dealer_line_dealer_only=DEALER_BREAK_BONUS_LINES.index(DealerBreakBonusLine.DEALER_ONLY),
        dealer_line_none=DEALER_BREAK_BONUS_LINES.index(DealerBreakBonusLine.NONE),
        comparisons=COMPARISONS,
        main_outcomes=np.array(
            [OUTCOMES.index(MAIN_OUTCOMES[event]) for event in EVENTS], dtype=np.uint8
        ),
    )


def _lowest_legal_high() -> NDArray[np.int64]:
    """Return LOWEST_LEGAL_HIGH, with entries that no hand reaches for what is no low hand."""
    found = np.full(1 << STEP_SHIFT - CODE_BITS, 1 << CODE_BITS, dtype=np.int64)
    found[: len(LOWEST_LEGAL_HIGH)] = LOWEST_LEGAL_HIGH
    return found


@lru_cache(maxsize=4)
def _entries(steps: tuple[HouseWayStep, ...]) -> NDArray[np.uint32]:
    ways = house_ways(FULL_DECK, steps)
    numbers = pattern_numbers()
    places = np.where(ways.steps < len(steps), ways.steps, NO_STEP).astype(np.uint32)
    lines = break_bonus_lines(FULL_DECK).astype(np.uint32)
    entries = np.full(numbers.size, NO_STEP << STEP_SHIFT, dtype=np.uint32)
    entries[numbers.number_of] = ways.codes | places << STEP_SHIFT | lines << LINE_SHIFT
    return entries


def _odds_table(odds: Sequence[Odds | None]) -> OddsTable:
    known = [Odds(0) if item is None else item for item in odds]
    return OddsTable(
        is_paid=np.array([item is not None for item in odds]),
        pays=np.array([item.pays for item in known], dtype=np.int64),
        per=np.array([item.per for item in known], dtype=np.int64),
        less=np.array([item.unit is OddsUnit.FOR_ONE for item in known], dtype=np.int64),
    )


def _refuse_overflow(ruleset: Ruleset) -> None:
    """Refuse odds whose numbers might not fit, in Python's own unbounded integers.

    A kernel multiplies the stake by what the odds pay, takes away one stake, and adds up three
    bets of six seats; each step stays below the sum that is looked at here.
    """
    pay_tables: Mapping[str, Sequence[Odds]] = {
        "main": [ruleset.main],
        "dealer_break_bonus": list(ruleset.dealer_break_bonus.lines.values()),
        "break_bonus": list(ruleset.break_bonus.lines.values()),
    }
    most_minor = 0
    for name, odds in pay_tables.items():
        for item in odds:
            if not 1 <= item.per <= _INT64_MAX:
                message = f"expected odds per 1 or more, got {item}"
                raise PayTableTooLargeError(message, place=f"{ruleset.id}.{name}")
        highest = max((abs(item.pays) for item in odds), default=0)
        most_minor += SEATS_MAX * (highest + 1) * STAKE_MINOR_MAX
        if most_minor > _INT64_MAX:
            message = f"expected odds that six seats can win within 64 bits, got {highest} to 1"
            raise PayTableTooLargeError(message, place=f"{ruleset.id}.{name}")
