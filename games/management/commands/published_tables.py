"""``manage.py published_tables``: the published analysis beside the exact figures."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.analysis.published import comparison_markdown

BEGIN: Final = "<!-- tables: python manage.py published_tables --write -->\n"
END: Final = "<!-- end of tables -->\n"


class Command(BaseCommand):
    help = (
        "Print the figures of the published analysis beside the exact ones, in Markdown. With "
        "--write they take the place of the tables in docs/mathematics.md; with --check the exit "
        "status is 1 if those are not the same."
    )
    # Nothing here needs a database.
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--write", action="store_true")
        what.add_argument("--check", action="store_true")
        parser.add_argument(
            "--file",
            type=Path,
            default=settings.BASE_DIR / "docs" / "mathematics.md",
            help="the document that holds the tables",
        )

    def handle(self, **options: Any) -> None:
        tables = comparison_markdown(folder=settings.ANALYSIS_DIR)
        if not options["write"] and not options["check"]:
            self.stdout.write(tables, ending="")
            return
        path: Path = options["file"]
        text = _read(path)
        fresh = with_tables(text, tables, name=path.name)
        if options["write"]:
            path.write_text(fresh, encoding="utf-8")
        elif fresh != text:
            message = f"the tables in {path.name} are not what published_tables prints"
            raise CommandError(message)


def with_tables(text: str, tables: str, *, name: str) -> str:
    """The text of a document with these tables between its marks.

    Raises CommandError with the name of the document when a mark is missing.
    """
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        message = f"expected the marks of the tables in {name}"
        raise CommandError(message, returncode=2)
    return f"{before}{begin}\n{tables}\n{end}{after}"


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        message = f"cannot read {path.name}: {error}"
        raise CommandError(message, returncode=2) from error
