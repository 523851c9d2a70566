"""What templates say goes through translation."""

import re
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

TRANSLATED = re.compile(r"\{% blocktranslate.*?\{% endblocktranslate %\}", re.DOTALL)
MARKUP = re.compile(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}|<[^>]*>", re.DOTALL)
SPOKEN = re.compile(r'(?:aria-label|title|placeholder|alt)="([^"{]*[A-Za-z][^"{]*)"')
# The product's name is the same in every language.
NAME = "Houseway"
TEMPLATES = sorted(
    path for app in ("tables", "reporting") for path in (ROOT / app / "templates").rglob("*.html")
)


@pytest.mark.parametrize("path", TEMPLATES, ids=[path.name for path in TEMPLATES])
def test_template_holds_no_text_of_one_language(path: Path) -> None:
    text = TRANSLATED.sub("", path.read_text(encoding="utf-8"))
    said = [part.strip() for part in MARKUP.split(text)] + SPOKEN.findall(text)
    assert [part for part in said if re.search("[A-Za-z]", part.replace(NAME, ""))] == []
