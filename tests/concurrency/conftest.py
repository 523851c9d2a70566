"""Races run on a real PostgreSQL, with threads that start together."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections

from tests.builders import Floor, build_floor

Race = Callable[[Sequence[Callable[[], Any]]], list[Any]]


@pytest.fixture(autouse=True)
def _on_postgres() -> None:
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has one writer at a time: there is nothing to race")


@pytest.fixture
def committed_floor(transactional_db: None) -> Floor:
    """A floor that every connection can see."""
    return build_floor()


@pytest.fixture
def race() -> Race:
    """Run calls at once, each on a connection of its own; what each gave back or raised."""

    def run(calls: Sequence[Callable[[], Any]]) -> list[Any]:
        barrier = threading.Barrier(len(calls), timeout=30)

        def one(call: Callable[[], Any]) -> Any:
            try:
                connection.ensure_connection()
                barrier.wait()
                return call()
            except Exception as error:  # noqa: BLE001  (the test looks at what came)
                return error
            finally:
                connections.close_all()

        with ThreadPoolExecutor(len(calls)) as pool:
            return list(pool.map(one, calls))

    return run
