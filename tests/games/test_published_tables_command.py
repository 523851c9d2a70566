"""``manage.py published_tables``: the document says what the command prints."""

import io
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from games.analysis.published import comparison_markdown, published_tables
from games.management.commands.published_tables import BEGIN, END
from tests.engine.builders import golden

DOCUMENT = Path(settings.BASE_DIR) / "docs" / "mathematics.md"


def test_figures_of_the_page_are_those_of_the_golden_file() -> None:
    assert published_tables() == golden("published_tables.json")


def test_document_holds_the_tables_as_they_are_computed() -> None:
    call_command("published_tables", "--check")


def test_tables_are_printed_and_written_between_the_marks(tmp_path: Path) -> None:
    out = io.StringIO()
    call_command("published_tables", stdout=out)
    tables = comparison_markdown(folder=settings.ANALYSIS_DIR)
    assert out.getvalue() == tables
    path = tmp_path / "some.md"
    path.write_text(f"before\n{BEGIN}old\n{END}after\n")
    call_command("published_tables", "--write", "--file", str(path))
    assert path.read_text() == f"before\n{BEGIN}\n{tables}\n{END}after\n"


def test_changed_table_is_found_out(tmp_path: Path) -> None:
    path = tmp_path / "some.md"
    text = DOCUMENT.read_text()
    assert "0.013393" in text
    path.write_text(text.replace("0.013393", "0.013394", 1))
    with pytest.raises(CommandError, match="are not what published_tables prints"):
        call_command("published_tables", "--check", "--file", str(path))


@pytest.mark.parametrize("content", [None, "no marks", f"{BEGIN} but no end"])
def test_document_without_the_marks_is_refused(tmp_path: Path, content: str | None) -> None:
    path = tmp_path / "some.md"
    if content is not None:
        path.write_text(content)
    with pytest.raises(CommandError) as caught:
        call_command("published_tables", "--write", "--file", str(path))
    assert caught.value.returncode == 2
    assert content is None or path.read_text() == content
