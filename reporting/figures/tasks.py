"""The background job of the figures."""

import logging

from celery import shared_task
from django.db import OperationalError
from django.utils import timezone

from reporting.figures.services import roll_up, roll_up_backlog

logger = logging.getLogger(__name__)


@shared_task(
    name="reporting.roll_up",
    autoretry_for=(OperationalError,),
    max_retries=5,
    retry_backoff=True,
    retry_backoff_max=60,
)
def roll_up_task() -> None:
    """Roll up the buckets that rounds and voids have made dirty; then what was not appraised."""
    result = roll_up(at=timezone.now())
    logger.info("rolled up %d marks in %d transactions", result.marks, result.transactions)
    appraised = roll_up_backlog(at=timezone.now())
    if appraised.marks:
        logger.info("appraised the bets of %d buckets rolled up before", appraised.marks)
