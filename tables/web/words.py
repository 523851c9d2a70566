"""Codes in words: what a page calls what the records name by a code, each said once, here."""

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from games.engine.notation import CardEntry
from games.engine.outcomes import BreakBonusLine, DealerBreakBonusLine, Event, Outcome
from games.engine.settlement import Compliance
from games.engine.wagers import LimitBreach, Wager

# By kind; a wager's own code is the kind of its lines.
WORDS: Final[Mapping[str, Mapping[str, Any]]] = {
    "event": {
        Event.PLAYER_BREAK: _("Player has a Lucky Break"),
        Event.WIN_BOTH: _("Wins low, wins high"),
        Event.DEALER_NOT_QUALIFIED: _("Dealer does not qualify"),
        Event.WIN_LOW_COPY_HIGH: _("Wins low, copies high"),
        Event.WIN_LOW_LOSE_HIGH: _("Wins low, loses high"),
        Event.COPY_LOW_WIN_HIGH: _("Copies low, wins high"),
        Event.LOSE_LOW_WIN_HIGH: _("Loses low, wins high"),
        Event.DEALER_BREAK: _("Dealer has a Lucky Break"),
        Event.COPY_BOTH: _("Copies low, copies high"),
        Event.COPY_LOW_LOSE_HIGH: _("Copies low, loses high"),
        Event.LOSE_LOW_COPY_HIGH: _("Loses low, copies high"),
        Event.LOSE_BOTH: _("Loses low, loses high"),
        Event.FOUL: _("Foul: low outranks high"),
        Event.VOID: _("Round void, bets returned"),
    },
    "outcome": {
        Outcome.WIN: _("wins"),
        Outcome.LOSE: _("loses"),
        Outcome.PUSH: _("push"),
        Outcome.VOID: _("returned"),
    },
    "wager": {
        Wager.MAIN: _("Main bet"),
        Wager.DEALER_BREAK_BONUS: _("Dealer Break Bonus"),
        Wager.BREAK_BONUS: _("Break Bonus"),
    },
    Wager.BREAK_BONUS: {
        BreakBonusLine.FIVE_ACES: _("five aces"),
        BreakBonusLine.FIVE_OF_A_KIND: _("five of a kind"),
        BreakBonusLine.TRIPS: _("pair and trips"),
        BreakBonusLine.AKQ: _("pair and A-K-Q"),
        BreakBonusLine.STRAIGHT: _("pair and straight"),
        BreakBonusLine.NONE: _("no line"),
    },
    Wager.DEALER_BREAK_BONUS: {
        DealerBreakBonusLine.BOTH: _("dealer and player"),
        DealerBreakBonusLine.DEALER_ONLY: _("dealer only"),
        DealerBreakBonusLine.NONE: _("no dealer break"),
    },
    "breach": {
        LimitBreach.BELOW_MINIMUM: _("below the minimum"),
        LimitBreach.ABOVE_MAXIMUM: _("above the maximum"),
    },
    "compliance": {
        Compliance.MATCH: _("Match"),
        Compliance.DEVIATION: _("Deviation"),
        Compliance.NOT_RECORDED: _("Not recorded"),
    },
    "notation": {
        CardEntry.SUITED: _(
            "Cards stand apart by spaces: rank 2 to 9, T or 10, J, Q, K, A, then suit s h d c. "
            "The joker is Jk. Capitals or not."
        ),
        CardEntry.RANKS: _(
            "Ranks stand apart by spaces, without suits: 2 to 9, T or 10, J, Q, K, A. "
            "The joker is Jk. Capitals or not."
        ),
    },
    # What a page says after a POST has led to it. Only these words can be asked for.
    "note": {
        "recorded": _("Recorded."),
        "replayed": _("This was recorded already; nothing was stored a second time."),
        "voided": _("The round is voided."),
        "noted": _("The note is recorded."),
        "opened": _("The table is open."),
        "closed": _("The table is closed."),
        "assigned": _("The dealer is assigned."),
        "unassigned": _("Nobody is assigned to the table now."),
    },
    # By the name of the address.
    "way": {
        "tables": _("Tables"),
        "rounds": _("Rounds"),
        "misdeals": _("Misdeals"),
        "reports-performance": _("Performance"),
        "reports-what-ifs": _("What if"),
    },
}
# Names in a report, where events, wagers, lines and groupings stand in one column.
_NAMES: Final = {**WORDS["event"], **WORDS["wager"], BreakBonusLine.AKQ: _("A-K-Q")}


def words(code: str, kind: str = "") -> str:
    """A code in words. Without a kind, or of one without words for it, its own name is read.

    >>> words("copy_both"), words("copy_both", "event"), words("gaming_day")
    ('Copies low, copies high', 'Copies low, copies high', 'Gaming day')
    """
    said = WORDS.get(kind, _NAMES).get(code)
    return str(said) if said else code.replace("_", " ").capitalize()
