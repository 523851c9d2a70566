"""The app of the figures: what is read from the records of the floor."""

from django.apps import AppConfig


class ReportingConfig(AppConfig):
    """Roll-ups of the rounds and the reports drawn from them."""

    name = "reporting"
    verbose_name = "Reporting"
