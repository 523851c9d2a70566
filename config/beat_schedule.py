"""What runs by the clock, one entry a job with the reason in plain English."""

from typing import Any, Final

BEAT_SCHEDULE: Final[dict[str, dict[str, Any]]] = {
    # Every ten seconds: roll up what no message announced (dead broker, killed worker).
    "sweep-dirty-buckets": {
        "task": "reporting.roll_up",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    # Every ten seconds: work off what-ifs that no message announced or whose worker has died.
    "sweep-what-ifs": {
        "task": "reporting.what_if",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
}
