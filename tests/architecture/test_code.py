"""Sizes, names and habits that the code keeps."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.source import ROOT, functions, modules, name_of, tree_of

MODULE_LINES_MAX = 300
FUNCTION_LINES_MAX = 40
BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
# The one place that sends messages, after the commit and from a thread of its own.
OUTBOX = "tables/outbox.py"
SENDING = {"apply_async", "delay", "send_task", "signature", "si"}
SIGNALS = ("django.dispatch", "django.db.models.signals", "django.core.signals")

BLOCKER = """
import sys

class OnlyTheStandardLibrary:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top != "games" and top not in sys.stdlib_module_names:
            raise ImportError(f"{name} is not of the standard library")

sys.meta_path.insert(0, OnlyTheStandardLibrary())
import importlib, pathlib, pkgutil
import games.engine

names = [item.name for item in pkgutil.walk_packages(games.engine.__path__, "games.engine.")]
for name in names:
    importlib.import_module(name)
print(len(names))
"""


def test_module_has_a_readable_size() -> None:
    sizes = {path: len(path.read_text().splitlines()) for path in modules()}
    assert {name_of(path): size for path, size in sizes.items() if size > MODULE_LINES_MAX} == {}


def test_function_has_a_readable_size() -> None:
    sizes = [
        (path, node.name, (node.end_lineno or node.lineno) - node.lineno + 1)
        for path, node in functions()
    ]
    long = [f"{name_of(path)}:{name}" for path, name, size in sizes if size > FUNCTION_LINES_MAX]
    assert long == []


def test_module_is_named_by_what_it_is_about() -> None:
    assert [name_of(path) for path in modules() if BANNED_NAMES & set(_words(path))] == []


def _words(path: Path) -> list[str]:
    return [*path.relative_to(ROOT).parts[:-1], path.stem]


def test_no_django_signals() -> None:
    found = []
    for path in modules():
        for node in ast.walk(tree_of(path)):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
                names += [f"{node.module}.{alias.name}" for alias in node.names]
            if any(name.startswith(SIGNALS) for name in names):
                found.append(f"{name_of(path)}:{getattr(node, 'lineno', 0)}")
    assert found == []


def test_case_d04_only_the_outbox_sends_messages() -> None:
    found = [
        f"{name_of(path)}:{node.lineno}: {node.func.attr}"
        for path in modules()
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in SENDING
    ]
    assert [place for place in found if not place.startswith(f"{OUTBOX}:")] == []
    assert len(found) == 1, "the check has lost sight of the outbox"


def test_only_one_module_reads_the_environment() -> None:
    # The entries set where the settings are before Django can read any.
    allowed = {"config/celery.py", "config/wsgi.py", "config/processes.py"}
    reading = re.compile(r"os\.environ|os\.getenv|environ\.Env")
    found = {name_of(path) for path in modules() if reading.search(path.read_text())}
    assert found - allowed == {"config/env.py"}


def test_engine_needs_nothing_but_the_standard_library() -> None:
    done = subprocess.run(
        [sys.executable, "-c", BLOCKER],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 10


def test_games_package_is_empty_so_that_the_engine_stays_pure() -> None:
    assert (ROOT / "games" / "__init__.py").read_text().strip() == ""


@pytest.mark.parametrize(
    "pattern",
    [
        pytest.param(r"(?<![\w.:/])/(work|root|home|Users|mnt)/\w", id="path of one machine"),
        pytest.param(r"https?://[^\s\"']*pypi", id="address of a package index"),
    ],
)
def test_no_file_speaks_of_one_machine(pattern: str) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    if listed.returncode:
        pytest.skip("not a checkout: only what would be committed is read")
    found = []
    for name in listed.stdout.split("\0"):
        path = ROOT / name
        if not name or not path.is_file() or path.samefile(__file__):
            continue
        text = path.read_bytes().decode(errors="ignore")
        found += [f"{name}: {match[0]}" for match in re.finditer(pattern, text)]
    assert found == []
