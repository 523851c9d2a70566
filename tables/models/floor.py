"""The floor: property, pit and table."""

import datetime as dt
import zoneinfo

from babel.numbers import get_currency_precision, list_currencies
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import F, Q

from games.engine.dealing import DealingCustom
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, RULESETS

CODE_VALIDATOR = RegexValidator(
    r"\A[A-Z0-9][A-Z0-9-]{0,15}\Z",
    "expected 1 to 16 characters: capital letters, digits and hyphens",
)


def validate_zone(value: str) -> None:
    """Refuse a zone name that the tz database does not hold."""
    if value not in zoneinfo.available_timezones():
        raise ValidationError(f"expected a time zone such as 'America/Los_Angeles', got {value!r}")


def validate_currency(value: str) -> None:
    """Refuse a currency that is not an ISO 4217 code."""
    if value not in list_currencies():
        raise ValidationError(f"expected a currency code such as 'USD', got {value!r}")


def validate_ruleset(value: str) -> None:
    """Refuse a ruleset id that this release does not hold."""
    if value not in RULESETS:
        raise ValidationError(f"expected one of {', '.join(RULESETS)}, got {value!r}")


class Property(models.Model):
    """One casino: where its gaming day begins, what it deals and in which currency."""

    code = models.CharField(max_length=16, unique=True, validators=[CODE_VALIDATOR])
    name = models.CharField(max_length=100)
    zone = models.CharField(max_length=64, validators=[validate_zone])
    gaming_day_start = models.TimeField(default=dt.time(6))
    currency = models.CharField(max_length=3, validators=[validate_currency])
    ruleset_id = models.CharField(
        max_length=64, default=DEFAULT_RULESET_ID, validators=[validate_ruleset]
    )
    card_entry = models.CharField(
        max_length=8,
        choices=[(entry.value, entry.value) for entry in CardEntry],
        default=CardEntry.SUITED.value,
        help_text="Whether cards are entered with their suits or by rank only (BP-10).",
    )
    dealing_custom = models.CharField(
        max_length=16,
        choices=[(custom.value, custom.value) for custom in DealingCustom],
        default=DealingCustom.SEVEN_HANDS.value,
        help_text="Which hands are dealt, and so how many cards must remain (BP-8.1).",
    )

    class Meta:
        verbose_name_plural = "properties"

    def __str__(self) -> str:
        return self.name

    @property
    def tzinfo(self) -> zoneinfo.ZoneInfo:
        """The zone in which this casino's clocks hang."""
        return zoneinfo.ZoneInfo(self.zone)

    @property
    def minor_digits(self) -> int:
        """How many digits of the currency are minor units: 2 for USD, 0 for JPY."""
        return int(get_currency_precision(self.currency))


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
            ),
            models.CheckConstraint(
                condition=Q(
                    side_bet_minor_min__gt=0, side_bet_minor_max__gte=F("side_bet_minor_min")
                ),
                name="table_side_bet_limits_ordered",
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
