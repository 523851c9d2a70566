"""The import contracts know every module: what no contract names would be held by none."""

import tomllib
from typing import Any

from tests.architecture.source import ROOT, modules


def _layers(name: str) -> list[str]:
    document = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts: list[Any] = document["tool"]["importlinter"]["contracts"]
    [contract] = [item for item in contracts if item["name"].startswith(name)]
    return [module.strip() for layer in contract["layers"] for module in layer.split("|")]


def test_every_module_of_tables_has_its_place() -> None:
    layers = _layers("Tables: pages and API over services")
    named = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in modules()
        if path.is_relative_to(ROOT / "tables") and path.read_text(encoding="utf-8").strip()
    ]
    # The app itself, which Django loads before there are any models.
    placed = ("tables.apps", *layers)
    left_out = [
        name
        for name in named
        if not any(name == layer or name.startswith(f"{layer}.") for layer in placed)
    ]
    assert left_out == []
    assert [layer for layer in layers if not any(name.startswith(layer) for name in named)] == []
