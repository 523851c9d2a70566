"""A casino, its shifts, and who works there."""

import builtins
import datetime as dt
import zoneinfo

from babel.numbers import list_currencies
from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.utils.functional import cached_property

from games.engine.dealing import DealingCustom
from games.engine.notation import CardEntry
from games.engine.rulesets import DEFAULT_RULESET_ID, RULESETS
from tables.append_only import AppendOnlyModel

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
    # How many digits of an amount are minor units; see `tables.property.currencies`.
    minor_digits = models.PositiveSmallIntegerField()
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
        constraints = [
            models.CheckConstraint(
                condition=models.Q(minor_digits__lte=4), name="property_minor_digits_to_4"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def dated_starts(self) -> "list[GamingDayStart]":
        """From which dates on gaming days begin at another time, in their order."""
        return list(self.gaming_day_starts.order_by("from_date", "pk"))

    @property
    def shifts(self) -> "list[ShiftDefinition]":
        """The shifts of a gaming day, in the order of their starts."""
        return list(self.shift_definitions.order_by("starts_at"))

    @property
    def tzinfo(self) -> zoneinfo.ZoneInfo:
        """The zone in which this casino's clocks hang."""
        return zoneinfo.ZoneInfo(self.zone)


class GamingDayStart(AppendOnlyModel):
    """From a date on, gaming days begin at another local time than before.

    Until the first of these the property's own `gaming_day_start` is in force. Of two for one date
    the later made one counts, so a plan is taken back by another.
    """

    property = models.ForeignKey(
        Property, on_delete=models.PROTECT, related_name="gaming_day_starts"
    )
    from_date = models.DateField()
    starts_at = models.TimeField()
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.starts_at:%H:%M} from {self.from_date}"


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


class Role(models.TextChoices):
    """What a user is here for; `tables.permissions` says what each may do."""

    CLERK = "clerk", "Pit clerk"
    FLOOR_SUPERVISOR = "floor_supervisor", "Floor supervisor"
    SURVEILLANCE = "surveillance", "Surveillance"
    MANAGER = "manager", "Manager"
    ADMINISTRATOR = "administrator", "Administrator"


class User(AbstractUser):
    """Someone who signs in. What they may do, and where, their memberships say.

    A user acts under one membership at a time: the only one, or the one chosen for the request
    (`tables.web.acting`). Without one a user sees nothing of any property.
    """

    def __str__(self) -> str:
        return self.get_username()

    @cached_property
    def active_memberships(self) -> tuple["Membership", ...]:
        """Where the user works, by the code of the property."""
        found = self.memberships.filter(is_active=True).select_related("property")
        return tuple(found.prefetch_related("pits").order_by("property__code"))

    @cached_property
    def membership(self) -> "Membership | None":
        """The membership that the user acts under; None while there is a choice to make."""
        return self.active_memberships[0] if len(self.active_memberships) == 1 else None

    @property
    def role(self) -> str:
        """What the user is here for; empty without a membership."""
        return self.membership.role if self.membership else ""

    def get_role_display(self) -> str:
        """The role as a person reads it."""
        return self.membership.get_role_display() if self.membership else ""

    @property
    def property_id(self) -> int | None:
        """The key of the property that the user works for."""
        return self.membership.property_id if self.membership else None

    @property
    def property(self) -> Property | None:
        """The property that the user works for."""
        return self.membership.property if self.membership else None


class Membership(models.Model):
    """A user at a property: in which role, and at which pits; without pits at all of them."""

    user = models.ForeignKey(User, on_delete=models.PROTECT, related_name="memberships")
    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=32, choices=Role.choices)
    is_active = models.BooleanField(default=True)
    # The floor lies above this room: its models are named by text.
    pits = models.ManyToManyField("tables.Pit", through="MembershipPit", related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user", "property"], name="membership_user_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.user} at {self.property}"

    @builtins.property
    def pit_codes(self) -> list[str]:
        """The codes of the pits that the membership is limited to, in their order."""
        return sorted(pit.code for pit in self.pits.all())

    @cached_property
    def pit_ids(self) -> frozenset[int]:
        """The keys of the pits that the membership is limited to; empty when to none."""
        return frozenset(pit.pk for pit in self.pits.all())

    def as_actor(self) -> User:
        """The user, acting under this membership."""
        self.user.membership = self
        return self.user


class MembershipPit(models.Model):
    """A pit that a membership is limited to.

    Protected on both sides: if the last of them went with a pit, the membership would see all.
    """

    membership = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="+")
    pit = models.ForeignKey("tables.Pit", on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["membership", "pit"], name="membershippit_once"),
        ]

    def __str__(self) -> str:
        return f"{self.membership}, {self.pit}"
