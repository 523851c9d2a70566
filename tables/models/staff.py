"""The people: users of the product and dealers."""

from django.contrib.auth.models import AbstractUser
from django.core.validators import RegexValidator
from django.db import models

from tables.models.floor import Property


class Role(models.TextChoices):
    """What a user is here for; `tables.permissions` says what each may do."""

    CLERK = "clerk", "Pit clerk"
    FLOOR_SUPERVISOR = "floor_supervisor", "Floor supervisor"
    SURVEILLANCE = "surveillance", "Surveillance"
    MANAGER = "manager", "Manager"


class User(AbstractUser):
    """Someone who signs in. Without a property a user sees nothing of any."""

    role = models.CharField(max_length=32, choices=Role.choices, default=Role.CLERK)
    property = models.ForeignKey(
        Property, on_delete=models.PROTECT, related_name="users", null=True, blank=True
    )

    def __str__(self) -> str:
        return self.get_username()


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
