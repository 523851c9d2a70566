"""The product's own source, for the tests that read it."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent.parent
PACKAGES: Final = ("config", "games", "reporting", "tables")


def modules() -> list[Path]:
    """Every module of the product, without migrations."""
    found = [
        path
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
    ]
    assert len(found) > 50, "the source was not found"
    return found


def name_of(path: Path) -> str:
    """How a message names a file."""
    return path.relative_to(ROOT).as_posix()


def tree_of(path: Path) -> ast.Module:
    """The syntax tree of a module."""
    return ast.parse(path.read_text(), filename=str(path))


def functions() -> Iterator[tuple[Path, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """Every function and method of the product."""
    for path in modules():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield path, node


def test_names() -> set[str]:
    """The names of all tests, of whatever kind."""
    return {
        node.name
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


test_names.__test__ = False  # type: ignore[attr-defined]  # a function, not a test
