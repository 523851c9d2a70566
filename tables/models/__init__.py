"""The records of the floor: what is, who works there, and what happened."""

from tables.models.audit import AuditEntry
from tables.models.floor import Pit, Property, Table
from tables.models.outbox import DirtyBucket
from tables.models.rounds import Bet, Misdeal, Round, RoundVoid, SeatHand
from tables.models.shifts import DealerAssignment, GamingDay, Shift, ShiftDefinition, TableSession
from tables.models.staff import Dealer, Role, User

__all__ = [
    "AuditEntry",
    "Bet",
    "Dealer",
    "DealerAssignment",
    "DirtyBucket",
    "GamingDay",
    "Misdeal",
    "Pit",
    "Property",
    "Role",
    "Round",
    "RoundVoid",
    "SeatHand",
    "Shift",
    "ShiftDefinition",
    "Table",
    "TableSession",
    "User",
]
