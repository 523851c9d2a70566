"""The golden files that the product itself defines, each with what it would write into it now.

A golden is a record of what is, reviewed as a diff when it changes, and never a proof of right:
expected values come from docs/rules.md and from tests/data/golden/, which the customer gave. Those
files are the authority, and nothing here writes them.

A further golden is one line in `GOLDENS`: `tests/test_golden.py` then holds the file to the
product, and `./dev golden` makes it anew.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from drf_spectacular.generators import SchemaGenerator

from games.analysis.published import comparison_markdown
from games.management.commands.published_tables import with_tables
from tests.golden.api_errors import error_answers

ROOT: Final = Path(__file__).resolve().parent.parent.parent
MATHEMATICS: Final = "docs/mathematics.md"


@dataclass(frozen=True, slots=True)
class Golden:
    """A file, by its path from the root of the repository, and the function that makes its text."""

    name: str
    path: str
    text: Callable[[], str]


def as_json(value: Any, *, has_sorted_keys: bool = False) -> str:
    """JSON that makes a readable diff: one value a line, and a newline at the end."""
    return json.dumps(value, indent=1, sort_keys=has_sorted_keys) + "\n"


def api_errors() -> str:
    """What the API answers to every error, in the order in which the classes are declared."""
    return as_json(error_answers())


def openapi() -> str:
    """The OpenAPI document of the API."""
    document = SchemaGenerator().get_schema(request=None, public=True)
    return as_json(document, has_sorted_keys=True)


def mathematics() -> str:
    """The document of the mathematics, with the tables between its marks as they are computed."""
    text = (ROOT / MATHEMATICS).read_text(encoding="utf-8")
    return with_tables(text, comparison_markdown(folder=settings.ANALYSIS_DIR), name=MATHEMATICS)


GOLDENS: Final = (
    Golden("errors of the API", "tests/data/api_errors.json", api_errors),
    Golden("OpenAPI document", "tests/data/openapi.json", openapi),
    Golden("tables of the mathematics", MATHEMATICS, mathematics),
)
