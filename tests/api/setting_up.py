"""Sending commands that set a casino up."""

import itertools
from typing import Any

from rest_framework.test import APIClient

_ids = itertools.count()


def post(client: APIClient, path: str, body: dict[str, Any]) -> Any:
    """Send a command as JSON."""
    return client.post(path, body, format="json")


def change(client: APIClient, path: str, old: dict[str, Any], new: dict[str, Any]) -> Any:
    """Change values from what was seen to others, under an id of its own."""
    body = {"id": f"c{next(_ids)}", "expected": old, "changes": new}
    return post(client, path, body)
