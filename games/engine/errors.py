"""What the engine refuses, in kinds that a caller can tell apart.

*Malformed* cannot be read at all, *impossible* can be read but cannot happen with one deck,
*against the rules* can happen but is not allowed, *unknown* names something that is not there.
Each class has a stable ``code``; each error tells its ``place`` in the input (``dealer.cards``,
``seats[2].bets.main``; list places count from zero) and, in ``detail``, what a program needs.
"""

import reprlib
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Final, TypeAlias

JSON: TypeAlias = "bool | int | float | str | Sequence[JSON] | Mapping[str, JSON] | None"

SHOWN_CHARACTERS_MAX: Final = 60


class ErrorKind(StrEnum):
    """The four kinds of refusal."""

    MALFORMED = "malformed"
    IMPOSSIBLE = "impossible"
    AGAINST_THE_RULES = "against_the_rules"
    UNKNOWN = "unknown"


class EngineError(ValueError):
    """The input was refused. Catch this to catch every refusal of the engine."""

    code: ClassVar[str] = "engine_error"
    kind: ClassVar[ErrorKind] = ErrorKind.MALFORMED

    def __init__(
        self, message: str, *, place: str = "", detail: Mapping[str, JSON] | None = None
    ) -> None:
        """Keep the message (lower-case, what was expected and what came), place and detail."""
        super().__init__(message)
        self.message = message
        self.place = place
        self.detail: dict[str, JSON] = dict(detail or {})

    def __str__(self) -> str:
        """Say the place, if there is one, and the message."""
        return f"{self.place}: {self.message}" if self.place else self.message

    def as_dict(self) -> dict[str, JSON]:
        """Return ``{"code", "message", "detail": {"kind", "place", ...}}`` for JSON."""
        return {
            "code": self.code,
            "message": self.message,
            "detail": {"kind": self.kind.value, "place": self.place, **self.detail},
        }


class JSONDecodeFault(EngineError):  # noqa: N818  (it is a fault of a text, of any kind)
    """The text is not JSON as it is accepted here. No place: nothing could be read."""

    code = "json_malformed"


class LineTooLongError(EngineError):
    """A line of a JSON-lines file is longer than any round can be."""

    code = "line_too_long"


class CardParseError(EngineError):
    """A token is not a card. ``detail["token"]`` is its number in the field, from 1. BP-10."""

    code = "card_unreadable"


class RoundShapeError(EngineError):
    """A round lacks a key, has an unknown one, or holds a value of the wrong type."""

    code = "round_malformed"


class WagerAmountError(EngineError):
    """An amount is not a positive whole number of minor units."""

    code = "wager_malformed"


class DuplicateCardError(EngineError):
    """A card was seen twice in one round; ``detail["places"]`` names both places. BP-8.1."""

    code = "card_seen_twice"
    kind = ErrorKind.IMPOSSIBLE


class HandSizeError(EngineError):
    """A hand has not seven cards. BP-1.4, BP-8.1."""

    code = "hand_size"
    kind = ErrorKind.IMPOSSIBLE


class SeatError(EngineError):
    """A seat is not 1 to 6, is there twice, or there are none or more than six. BP-1.4."""

    code = "seat_impossible"
    kind = ErrorKind.IMPOSSIBLE


class SettingError(EngineError):
    """The cards cannot be set so; ``detail["faults"]`` names the faults. BP-4.1."""

    code = "setting_impossible"
    kind = ErrorKind.IMPOSSIBLE


class SideBetWithoutMainError(EngineError):
    """A side bet was placed without a main bet. BP-7.3."""

    code = "side_bet_without_main"
    kind = ErrorKind.AGAINST_THE_RULES


class WagerLimitError(EngineError):
    """An amount is above what any table can take, whatever number type it came as."""

    code = "wager_over_limit"
    kind = ErrorKind.AGAINST_THE_RULES


class UnknownRulesetError(EngineError):
    """No ruleset has this id."""

    code = "ruleset_unknown"
    kind = ErrorKind.UNKNOWN


class RuleChangesError(EngineError):
    """Changes of a ruleset with an unknown key, or with a value of the wrong type."""

    code = "rule_changes_malformed"


class QualifierError(EngineError):
    """A text names no least high hand of a qualifying dealer. BP-6.1."""

    code = "qualifier_malformed"


class OddsError(EngineError):
    """A text is not odds that win something, or these are beyond all pay tables. BP-7."""

    code = "odds_malformed"


class HouseWayOrderError(EngineError):
    """An order of the house way does not hold each of its steps once. BP-5."""

    code = "house_way_malformed"


class InvariantViolation(Exception):  # noqa: N818  (the house style names it so)
    """A state that the rules make impossible: a fault of the program, never of the input."""


_SHORT_REPR: Final = reprlib.Repr()
_SHORT_REPR.maxlevel = 2
_SHORT_REPR.maxstring = SHOWN_CHARACTERS_MAX
_SHORT_REPR.maxlong = SHOWN_CHARACTERS_MAX
_SHORT_REPR.maxother = SHOWN_CHARACTERS_MAX


def shown(value: object) -> str:
    """Return the value as a message shows it: its repr, cut to about 60 characters.

    >>> shown("7x")
    "'7x'"
    >>> len(shown("7" * 10_000)) <= SHOWN_CHARACTERS_MAX
    True
    """
    try:
        text = _SHORT_REPR.repr(value)
    except ValueError:
        # Python refuses to write out an integer of more than some thousand digits.
        return f"a {type(value).__name__} too long to show"
    if len(text) > SHOWN_CHARACTERS_MAX:
        return text[: SHOWN_CHARACTERS_MAX - 3] + "..."
    return text
