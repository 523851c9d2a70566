"""What README.md tells people to run and to read is there."""

import re
import subprocess

from django.core.management import get_commands

from tests.architecture.source import PACKAGES, ROOT

README_LINES_MAX = 70


def test_commands_of_the_readme_exist() -> None:
    text = (ROOT / "README.md").read_text()
    usage = subprocess.run(
        [ROOT / "dev", "help"], capture_output=True, text=True, timeout=30, check=True
    ).stdout
    ours = set(re.findall(r"\./dev (\w+)", text))
    assert {"run", "test", "fix", "golden", "check", "bench"} <= ours
    assert {command for command in ours if f"\n  {command} " not in usage} == set()
    managed = set(re.findall(r"manage\.py (\w+)", text))
    assert managed
    assert managed - set(get_commands()) == set()


def test_paths_of_the_readme_and_the_docs_exist() -> None:
    for document in [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]:
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
        missing = [link for link in links if not (document.parent / link).exists()]
        assert missing == [], document.name
    words = re.findall(
        r"`((?:docs|docker|tests|config)/[\w/.]*)`", (ROOT / "README.md").read_text()
    )
    assert [word for word in words if not (ROOT / word).exists()] == []


def test_readme_fits_one_screen_and_maps_every_package() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= README_LINES_MAX
    assert [package for package in PACKAGES if f"`{package}/`" not in text] == []
