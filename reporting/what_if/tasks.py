"""The background job of the what-ifs."""

import logging

from celery import shared_task

from reporting.what_if.work import work_off

logger = logging.getLogger(__name__)


@shared_task(name="reporting.what_if")
def what_if_task() -> None:
    """Work off the what-ifs that wait; one that fails says so in its row."""
    logger.info("worked off %d what-ifs", work_off())
