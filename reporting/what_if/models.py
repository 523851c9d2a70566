"""A question about other rules, how far its answer has come, and the answer."""

from django.db import models
from django.db.models import Q

from tables.models import Property, User


class WhatIf(models.Model):
    """The work to do, and what came of it; the row is written by the request, then by a worker.

    `changes` is the canonical JSON of `games.analysis.variants`, to be made to the ruleset
    `ruleset_id`, which was the property's when it was asked. `attempts` counts the workers that
    have begun; the latest one is the owner of the row, and what an earlier one still writes finds
    no row. `seen_at` is when the owner last gave a sign of life.
    """

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting", "Waiting for a worker"
        RUNNING = "running", "Running"
        DONE = "done", "Done"
        FAILED = "failed", "Failed"

    what_if_id = models.CharField(max_length=64)
    property = models.ForeignKey(Property, on_delete=models.PROTECT, related_name="+")
    asked_by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField()
    ruleset_id = models.CharField(max_length=64)
    changes = models.JSONField()
    last_rounds = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=State.choices, default=State.WAITING)
    progress = models.PositiveSmallIntegerField(default=0)
    attempts = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    result = models.JSONField(null=True)
    error = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["property", "what_if_id"], name="whatif_id_unique"),
            # One at a time: it keeps all processors busy, and the other worker free for roll-ups.
            models.UniqueConstraint(
                fields=["state"], condition=Q(state="running"), name="whatif_one_running"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "running", "done", "failed"]),
                name="whatif_state_known",
            ),
            models.CheckConstraint(condition=Q(progress__lte=100), name="whatif_progress_to_100"),
            models.CheckConstraint(
                condition=Q(state="done", result__isnull=False)
                | (~Q(state="done") & Q(result__isnull=True)),
                name="whatif_done_has_result",
            ),
            models.CheckConstraint(
                condition=(Q(state="failed") & ~Q(error="")) | (~Q(state="failed") & Q(error="")),
                name="whatif_failed_has_error",
            ),
        ]
        indexes = [models.Index(fields=["state"], name="whatif_state")]

    def __str__(self) -> str:
        return f"{self.what_if_id} of {self.property}"

    def is_over(self) -> bool:
        """Whether nothing more will happen to it."""
        return self.state in {self.State.DONE, self.State.FAILED}
