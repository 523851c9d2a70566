"""The rules of the game as a Django application: commands, and no models."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Break Poker's rules; the engine itself knows nothing of Django."""

    name = "games"
    verbose_name = "Game rules"
