"""Celery looks for background jobs here; each stands in its room.

A message is only a wake-up; the work to do stands in the database.
"""

from reporting.figures.tasks import roll_up_task
from reporting.what_if.tasks import what_if_task

__all__ = ["roll_up_task", "what_if_task"]
