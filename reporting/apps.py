"""The app of the figures: what is read from the records of the floor."""

from django.apps import AppConfig


class ReportingConfig(AppConfig):
    """Roll-ups of the rounds and the reports drawn from them."""

    name = "reporting"
    verbose_name = "Reporting"

    def ready(self) -> None:
        """Register the roll-ups that the rooms declare."""
        # Models may be imported from here on.
        from reporting.figures.performance import PERFORMANCE  # noqa: PLC0415
        from reporting.figures.roll_ups import register  # noqa: PLC0415

        register(PERFORMANCE)
