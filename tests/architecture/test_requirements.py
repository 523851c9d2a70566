"""The product runs on what requirements.txt pins: nothing of the developers' tools is needed."""

import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent

# What every process of the product loads, for both brokers and both databases.
PROGRAM = """
import importlib, sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
import config.wsgi
for name in (
    "celery.bin.worker", "celery.bin.beat", "celery.apps.beat", "celery.apps.worker",
    "kombu.transport.redis", "kombu.transport.filesystem",
    "gunicorn.app.wsgiapp", "gunicorn.workers.gthread",
    "django.db.backends.postgresql.base", "django.db.backends.sqlite3.base",
    "reporting.tasks", "games.management.commands.settle", "config.processes",
    "games.management.commands.odds", "games.management.commands.best_play",
    "games.management.commands.published_tables", "reporting.management.commands.audit_rounds",
    "reporting.worth.appraisal", "reporting.what_if.comparison",
):
    importlib.import_module(name)
config.wsgi.application
from django.urls import reverse
reverse("home")
"""


def _pinned(name: str) -> set[str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return {pin.lower() for pin in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}


def _modules_of_tools() -> set[str]:
    """The top-level modules that only the developers' packages bring."""
    tools = _pinned("requirements-dev.txt") - _pinned("requirements.txt")
    owners = metadata.packages_distributions()
    return {
        module
        for module, names in owners.items()
        if all(re.sub(r"[-_.]+", "-", name).lower() in tools for name in names)
    }


@pytest.mark.slow
def test_the_product_needs_nothing_of_the_tools(tmp_path: Path) -> None:
    blocked = _modules_of_tools()
    assert {"pytest", "mypy", "hypothesis"} <= blocked

    done = subprocess.run(
        [sys.executable, "-c", f"BLOCKED = {sorted(blocked)!r}\n{PROGRAM}"],
        cwd=ROOT,
        env={"HOUSEWAY_VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings.dev"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.returncode == 0, done.stderr
