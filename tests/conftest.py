"""What every test may use."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.backends.base.operations import BaseDatabaseOperations

from tables.models import User
from tables.sql import execute_script, read_sql
from tests.builders import Floor, build_floor


@pytest.fixture(autouse=True, scope="session")
def _flush_may_delete() -> Iterator[None]:
    """Let the test runner empty the append-only tables between transactional tests.

    Only the runner's own flush: the triggers are dropped for it and made again right after.
    """
    original: Callable[..., Any] = BaseDatabaseOperations.execute_sql_flush

    def flush(self: BaseDatabaseOperations, sql_list: Any) -> None:
        vendor = connection.vendor
        with connection.schema_editor() as editor:
            execute_script(editor, read_sql("append_only", vendor=vendor, direction=".reverse"))
        original(self, sql_list)
        with connection.schema_editor() as editor:
            execute_script(editor, read_sql("append_only", vendor=vendor))

    BaseDatabaseOperations.execute_sql_flush = flush  # type: ignore[method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = original  # type: ignore[method-assign]


@pytest.fixture
def floor(db: None) -> Floor:
    """A casino in Los Angeles with two open tables, dealers on both, and a user a role."""
    return build_floor()


@pytest.fixture
def clerk(floor: Floor) -> User:
    """The pit clerk of `floor`."""
    return floor.clerk
