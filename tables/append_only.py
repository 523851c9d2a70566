"""Tables whose rows are written once and never changed: a rule of the database itself.

The application, the admin site and a person at the database's own prompt are all refused (ADR 6).
A model says so by its base class, a migration makes it true: `AppendOnly("Round")` reads the model
as it is at that point. An operation that makes SQLite build the table anew drops the triggers: it
stands between two steps `AppendOnly("Round", was=True)`, one for each direction.
"""

from typing import Any

from django.apps import apps
from django.db import models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

# Statement triggers fire for UPDATE, DELETE and TRUNCATE, also when no row is touched, also through
# ON CONFLICT DO UPDATE and through cascades.
_FUNCTION_POSTGRESQL = """
CREATE OR REPLACE FUNCTION houseway_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'append-only: % of % is refused', TG_OP, TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END
$$
"""
_TRIGGER_POSTGRESQL = """
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON "{table}"
FOR EACH STATEMENT EXECUTE FUNCTION houseway_refuse_change()
"""
_LAST_OUT_POSTGRESQL = """
DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'append_only') THEN
        DROP FUNCTION IF EXISTS houseway_refuse_change();
    END IF;
END $$
"""
_TRIGGER_SQLITE = """
CREATE TRIGGER {table}_refuse_{what} BEFORE {what} ON "{table}"
BEGIN SELECT RAISE(ABORT, 'append-only: {verb} of {table} is refused'); END
"""
# INSERT OR REPLACE deletes the row it collides with and fires no DELETE trigger unless a connection
# asks for recursive triggers, so an insert that collides with a key is refused before it can.
_REPLACE_SQLITE = """
CREATE TRIGGER {table}_refuse_replace BEFORE INSERT ON "{table}"
BEGIN
    SELECT RAISE(ABORT, 'append-only: this key of {table} is taken')
    WHERE EXISTS (SELECT 1 FROM "{table}" WHERE {is_taken});
END
"""


class AppendOnlyModel(models.Model):
    """A record that is only ever added; see `tests/tables/test_append_only.py` for each bypass."""

    class Meta:
        abstract = True


def append_only_models() -> list[type[AppendOnlyModel]]:
    """Every model that says so, wherever it is."""
    return [model for model in apps.get_models() if issubclass(model, AppendOnlyModel)]


def refuse_changes(editor: BaseDatabaseSchemaEditor, model: type[models.Model]) -> None:
    """Make a table append-only; nothing happens to one that is."""
    allow_changes(editor, model)
    table = model._meta.db_table
    if editor.connection.vendor == "postgresql":
        editor.execute(_FUNCTION_POSTGRESQL, params=None)
        editor.execute(_TRIGGER_POSTGRESQL.format(table=table), params=None)
        return
    for what in ("update", "delete"):
        editor.execute(_TRIGGER_SQLITE.format(table=table, what=what, verb=what.upper()))
    editor.execute(_REPLACE_SQLITE.format(table=table, is_taken=_is_taken(model)))


def allow_changes(editor: BaseDatabaseSchemaEditor, model: type[models.Model]) -> None:
    """Take the rule away again: for migrations backwards, and for the test runner's own flush."""
    table = model._meta.db_table
    if editor.connection.vendor == "postgresql":
        editor.execute(f'DROP TRIGGER IF EXISTS append_only ON "{table}"', params=None)
        editor.execute(_LAST_OUT_POSTGRESQL, params=None)
        return
    for what in ("update", "delete", "replace"):
        editor.execute(f"DROP TRIGGER IF EXISTS {table}_refuse_{what}")


def _is_taken(model: type[models.Model]) -> str:
    """Whether a row with any key of the new one is there; keys of a condition are not followed."""
    meta = model._meta
    unique = [
        constraint.fields
        for constraint in meta.constraints
        if isinstance(constraint, models.UniqueConstraint) and constraint.condition is None
    ]
    unique += [(field.name,) for field in meta.concrete_fields if field.unique]
    columns = [[meta.get_field(name).column for name in names] for names in unique]  # type: ignore[union-attr]
    keys = [" AND ".join(f"{name} = NEW.{name}" for name in names) for names in columns]
    return " OR ".join(f"({key})" for key in keys)


class AppendOnly(Operation):
    """The migration step that makes a model's table append-only."""

    reversible = True

    def __init__(self, model_name: str, *, was: bool = False) -> None:
        """`was` says that the table was append-only before, and is so again backwards."""
        self.model_name = model_name
        self.was = was

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        """The step as a migration writes it."""
        return type(self).__name__, [self.model_name], {"was": True} if self.was else {}

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        """Nothing of the model changes."""

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,  # noqa: ARG002  (the framework's signature)
        to_state: Any,
    ) -> None:
        """Make the triggers."""
        refuse_changes(schema_editor, to_state.apps.get_model(app_label, self.model_name))

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: Any,
        to_state: Any,
    ) -> None:
        """Drop the triggers, or make those of before."""
        if self.was:
            refuse_changes(schema_editor, to_state.apps.get_model(app_label, self.model_name))
        else:
            allow_changes(schema_editor, from_state.apps.get_model(app_label, self.model_name))

    def describe(self) -> str:
        """The step as `migrate` prints it."""
        return f"Let rows of {self.model_name} only be added"
