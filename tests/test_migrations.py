"""Migrations: complete, and reversible to the empty database and back."""

import os
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.processes.product import ROOT, Product
from tests.servers import find_postgres, throwaway_database

# Everything that a schema consists of, by kind and name, with its text where the engine keeps one.
SQLITE_SCHEMA = "SELECT type, name, coalesce(sql, '') FROM sqlite_master ORDER BY 1, 2"
POSTGRES_SCHEMA = """
SELECT 'column', table_name || '.' || column_name, data_type || is_nullable
  FROM information_schema.columns WHERE table_schema = 'public'
UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace
UNION ALL SELECT 'trigger', tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT 'function', proname, prosrc FROM pg_proc
  WHERE pronamespace = 'public'::regnamespace
ORDER BY 1, 2, 3
"""


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Product]:
    if not os.environ.get("DATABASE_URL"):
        yield Product(tmp_path)
        return
    with throwaway_database(find_postgres()) as url:
        yield Product(tmp_path, {"DATABASE_URL": url})


def schema(product: Product) -> set[tuple[str, ...]]:
    statement = POSTGRES_SCHEMA if product.servers else SQLITE_SCHEMA
    return {(*names, _by_column(text)) for *names, text in product.query(statement)}


def _by_column(text: str) -> str:
    """SQLite's text of a table without the order of its columns, which a step back may change."""
    return ', "'.join(sorted(text.removesuffix(")").split(', "')))


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", "--check", "--dry-run", stdout=StringIO())


@pytest.mark.slow
def test_migrations_go_to_zero_and_back(empty: Product) -> None:
    empty.python("manage.py", "migrate", "--verbosity", "0")
    full = schema(empty)
    assert any(kind == "trigger" for kind, *_ in full)

    empty.python("manage.py", "migrate", "tables", "zero", "--verbosity", "0")
    left = {name for _, name, *_ in schema(empty)}
    assert [name for name in left if name.startswith(("tables_", "reporting_"))] == []
    assert not any(kind == "trigger" for kind, *_ in schema(empty))

    empty.python("manage.py", "migrate", "--verbosity", "0")
    assert schema(empty) == full


def test_every_step_back_gives_the_schema_of_before(empty: Product) -> None:
    # Two steps that need each other are one place: reporting follows tables.
    names = sorted(path.stem for path in (ROOT / "tables" / "migrations").glob("0*.py"))
    before = {}
    for name in names:
        empty.python("manage.py", "migrate", "tables", name, "--verbosity", "0")
        before[name] = schema(empty)

    for name in reversed(names):
        empty.python("manage.py", "migrate", "tables", name, "--verbosity", "0")
        assert schema(empty) == before[name], name
