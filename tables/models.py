"""The records of the floor, gathered from the rooms: Django looks for models here.

Within `tables` the rooms' own modules are imported; this door is for those who stand outside.
"""

from tables.floor.models import Dealer, DealerAssignment, GamingDay, Pit, Shift, Table, TableSession
from tables.property.models import (
    GamingDayStart,
    Membership,
    MembershipPit,
    Property,
    Role,
    ShiftDefinition,
    User,
)
from tables.rounds.models import Bet, DirtyBucket, Misdeal, Round, RoundNote, RoundVoid, SeatHand
from tables.trail.models import AuditEntry, CommandKey, CommandResend, RefusedCommand

__all__ = [
    "AuditEntry",
    "Bet",
    "CommandKey",
    "CommandResend",
    "Dealer",
    "DealerAssignment",
    "DirtyBucket",
    "GamingDay",
    "GamingDayStart",
    "Membership",
    "MembershipPit",
    "Misdeal",
    "Pit",
    "Property",
    "RefusedCommand",
    "Role",
    "Round",
    "RoundNote",
    "RoundVoid",
    "SeatHand",
    "Shift",
    "ShiftDefinition",
    "Table",
    "TableSession",
    "User",
]
