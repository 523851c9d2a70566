"""Inserting new rows of one model in one statement: what an entry writes, in a third of the time.

`bulk_create` and `save` prepare every value through its field and compile every statement anew; on
the entry path that took more than the database. Here the rows travel as one JSON document, so a
model has one statement whatever the number of rows, and the database plans it once.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from functools import cache
from typing import Any, NamedTuple

from django.db import connection, models


class _End(Enum):
    """How an insert ends: what becomes of rows whose keys or unique values are taken."""

    ALL = "RETURNING id"
    UNLESS_TAKEN = "ON CONFLICT DO NOTHING RETURNING id"
    MISSING = "ON CONFLICT DO NOTHING"


class _Plan(NamedTuple):
    """How rows of a model are written: the statement, the attributes, and what is converted."""

    statement: str
    attributes: tuple[str, ...]
    converters: tuple[tuple[str, Callable[[Any], Any]], ...]


def insert(rows: Sequence[models.Model]) -> None:
    """Insert new rows, all of one model, and give each its key; nothing happens for no rows.

    The database's constraints and triggers hold as ever and raise IntegrityError. There are no
    signals, and no defaults but those the models set themselves.
    """
    if not rows:
        return
    keys = insert_values(type(rows[0]), [row.__dict__ for row in rows])
    for row, key in zip(rows, keys, strict=True):
        row.pk = key
        row._state.adding = False
        row._state.db = connection.alias


def insert_values(model: type[models.Model], values: Sequence[Mapping[str, Any]]) -> Sequence[int]:
    """Insert new rows of a model from the values of its attributes; their keys, in this order.

    Making a model of each of the seats and bets of a round took a twentieth of an entry.
    """
    plan = _plan_of(model, connection.vendor, _End.ALL)
    with connection.cursor() as cursor:
        cursor.execute(plan.statement, [_document_of(values, plan)])
        return [key for (key,) in cursor.fetchall()]


def insert_unless_taken(*rows: models.Model) -> bool:
    """Insert new rows of whatever models; False when a unique value of one is there already.

    The caller rolls back then: the others may have been inserted. Waits for a transaction that is
    inserting the same value. PostgreSQL takes them in one statement. SQLite's append-only tables
    raise IntegrityError instead: their trigger comes before the database's own check.
    """
    plans = [_plan_of(type(row), connection.vendor, _End.UNLESS_TAKEN) for row in rows]
    documents = [_document_of([row.__dict__], plan) for row, plan in zip(rows, plans, strict=True)]
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            for plan, document in zip(plans, documents, strict=True):
                cursor.execute(plan.statement, [document])
                if not cursor.fetchall():
                    return False
            return True
        cursor.execute(_in_one(tuple(plan.statement for plan in plans)), documents)
        (inserted,) = cursor.fetchone()
    return bool(inserted == len(rows))


@cache
def _in_one(statements: tuple[str, ...]) -> str:
    """One statement that carries out several inserts and counts what they inserted."""
    parts = ", ".join(f"part{index} AS ({text})" for index, text in enumerate(statements))
    names = [f"part{index}" for index in range(len(statements))]
    counts = " + ".join(f"(SELECT count(*) FROM {name})" for name in names)  # noqa: S608
    return f"WITH {parts} SELECT {counts}"


def insert_missing(rows: Sequence[models.Model]) -> None:
    """Insert rows of one model that bring their own keys, but those whose key is there already.

    All or none, whoever else inserts them at the same time. Constraints hold as in `insert`.
    """
    if not rows:
        return
    plan = _plan_of(type(rows[0]), connection.vendor, _End.MISSING)
    with connection.cursor() as cursor:
        cursor.execute(plan.statement, [_document_of([row.__dict__ for row in rows], plan)])


def _document_of(rows: Sequence[Mapping[str, Any]], plan: _Plan) -> str:
    document = []
    for row in rows:
        values = {attribute: row[attribute] for attribute in plan.attributes}
        for attribute, convert in plan.converters:
            values[attribute] = convert(values[attribute])
        document.append(values)
    return json.dumps(document)


@cache
def _plan_of(model: type[models.Model], vendor: str, end: _End) -> _Plan:
    brings_keys = end is _End.MISSING
    fields = [
        field for field in model._meta.concrete_fields if brings_keys or not field.primary_key
    ]
    convert_of: dict[type[Any], Callable[[Any], Any]] = {
        models.DateTimeField: lambda at: str(connection.ops.adapt_datetimefield_value(at)),
        models.DateField: lambda day: day.isoformat(),
    }
    names = [str(field.column) for field in fields]
    columns = ", ".join(names)
    # Both engines give the rows in the order of the document and insert them in the order in which
    # they get them, so the keys that come back are in that order too.
    if vendor == "postgresql":
        types = ", ".join(f"{field.column} {field.db_type(connection)}" for field in fields)
        source = f"SELECT {columns} FROM json_to_recordset(%s) AS row({types})"  # noqa: S608
    else:
        values = ", ".join(f"json_extract(value, '$.{name}')" for name in names)
        # Without a condition SQLite would take ON CONFLICT for that of a join.
        source = f"SELECT {values} FROM json_each(%s) WHERE true ORDER BY key"  # noqa: S608
    return _Plan(
        statement=f'INSERT INTO "{model._meta.db_table}" ({columns}) {source} {end.value}',
        attributes=tuple(field.attname for field in fields),
        converters=tuple(
            (field.attname, convert_of[type(field)])
            for field in fields
            if type(field) in convert_of
        ),
    )
