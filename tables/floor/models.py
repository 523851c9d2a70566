"""The floor: pits and tables, who deals, gaming days and shifts, when a table was open."""

from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q

from tables.property.models import CODE_VALIDATOR, Property, User


class Pit(models.Model):
    """A group of tables under one floor supervisor."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="pits")
    code = models.CharField(max_length=16, validators=[CODE_VALIDATOR])

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "code"], name="pit_code_unique"),
        ]

    def __str__(self) -> str:
        return self.code


class Table(models.Model):
    """A Break Poker table: its seats, its limits, and the last round number given out.

    The row is the lock of everything that happens at the table (see `tables.locks`).
    """

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="tables")
    pit = models.ForeignKey(Pit, on_delete=models.PROTECT, related_name="tables")
    code = models.CharField(max_length=16, validators=[CODE_VALIDATOR])
    seat_count = models.PositiveSmallIntegerField(default=6)
    main_minor_min = models.BigIntegerField()
    main_minor_max = models.BigIntegerField()
    side_bet_minor_min = models.BigIntegerField()
    side_bet_minor_max = models.BigIntegerField()
    is_active = models.BooleanField(default=True)
    last_sequence = models.BigIntegerField(default=0, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "code"], name="table_code_unique"),
            models.CheckConstraint(
                condition=Q(seat_count__gte=1, seat_count__lte=6), name="table_seat_count_1_to_6"
            ),
            models.CheckConstraint(
                condition=Q(main_minor_min__gt=0, main_minor_max__gte=F("main_minor_min")),
                name="table_main_limits_ordered",
                violation_error_message="expected a maximum of the main bet from its minimum on",
            ),
            models.CheckConstraint(
                condition=Q(
                    side_bet_minor_min__gt=0, side_bet_minor_max__gte=F("side_bet_minor_min")
                ),
                name="table_side_bet_limits_ordered",
                violation_error_message="expected a maximum of side bets from their minimum on",
            ),
            models.CheckConstraint(
                condition=Q(last_sequence__gte=0), name="table_last_sequence_not_negative"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    def clean(self) -> None:
        """Refuse a pit of another property."""
        if self.pit.property_id != self.property_id:
            raise ValidationError({"pit": "expected a pit of the same property"})


class Dealer(models.Model):
    """Someone who deals, known on the floor by the badge."""

    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="dealers")
    badge = models.CharField(
        max_length=16,
        validators=[RegexValidator(r"\A[A-Z0-9][A-Z0-9-]*\Z", "expected capitals and digits")],
    )
    name = models.CharField(max_length=100)
    is_active = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "badge"], name="dealer_badge_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.badge} {self.name}"


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
