"""Values that never change and rows that are never deleted: rules of the database itself.

They stand below the services, for who changes what history rests on behind them (ADR 15). Rows that
are only ever added have a rule of their own, `tables.append_only`. An operation that makes SQLite
build the table anew drops the guards: a migration that does so puts them up again after it.
"""

from typing import Any, Final

from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

_POSTGRESQL: Final = """
CREATE FUNCTION houseway_{name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF {when} THEN
        RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    IF TG_OP = 'DELETE' THEN RETURN OLD; END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER {name} BEFORE {event} ON {table}
FOR EACH ROW EXECUTE FUNCTION houseway_{name}()
"""
_SQLITE: Final = """
CREATE TRIGGER {name} BEFORE {event} ON {table} WHEN {when}
BEGIN SELECT RAISE(ABORT, '{message}'); END
"""


class Guard(Operation):
    """The migration step that refuses an event on a table when a condition of OLD and NEW holds."""

    reversible = True
    reduces_to_sql = True

    def __init__(self, name: str, *, table: str, event: str, when: str, message: str) -> None:
        """`event` is such as `UPDATE OF property_id`; `message` is what the refusal says."""
        self.name = name
        self.parts = {"table": table, "event": event, "when": when, "message": message}

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """The step as a migration writes it."""
        return type(self).__name__, [self.name], dict(self.parts)

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of a model changes."""

    def database_forwards(
        self,
        app_label: str,  # noqa: ARG002  (the framework's signature)
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ARG002
        to_state: Any,  # noqa: ARG002
    ) -> None:
        """Put the guard up."""
        is_postgres = schema_editor.connection.vendor == "postgresql"
        text = _POSTGRESQL if is_postgres else _SQLITE
        schema_editor.execute(text.format(name=self.name, **self.parts), params=None)

    def database_backwards(
        self,
        app_label: str,  # noqa: ARG002
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ARG002
        to_state: Any,  # noqa: ARG002
    ) -> None:
        """Take the guard down."""
        if schema_editor.connection.vendor == "postgresql":
            drop = f"DROP TRIGGER {self.name} ON {self.parts['table']}"
            schema_editor.execute(f"{drop}; DROP FUNCTION houseway_{self.name}()", params=None)
        else:
            schema_editor.execute(f"DROP TRIGGER {self.name}")

    def describe(self) -> str:
        """The step as `migrate` prints it."""
        return f"Refuse {self.parts['event']} on {self.parts['table']}"
