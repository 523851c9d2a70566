"""Rulesets: what may differ from house to house, as frozen data with a version in the id.

A ruleset that rounds were settled with is never edited, only followed by a new one: every round
stores the id and settles the same for ever.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple

from games.engine.errors import UnknownRulesetError, shown
from games.engine.hands import HighClass, HighHand, LowClass, parse_high
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine
from games.engine.pay_tables import EVEN_MONEY, Odds, PayTable
from games.engine.wagers import NO_CAPS, SideBetCaps, Wager, WagerLimits


class FoulPolicy(StrEnum):
    """What a player's fouled setting does. BP-4.3."""

    LOSE = "lose"
    RESET_TO_HOUSE_WAY = "reset_to_house_way"


class DealerMissetPolicy(StrEnum):
    """What a dealer's setting that differs from the house way does. BP-5.9."""

    RESET = "reset"
    STAND = "stand"
    VOID = "void"


class HouseWayStep(NamedTuple):
    """One step of the house way: the classes it asks for, and what it says in words. BP-5."""

    number: int
    rule: str
    low_class: LowClass
    high_class: HighClass
    words: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ruleset:
    """The rules of one house in one version. Two rulesets are the same only if they are one object.

    ``qualifier`` is the weakest high hand with which the dealer qualifies, None if any will do.
    """

    id: str
    qualifier: HighHand | None
    house_way: tuple[HouseWayStep, ...]
    dealer_break_bonus: PayTable[DealerBreakBonusLine]
    break_bonus: PayTable[BreakBonusLine]
    main: Odds = EVEN_MONEY
    foul: FoulPolicy = FoulPolicy.LOSE
    dealer_misset: DealerMissetPolicy = DealerMissetPolicy.RESET
    limits: Mapping[Wager, WagerLimits] = field(default_factory=dict)
    caps: SideBetCaps = NO_CAPS

    def __post_init__(self) -> None:
        """Keep an own copy of the limits that nobody can change."""
        object.__setattr__(self, "limits", MappingProxyType(dict(self.limits)))

    @property
    def least_strength(self) -> int:
        """The strength of the weakest high hand with which a dealer qualifies. BP-6.1."""
        return 0 if self.qualifier is None else self.qualifier.strength

    def qualifies(self, high: HighHand) -> bool:
        """Say whether a dealer with this high hand qualifies. BP-6.1."""
        return self.qualifier is None or high >= self.qualifier


_HOUSE_WAY: Final = (
    HouseWayStep(
        1, "BP-5.1", LowClass.PAIR, HighClass.TRIPS,
        "pair and trips: the highest possible pair low",
    ),
    HouseWayStep(
        2, "BP-5.2", LowClass.PAIR, HighClass.STRAIGHT,
        "pair and straight: the highest possible pair low",
    ),
    HouseWayStep(
        3, "BP-5.3", LowClass.HIGH_CARD, HighClass.TRIPS,
        "no pair and trips: the two highest possible cards low",
    ),
    HouseWayStep(
        4, "BP-5.4", LowClass.HIGH_CARD, HighClass.STRAIGHT,
        "no pair and straight: the two highest possible cards low",
    ),
    HouseWayStep(
        5, "BP-5.5", LowClass.PAIR, HighClass.PAIR,
        "pair and pair: the second-highest pair low",
    ),
    HouseWayStep(
        6, "BP-5.6", LowClass.HIGH_CARD, HighClass.PAIR,
        "no pair and pair: the two highest possible cards low",
    ),
    HouseWayStep(
        7, "BP-5.7", LowClass.HIGH_CARD, HighClass.HIGH_CARD,
        "neither pair, straight nor trips: the second- and third-highest cards low",
    ),
)  # fmt: skip

_DEALER_BREAK_BONUS: Final[PayTable[DealerBreakBonusLine]] = PayTable(
    {DealerBreakBonusLine.BOTH: Odds(4), DealerBreakBonusLine.DEALER_ONLY: Odds(1)}
)
_BREAK_BONUS: Final[PayTable[BreakBonusLine]] = PayTable(
    {
        BreakBonusLine.FIVE_ACES: Odds(200),
        BreakBonusLine.FIVE_OF_A_KIND: Odds(100),
        BreakBonusLine.TRIPS: Odds(6),
        BreakBonusLine.AKQ: Odds(3),
        BreakBonusLine.STRAIGHT: Odds(1),
    }
)

RULES_AS_WRITTEN: Final = Ruleset(
    id="break-poker/rules-as-written@1",
    qualifier=parse_high("K-3-2"),
    house_way=_HOUSE_WAY,
    dealer_break_bonus=_DEALER_BREAK_BONUS,
    break_bonus=_BREAK_BONUS,
)
"""The rules as the published page states them. BP-9."""

PUBLISHED_ANALYSIS: Final = Ruleset(
    id="break-poker/published-analysis@1",
    # The weakest ace-high: A-2-3 is a straight.
    qualifier=parse_high("A-4-2"),
    house_way=_HOUSE_WAY,
    dealer_break_bonus=_DEALER_BREAK_BONUS,
    break_bonus=_BREAK_BONUS,
)
"""The rules that the page's own tables were computed with: the dealer needs any ace-high. BP-9."""

RULESETS: Final[Mapping[str, Ruleset]] = MappingProxyType(
    {ruleset.id: ruleset for ruleset in (RULES_AS_WRITTEN, PUBLISHED_ANALYSIS)}
)
"""Every ruleset by its id."""
DEFAULT_RULESET_ID: Final = RULES_AS_WRITTEN.id


def get_ruleset(ruleset_id: str) -> Ruleset:
    """Return the ruleset of an id; raises UnknownRulesetError, which lists the known ones.

    >>> get_ruleset("break-poker/rules-as-written@1").qualifier
    <HighHand K-3-2>
    """
    try:
        return RULESETS[ruleset_id]
    except (KeyError, TypeError):
        known = sorted(RULESETS)
        message = f"expected one of {', '.join(known)}, got {shown(ruleset_id)}"
        raise UnknownRulesetError(message, detail={"known": known}) from None
