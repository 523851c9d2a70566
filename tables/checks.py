"""What must hold of the stored set-up before the product runs; `migrate` and `check` ask."""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from games.engine.rulesets import RULESETS
from tables.property.models import Property


@register(Tags.database)
def check_rulesets(
    app_configs: Sequence[AppConfig] | None,  # noqa: ARG001  (the framework's signature)
    databases: Sequence[str] | None = None,
    **_: Any,
) -> list[CheckMessage]:
    """Every ruleset that a property plays by is in this release."""
    return [
        Error(
            f"property {casino.code} plays by the ruleset {casino.ruleset_id!r}, "
            f"which is not one of {', '.join(RULESETS)}",
            hint="choose one of these, or run the release that has it",
            id="tables.E001",
        )
        for alias in databases or ()
        # Before the first migration there is nothing to check.
        if Property._meta.db_table in connections[alias].introspection.table_names()
        # Only what the first migration made: `migrate` asks before it has made the rest.
        for casino in Property.objects.using(alias)
        .exclude(ruleset_id__in=RULESETS)
        .only("code", "ruleset_id")
    ]
