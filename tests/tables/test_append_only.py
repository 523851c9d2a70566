"""Nothing changes a recorded row: not the ORM, not SQL, not a cascade, not REPLACE (H28)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models import F, ProtectedError

from tables.append_only import append_only_models
from tables.models import (
    Round,
    Table,
    User,
)
from tests.builders import Floor

MODELS = tuple(append_only_models())
BY_MODEL = pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)


def _refused(act: Callable[[], Any], model: type[models.Model]) -> None:
    before = list(model._default_manager.order_by("pk").values())
    assert before
    with pytest.raises(IntegrityError, match="append-only"), transaction.atomic():
        act()
    assert list(model._default_manager.order_by("pk").values()) == before


def _sql(statement: str) -> Callable[[], None]:
    def act() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return act


@BY_MODEL
def test_the_orm_cannot_change_a_row(history: Floor, model: type[models.Model]) -> None:
    rows = model._default_manager.order_by("pk")
    row = rows[0]
    _refused(lambda: rows.update(id=F("id") + 1000), model)
    _refused(row.save, model)
    _refused(lambda: model._default_manager.bulk_update([row], [_a_field(model)]), model)
    _refused(lambda: rows._raw_delete(using="default"), model)
    _refused(
        lambda: model._default_manager.bulk_create(
            [row],
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=[_a_field(model)],
        ),
        model,
    )


def _a_field(model: type[models.Model]) -> str:
    return next(field.name for field in model._meta.fields if not field.primary_key)


@BY_MODEL
def test_the_orm_cannot_delete_a_row(history: Floor, model: type[models.Model]) -> None:
    before = model._default_manager.count()
    with pytest.raises((IntegrityError, ProtectedError)), transaction.atomic():
        model._default_manager.all().delete()
    assert model._default_manager.count() == before


@BY_MODEL
def test_sql_cannot_change_a_row(history: Floor, model: type[models.Model]) -> None:
    table = model._meta.db_table
    _refused(_sql(f"UPDATE {table} SET id = id"), model)  # noqa: S608
    _refused(_sql(f"DELETE FROM {table}"), model)  # noqa: S608
    _refused(_sql(f"DELETE FROM {table} WHERE id > 0"), model)  # noqa: S608


@BY_MODEL
@pytest.mark.skipif(connection.vendor != "postgresql", reason="PostgreSQL's own statements")
def test_postgres_statements_cannot_change_a_row(history: Floor, model: type[models.Model]) -> None:
    table = model._meta.db_table
    # What this transaction has inserted is checked now, or TRUNCATE would be refused for that.
    _sql("SET CONSTRAINTS ALL IMMEDIATE")()
    _refused(_sql(f"TRUNCATE {table} CASCADE"), model)
    _refused(
        _sql(f"INSERT INTO {table} SELECT * FROM {table} ON CONFLICT (id) DO UPDATE SET id = 1"),  # noqa: S608
        model,
    )


@BY_MODEL
@pytest.mark.skipif(connection.vendor != "sqlite", reason="SQLite's own statements")
@pytest.mark.parametrize("recursive_triggers", ["ON", "OFF"])
def test_sqlite_statements_cannot_change_a_row(
    history: Floor, model: type[models.Model], recursive_triggers: str
) -> None:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA recursive_triggers={recursive_triggers}")
    try:
        _refused(_sql(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}"), model)  # noqa: S608
        _refused(_sql(f"UPDATE OR REPLACE {table} SET id = 1"), model)  # noqa: S608
        for columns in _unique_columns(model):
            _refused(_sql(_replace_by_other_key(model, columns)), model)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA recursive_triggers=ON")


def _unique_columns(model: type[models.Model]) -> list[set[str]]:
    """The columns of every unique key but the primary one."""
    column_of = {field.name: field.column for field in model._meta.fields}
    constraints = [
        {str(column_of[name]) for name in constraint.fields}
        for constraint in model._meta.constraints
        if isinstance(constraint, models.UniqueConstraint)
    ]
    fields = [{str(f.column)} for f in model._meta.fields if f.unique and not f.primary_key]
    return constraints + fields


def _replace_by_other_key(model: type[models.Model], columns: set[str]) -> str:
    """An INSERT OR REPLACE that meets an old row at one unique key only: others are changed."""
    others: set[str] = set().union(*_unique_columns(model)) - columns
    names, values = [], []
    for field in model._meta.fields:
        column = str(field.column)
        names.append(column)
        if column == "id":
            values.append("id + 1000")
        elif column in others and isinstance(field, models.CharField):
            values.append(f"{column} || 'x'")
        elif column in others and not field.is_relation:
            values.append(f"{column} + 1000")
        else:
            values.append(column)
    table = model._meta.db_table
    return (
        f"INSERT OR REPLACE INTO {table} ({', '.join(names)}) "  # noqa: S608
        f"SELECT {', '.join(values)} FROM {table} LIMIT 1"
    )


def test_what_a_round_hangs_on_cannot_be_deleted(history: Floor) -> None:
    for row in (history.tables[0], history.clerk, history.casino, Round.objects.get().shift):
        with pytest.raises(ProtectedError), transaction.atomic():
            row.delete()
    assert Table.objects.count() == 2
    assert User.objects.count() == 5


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the triggers differ by engine")
def test_every_append_only_table_has_its_triggers(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT tbl_name FROM sqlite_master "
            "WHERE type = 'trigger' AND name LIKE tbl_name || '_refuse_%'"
        )
        guarded = [name for (name,) in cursor.fetchall()]
    assert {name: guarded.count(name) for name in guarded} == {
        model._meta.db_table: 3 for model in MODELS
    }
