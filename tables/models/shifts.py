"""Time on the floor: gaming days, shifts, when a table was open, and who dealt."""

from django.db import models
from django.db.models import F, Q

from tables.models.floor import Property, Table
from tables.models.staff import Dealer, User


class ShiftDefinition(models.Model):
    """A shift of every gaming day: its name and the local time at which it begins.

    It lasts until the next one begins; `tables.gaming_day` computes the edges.
    """

    property = models.ForeignKey(
        Property, on_delete=models.PROTECT, related_name="shift_definitions"
    )
    name = models.CharField(max_length=32)
    starts_at = models.TimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["property", "name"], name="shiftdefinition_name_unique"
            ),
            models.UniqueConstraint(
                fields=["property", "starts_at"], name="shiftdefinition_start_unique"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class GamingDay(models.Model):
    """A casino's business day, with the edges in force when it was first needed.

    The edges are stored so that a later change of the property's cut-over moves no past round.
    """

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="gaming_days")
    date = models.DateField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "date"], name="gamingday_date_unique"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="gamingday_ends_after_start"
            ),
        ]

    def __str__(self) -> str:
        return self.date.isoformat()


class Shift(models.Model):
    """One shift of one gaming day; from its start, and up to but not including its end."""

    gaming_day = models.ForeignKey(GamingDay, on_delete=models.PROTECT, related_name="shifts")
    name = models.CharField(max_length=32)
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["gaming_day", "name"], name="shift_name_unique"),
            models.UniqueConstraint(fields=["gaming_day", "starts_at"], name="shift_start_unique"),
            models.CheckConstraint(
                condition=Q(ends_at__gt=F("starts_at")), name="shift_ends_after_start"
            ),
        ]
        indexes = [models.Index(fields=["starts_at", "ends_at"], name="shift_edges")]

    def __str__(self) -> str:
        return f"{self.gaming_day} {self.name}"


class TableSession(models.Model):
    """A table from its opening to its closing; rounds are dealt only within one."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="sessions")
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+", null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(closed_at=None), name="tablesession_one_open"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None) | Q(closed_at__gt=F("opened_at")),
                name="tablesession_closes_after_opening",
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_by=None)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
                name="tablesession_closing_complete",
            ),
        ]
        indexes = [models.Index(fields=["table", "-opened_at"], name="tablesession_latest")]

    def __str__(self) -> str:
        return f"{self.table} from {self.opened_at.isoformat()}"


class DealerAssignment(models.Model):
    """Who dealt at a table, from when, until when."""

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="assignments")
    dealer = models.ForeignKey(Dealer, on_delete=models.PROTECT, related_name="assignments")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True)
    assigned_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["table"], condition=Q(ends_at=None), name="dealerassignment_one_a_table"
            ),
            models.UniqueConstraint(
                fields=["dealer"], condition=Q(ends_at=None), name="dealerassignment_one_a_dealer"
            ),
            models.CheckConstraint(
                condition=Q(ends_at=None) | Q(ends_at__gt=F("starts_at")),
                name="dealerassignment_ends_after_start",
            ),
        ]
        indexes = [models.Index(fields=["table", "-starts_at"], name="dealerassignment_latest")]

    def __str__(self) -> str:
        return f"{self.dealer} at {self.table} from {self.starts_at.isoformat()}"
