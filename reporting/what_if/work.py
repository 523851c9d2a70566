"""Working what-ifs off: one at a time, each by one worker, none lost when a worker dies.

A row is taken by the statement that makes it `running`; the database allows one such row. Its
`attempts` is the mark of the owner: every later statement names it, so a worker that was thought
dead and comes back writes nothing.
"""

import datetime as dt
import logging
import time
from typing import Any, Final

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from games.analysis.variants import read_changes, varied_ruleset
from games.engine.rulesets import get_ruleset
from reporting.what_if.models import WhatIf
from reporting.what_if.own_rounds import resettle_last_rounds

logger = logging.getLogger(__name__)

SILENT_SECONDS_MAX: Final = 60
"""A worker without a sign of life for so long is taken to be dead."""
ATTEMPTS_MAX: Final = 3
SIGN_SECONDS: Final = 0.5
# What is begun must end within the time limit of the task; the sweep finds the rest.
BEGIN_SECONDS_MAX: Final = 30

_ODDS_PART: Final = 0.8


class LostError(Exception):
    """Another worker has taken the row: this one was thought to be dead."""


def work_off() -> int:
    """Answer what-ifs until none waits or half a minute is over; how many were finished."""
    finished = 0
    until = time.monotonic() + BEGIN_SECONDS_MAX
    while time.monotonic() < until and (what_if := take_next(at=timezone.now())) is not None:
        finished += _finish(what_if)
    return finished


def take_next(*, at: dt.datetime) -> WhatIf | None:
    """Make the longest waiting what-if one's own; None when none waits or one is running."""
    _let_go_of_the_dead(at=at)
    waiting = WhatIf.objects.filter(state=WhatIf.State.WAITING).order_by("pk")
    first = waiting.select_related("property").first()
    if first is None:
        return None
    first.attempts += 1
    try:
        with transaction.atomic():
            taken = waiting.filter(pk=first.pk).update(
                state=WhatIf.State.RUNNING,
                attempts=first.attempts,
                progress=0,
                started_at=at,
                seen_at=at,
            )
    except IntegrityError:
        # Another worker has one running and will look for the next when it is done.
        return None
    return first if taken else None


def _let_go_of_the_dead(*, at: dt.datetime) -> None:
    """Let a what-if whose worker has died wait again; one that kills its workers has failed."""
    silent = WhatIf.objects.filter(
        state=WhatIf.State.RUNNING, seen_at__lt=at - dt.timedelta(seconds=SILENT_SECONDS_MAX)
    )
    if not silent.exists():
        return
    failed = silent.filter(attempts__gte=ATTEMPTS_MAX).update(
        state=WhatIf.State.FAILED,
        error=f"{ATTEMPTS_MAX} workers have begun and not finished: ask again, or ask for less",
        finished_at=at,
    )
    again = silent.filter(attempts__lt=ATTEMPTS_MAX).update(state=WhatIf.State.WAITING)
    logger.warning("what-ifs of dead workers: %d wait again, %d failed", again, failed)


def _finish(what_if: WhatIf) -> bool:
    """Work out a what-if that was taken, and store the result or the failure; true if stored."""
    try:
        result = _answer(what_if)
    except LostError:
        logger.warning("what-if %s was taken over by another worker", what_if)
        return False
    except SoftTimeLimitExceeded:
        logger.warning("what-if %s took too long", what_if)
        return _store(
            what_if,
            state=WhatIf.State.FAILED,
            error=(
                f"it took longer than {settings.CELERY_TASK_SOFT_TIME_LIMIT} seconds: "
                "ask for fewer rounds, or try again when the machine is less busy"
            ),
        )
    except DatabaseError:
        # Nothing can be stored now: the row falls silent and is taken again.
        raise
    except Exception as error:
        logger.exception("what-if %s broke", what_if)
        return _store(
            what_if,
            state=WhatIf.State.FAILED,
            error=f"it could not be worked out ({type(error).__name__}): the log has the reason",
        )
    return _store(what_if, state=WhatIf.State.DONE, progress=100, result=result)


def _answer(what_if: WhatIf) -> dict[str, Any]:
    # The array code takes a second to load, and only workers need it.
    from reporting.what_if.comparison import compare_odds  # noqa: PLC0415

    today = get_ruleset(what_if.ruleset_id)
    varied = varied_ruleset(today, read_changes(what_if.changes))
    signs = _Signs(what_if)
    result = compare_odds(
        today,
        varied,
        folder=settings.ANALYSIS_DIR,
        progress=lambda part: signs.give(part * _ODDS_PART),
    )
    result["rounds"] = resettle_last_rounds(
        what_if.property,
        last_rounds=what_if.last_rounds,
        ruleset_id=what_if.ruleset_id,
        varied=varied,
        progress=lambda part: signs.give(_ODDS_PART + part * (1 - _ODDS_PART)),
    )
    return result


class _Signs:
    """Signs of life of a worker, not too often."""

    def __init__(self, what_if: WhatIf) -> None:
        self._what_if = what_if
        self._next = time.monotonic() + SIGN_SECONDS

    def give(self, part: float) -> None:
        """Store how far the work has come. Raises LostError when it is another's now."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + SIGN_SECONDS
        percent = min(99, int(part * 100))
        if not _own(self._what_if).update(progress=percent, seen_at=timezone.now()):
            raise LostError


def _own(what_if: WhatIf) -> Any:
    """The row, as long as the worker that took it is its owner."""
    return WhatIf.objects.filter(
        pk=what_if.pk, state=WhatIf.State.RUNNING, attempts=what_if.attempts
    )


def _store(what_if: WhatIf, **fields: Any) -> bool:
    return bool(_own(what_if).update(finished_at=timezone.now(), **fields))
