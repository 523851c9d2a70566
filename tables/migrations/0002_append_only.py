"""Rounds, voids, misdeals and the audit trail can only be added to."""

from django.db import migrations

from tables.sql import run_sql_file


class Migration(migrations.Migration):
    dependencies = [("tables", "0001_floor_records")]

    operations = [run_sql_file("append_only")]
