"""A what-if as the API answers it; `schemas` declares the same shape."""

from typing import Any

from django.urls import reverse

from reporting.what_if.models import WhatIf


def what_if_as_dict(what_if: WhatIf) -> dict[str, Any]:
    """The question, how far the answer has come, and the answer; see `schemas.WhatIfOut`."""
    return {
        "id": what_if.what_if_id,
        "asked_by": what_if.asked_by.get_username(),
        "asked_at": what_if.asked_at.isoformat(),
        "ruleset": what_if.ruleset_id,
        "changes": what_if.changes,
        "last_rounds": what_if.last_rounds,
        "state": what_if.state,
        "progress": what_if.progress,
        "finished_at": what_if.finished_at.isoformat() if what_if.finished_at else None,
        "error": what_if.error or None,
        "result": what_if.result,
        "url": reverse("api_what_if", args=[what_if.what_if_id]),
        "page": reverse("reports-what-if", args=[what_if.what_if_id]),
    }
