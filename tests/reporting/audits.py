"""Running the audit command in tests."""

import io
import json
from typing import Any

import pytest
from django.core.management import call_command

DAY = "2026-11-29"
RANGE = ("--from", DAY, "--to", DAY)


def audit(*arguments: str, status: int = 0) -> dict[str, Any]:
    """The summary as JSON, after checking the exit status."""
    summary: dict[str, Any] = json.loads(printed(*arguments, "--json", status=status))
    return summary


def printed(*arguments: str, status: int = 0) -> str:
    out = io.StringIO()
    if status:
        with pytest.raises(SystemExit) as caught:
            call_command("audit_rounds", *arguments, stdout=out)
        assert caught.value.code == status
    else:
        call_command("audit_rounds", *arguments, stdout=out)
    return out.getvalue()
