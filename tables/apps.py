"""The app of the floor's records."""

from django.apps import AppConfig


class TablesConfig(AppConfig):
    """Properties, tables, staff, shifts and rounds."""

    name = "tables"
    verbose_name = "Tables"

    def ready(self) -> None:
        """Register the checks of the stored set-up, which need the models."""
        from tables import checks  # noqa: F401, PLC0415  (registering is what importing does)
