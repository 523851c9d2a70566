"""What runs by the clock, one entry a job with the reason in plain English."""

from typing import Any, Final

BEAT_SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    # Every ten seconds: roll up what no message announced (dead broker, killed worker).
    "sweep-dirty-buckets": {
        "task": "reporting.roll_up",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
}
