"""Work to do, written in the transaction that causes it."""

from django.db import models

from tables.models.floor import Table
from tables.models.shifts import Shift
from tables.models.staff import Dealer


class DirtyBucket(models.Model):
    """A bucket (table, dealer, shift, hour) whose figures must be computed again.

    Rows are only added here and only removed by the roll-up; the same bucket may stand in many
    rows, so that an entry never waits for a roll-up in progress.
    """

    table = models.ForeignKey(Table, on_delete=models.PROTECT, related_name="+", db_index=False)
    dealer = models.ForeignKey(
        Dealer, on_delete=models.PROTECT, related_name="+", null=True, db_index=False
    )
    shift = models.ForeignKey(Shift, on_delete=models.PROTECT, related_name="+", db_index=False)
    hour = models.DateTimeField()

    def __str__(self) -> str:
        return f"table {self.table_id}, shift {self.shift_id}, hour {self.hour.isoformat()}"
