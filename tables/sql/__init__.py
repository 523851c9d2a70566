"""The database's own rules, one file an engine, run by the migrations and by nothing else."""

import sqlite3
from pathlib import Path
from typing import Final

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

_FOLDER: Final = Path(__file__).parent


def read_sql(name: str, *, vendor: str, direction: str = "") -> str:
    """The SQL of one rule for one engine; `direction` is "" or ".reverse"."""
    return (_FOLDER / f"{name}.{vendor}{direction}.sql").read_text(encoding="utf-8")


def run_sql_file(name: str) -> migrations.RunPython:
    """A reversible migration step that runs the file of the engine in use."""

    def forward(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001
        execute_script(editor, read_sql(name, vendor=editor.connection.vendor))

    def backward(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:  # noqa: ARG001
        sql = read_sql(name, vendor=editor.connection.vendor, direction=".reverse")
        execute_script(editor, sql)

    return migrations.RunPython(forward, backward)


def execute_script(editor: BaseDatabaseSchemaEditor, script: str) -> None:
    """Run every statement of a script in the current transaction.

    SQLite takes one statement at a time, and only its own parser knows where a trigger ends.
    """
    if editor.connection.vendor == "postgresql":
        editor.execute(script, params=None)
        return
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            editor.execute(statement, params=None)
            statement = ""
