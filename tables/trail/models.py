"""The trail: who did what, when, to which record."""

from django.conf import settings
from django.db import models


class AuditEntry(models.Model):
    """One command that changed a record. Append-only in the database (`tables/sql/`).

    The actor's name is copied, so that the line reads the same after a user is renamed.
    """

    property = models.ForeignKey("tables.Property", on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    actor_name = models.CharField(max_length=150)
    command = models.CharField(max_length=64)
    subject = models.CharField(max_length=128)
    detail = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.command} {self.subject} by {self.actor_name}"
