"""The trail: who did what, when, to which record; who was refused; and which ids are taken.

The models of other rooms are named by text: the trail lies below all of them.
"""

from django.conf import settings
from django.db import models

from tables.append_only import AppendOnlyModel

SUBJECT_LENGTH_MAX = 128


class Act(AppendOnlyModel):
    """What someone asked for at a property, and when.

    The actor's name is copied, so that the line reads the same after a user is renamed.
    """

    property = models.ForeignKey("tables.Property", on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    actor_name = models.CharField(max_length=150)
    command = models.CharField(max_length=64)
    subject = models.CharField(max_length=SUBJECT_LENGTH_MAX)

    class Meta:
        abstract = True


class AuditEntry(Act):
    """One command that changed a record; `detail` holds old and new values where there are any."""

    detail = models.JSONField(default=dict)

    class Meta:
        verbose_name_plural = "audit entries"

    def __str__(self) -> str:
        return f"{self.command} {self.subject} by {self.actor_name}"


class RefusedCommand(Act):
    """One command that was refused, with the code of the error; `client_id` if one was readable."""

    client_id = models.CharField(max_length=64, blank=True)
    code = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.command} {self.subject} by {self.actor_name}: {self.code}"


class CommandKey(AppendOnlyModel):
    """The id under which a client sent a command, unique at its property (`tables.recording`).

    `request` is the content in canonical form, against which a repetition is held; `result` says
    what came of it: the key of the record made, or the first answer where the record may change.
    `actor` sent it first.
    """

    property = models.ForeignKey(
        "tables.Property", on_delete=models.PROTECT, related_name="+", db_index=False
    )
    client_id = models.CharField(max_length=64)
    command = models.CharField(max_length=64)
    request = models.JSONField()
    result = models.JSONField(null=True)
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "client_id"], name="commandkey_id_unique"),
        ]

    def __str__(self) -> str:
        return f"{self.command} {self.client_id}"


class CommandResend(AppendOnlyModel):
    """Someone sent a command that was recorded already; kept once for each who did."""

    key = models.ForeignKey(
        CommandKey, on_delete=models.PROTECT, related_name="resends", db_index=False
    )
    actor = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    recorded_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key", "actor"], name="commandresend_once_each"),
        ]

    def __str__(self) -> str:
        return f"{self.key} by {self.actor}"
