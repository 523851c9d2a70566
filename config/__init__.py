"""Settings and the wiring of the apps; the Celery app is made here so that every process has it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
