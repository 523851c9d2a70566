"""Rounds, voids, misdeals and the audit trail can only be added to."""

from django.db import migrations

from tables.append_only import AppendOnly


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_floor_records")]

    operations = [
        AppendOnly("Round"),
        AppendOnly("SeatHand"),
        AppendOnly("Bet"),
        AppendOnly("RoundVoid"),
        AppendOnly("Misdeal"),
        AppendOnly("AuditEntry"),
    ]
