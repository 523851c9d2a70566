"""The app of the floor's records."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Properties, tables, staff, shifts and rounds."""

    name = "tables"
    verbose_name = "Tables"
