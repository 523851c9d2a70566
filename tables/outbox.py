"""Work to do is a row, written in the entry's own transaction; a message is only a wake-up.

`dirty_mark` makes the row and, after the commit, rings a doorbell. A thread of this process
hears it and sends the wake-up, so that an entry never waits for a broker that is slow, silent or
gone. A ring that is lost costs nothing but time: the beat sweep finds the row.
"""

import logging
import os
import threading
import time
from typing import Final

from celery import current_app
from django.conf import settings
from django.db import transaction

from tables.rounds.models import DirtyBucket, FloorEvent

logger = logging.getLogger(__name__)


class Doorbell:
    """Tells the workers that there is work for a task: at once, then at most once in a pause.

    Any number of rings while a message is sent, and in the pause after it, become one message:
    sending one costs as much as a third of an entry, and one is enough for all that came before.
    """

    def __init__(self, task: str, *, pause_seconds: float = 0.5) -> None:
        self._task = task
        self._pause_seconds = pause_seconds
        self._rung = threading.Event()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._pid = 0

    def ring(self) -> None:
        """Ask for a wake-up to be sent; returns at once."""
        self._rung.set()
        if self._thread is None or self._pid != os.getpid() or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        # A server forks its workers after loading the application, and a thread does not survive
        # a fork: each process starts its own at its first ring.
        with self._starting:
            if self._pid == os.getpid() and self._thread is not None and self._thread.is_alive():
                return
            self._pid = os.getpid()
            self._thread = threading.Thread(target=self._answer, name="doorbell", daemon=True)
            self._thread.start()

    def _answer(self) -> None:
        while True:
            self._rung.wait()
            self._rung.clear()
            send_wake_up(self._task)
            time.sleep(self._pause_seconds)


def send_wake_up(task: str) -> None:
    """Send one message; a broker that does not take it is logged, not raised."""
    try:
        current_app.send_task(task, retry=False)
    # Whatever a broker's client raises, the work is safe in the database.
    except Exception as error:  # noqa: BLE001
        logger.warning("wake-up %s not sent, the sweep will find the work: %r", task, error)


doorbell: Final = Doorbell(settings.ROLL_UP_TASK)


def dirty_mark(event: FloorEvent) -> DirtyBucket:
    """The mark that the bucket of a round or a void has changed, for its own transaction to write.

    Rings the doorbell when that is committed.
    """
    transaction.on_commit(doorbell.ring)
    return DirtyBucket(
        table_id=event.table_id,
        dealer_id=event.dealer_id,
        shift_id=event.shift_id,
        hour=event.hour,
    )
