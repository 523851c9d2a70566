"""Values are kept under all they depend on, found again whole, and never stale."""

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.analysis import value_store
from games.analysis.setting_values import (
    VALUES_VERSION,
    PlayerKind,
    SettingValues,
    evaluate_settings,
)
from games.analysis.two_seats import two_seats_product
from games.analysis.value_store import (
    BeingComputedError,
    setting_values,
    two_seats_mean,
    values_digest,
    values_key,
)
from games.engine.hands import parse_high
from games.engine.pay_tables import Odds, OddsUnit, PayTable
from games.engine.rulesets import FoulPolicy, Ruleset
from tests.engine.builders import AS_WRITTEN, PUBLISHED

VARIED = replace(
    AS_WRITTEN,
    id="test/varied@1",
    qualifier=None,
    main=Odds(19, 20),
    house_way=(*AS_WRITTEN.house_way[1::-1], *AS_WRITTEN.house_way[2:]),
)
# What the values of a version are: digests of every number (wins, losses, best play, house way and
# deals), and a mean of two seats.
KNOWN_VERSION = 1
KNOWN = {
    AS_WRITTEN.id: "f5b580cb9188ea6de613bd3dc267ce96a69683b59856437ee342a7bf97f8cd6d",
    PUBLISHED.id: "7930dc0788e8fe2992a7d72f2cd28f6ec71b0d37762e6fd03e60c64a22bff707",
    VARIED.id: "a1ac868870465baad2fe5aff5484e4ffb142413fea7b0b7de03972fc6161225d",
    "two seats": "699654227300316389341/2643745637087285831100",
}


class Evaluations:
    """Stands in for the evaluation: hands out the same values and counts how often it was asked."""

    def __init__(self, values: SettingValues) -> None:
        self.values = values
        self.count = 0

    def __call__(self, _ruleset: Ruleset, **_options: object) -> SettingValues:
        self.count += 1
        return self.values


@pytest.fixture
def evaluations(as_written: SettingValues, monkeypatch: pytest.MonkeyPatch) -> Evaluations:
    """An empty memory, and a counted evaluation."""
    counted = Evaluations(as_written)
    monkeypatch.setattr(value_store, "evaluate_settings", counted)
    forget(monkeypatch)
    return counted


def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a new process begins with."""
    monkeypatch.setattr(value_store, "_in_memory", {})
    monkeypatch.setattr(value_store, "_two_seats", {})


def advice(version: int, found: Mapping[str, str]) -> str:
    """What is to be done before these numbers may be kept under this version; "" for nothing."""
    if found != KNOWN:
        if version == KNOWN_VERSION:
            return "kept numbers changed: raise VALUES_VERSION in games/analysis/setting_values.py"
        return "write the new numbers into KNOWN, and their version"
    return "" if version == KNOWN_VERSION else "write the version into KNOWN_VERSION"


@pytest.mark.slow
def test_kept_numbers_are_those_of_their_version(
    as_written: SettingValues, published: SettingValues
) -> None:
    # Computed here and now: numbers of a folder would be those of the program that kept them.
    found = {
        AS_WRITTEN.id: values_digest(as_written),
        PUBLISHED.id: values_digest(published),
        VARIED.id: values_digest(evaluate_settings(VARIED)),
        "two seats": str(two_seats_product(AS_WRITTEN, as_written, PlayerKind.BEST)),
    }
    said = advice(VALUES_VERSION, found)
    assert not said, f"{said}: {found}"


def test_numbers_that_change_ask_for_another_version() -> None:
    for name in KNOWN:
        changed = {**KNOWN, name: "other"}
        assert "raise VALUES_VERSION" in advice(KNOWN_VERSION, changed)
        assert "write the new numbers" in advice(KNOWN_VERSION + 1, changed)
    assert "write the version" in advice(KNOWN_VERSION + 1, KNOWN)


@pytest.mark.parametrize("name", ["wins", "losses", "qualified", "breaks", "best_codes", "deals"])
def test_one_number_changed_changes_the_digest(as_written: SettingValues, name: str) -> None:
    changed = np.array(getattr(as_written, name))
    changed.flat[changed.size // 2] += 1
    fields: dict[str, Any] = {name: changed}
    assert values_digest(replace(as_written, **fields)) != values_digest(as_written)


@pytest.mark.parametrize(
    "changes",
    [
        {"qualifier": None},
        {"qualifier": parse_high("K-4-2")},
        {"house_way": tuple(reversed(AS_WRITTEN.house_way))},
        {"main": Odds(19, 20)},
        {"main": Odds(2, 1, OddsUnit.TO_ONE)},
    ],
    ids=str,
)
def test_rules_that_count_are_in_the_key(changes: dict[str, Any]) -> None:
    assert values_key(replace(AS_WRITTEN, **changes)) != values_key(AS_WRITTEN)


def test_rules_that_do_not_count_are_not_in_the_key() -> None:
    alike = replace(
        AS_WRITTEN,
        id="another/name@1",
        break_bonus=PayTable({}),
        foul=FoulPolicy.RESET_TO_HOUSE_WAY,
        main=Odds(2, 1, OddsUnit.FOR_ONE),
    )
    assert values_key(alike) == values_key(AS_WRITTEN)


def test_another_version_has_another_key(monkeypatch: pytest.MonkeyPatch) -> None:
    version, _, rules = values_key(AS_WRITTEN).partition("-")
    assert version == f"v{VALUES_VERSION}"
    monkeypatch.setattr(value_store, "VALUES_VERSION", 99)
    assert values_key(AS_WRITTEN) == f"v99-{rules}"


def test_values_are_computed_once_and_found_again_whole(
    evaluations: Evaluations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = setting_values(AS_WRITTEN, folder=tmp_path)
    assert setting_values(AS_WRITTEN, folder=tmp_path) is first
    forget(monkeypatch)
    again = setting_values(AS_WRITTEN, folder=tmp_path)
    assert evaluations.count == 1
    assert values_digest(again) == values_digest(first)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {values_key(AS_WRITTEN)}


@pytest.mark.parametrize("damage", ["flip", "cut", "empty", "remove", "no digest"])
def test_damaged_values_are_made_anew(
    evaluations: Evaluations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    setting_values(AS_WRITTEN, folder=tmp_path)
    place = tmp_path / values_key(AS_WRITTEN)
    wins = place / "wins.npy"
    if damage == "flip":
        content = bytearray(wins.read_bytes())
        content[-1] ^= 1
        wins.write_bytes(content)
    elif damage == "cut":
        wins.write_bytes(wins.read_bytes()[:-100])
    elif damage == "empty":
        wins.write_bytes(b"")
    elif damage == "remove":
        wins.unlink()
    else:
        (place / "digest").unlink()
    forget(monkeypatch)
    found = setting_values(AS_WRITTEN, folder=tmp_path)
    assert evaluations.count == 2
    assert values_digest(found) == values_digest(evaluations.values)
    forget(monkeypatch)
    setting_values(AS_WRITTEN, folder=tmp_path)
    assert evaluations.count == 2


def test_folder_that_cannot_be_written_is_done_without(
    evaluations: Evaluations, tmp_path: Path
) -> None:
    blocked = tmp_path / "a file"
    blocked.write_text("not a folder")
    assert setting_values(AS_WRITTEN, folder=blocked / "inside") is evaluations.values
    assert setting_values(AS_WRITTEN, folder=blocked / "inside") is evaluations.values
    assert evaluations.count == 1


HOLDER = """
import sys
from pathlib import Path
from games.analysis.value_store import _only_one_process
with _only_one_process(Path(sys.argv[1]), sys.argv[2], may_wait=True):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def another_process(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that computes the values for ever."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(folder), values_key(AS_WRITTEN)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "held\n"
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("is_kept", [True, False])
def test_one_process_computes_and_others_wait_or_go_on(
    evaluations: Evaluations, tmp_path: Path, *, is_kept: bool
) -> None:
    with another_process(tmp_path) as process, ThreadPoolExecutor(1) as threads:
        with pytest.raises(BeingComputedError):
            setting_values(AS_WRITTEN, folder=tmp_path, may_wait=False)
        waiting = threads.submit(setting_values, AS_WRITTEN, folder=tmp_path)
        with pytest.raises(TimeoutError):
            waiting.result(timeout=0.3)
        assert evaluations.count == 0
        if is_kept:
            value_store._save(tmp_path / values_key(AS_WRITTEN), evaluations.values)
        # However it ends, it lets go: what it has not kept, the next one computes.
        process.kill()
        found = waiting.result(timeout=30)
    assert evaluations.count == (0 if is_kept else 1)
    assert values_digest(found) == values_digest(evaluations.values)


def test_memory_holds_the_latest_few(evaluations: Evaluations) -> None:
    for high in ("K-4-2", "K-5-2", "K-6-2", "K-7-2", "K-8-2"):
        setting_values(replace(AS_WRITTEN, qualifier=parse_high(high)))
    setting_values(replace(AS_WRITTEN, qualifier=parse_high("K-8-2")))
    assert evaluations.count == 5
    setting_values(replace(AS_WRITTEN, qualifier=parse_high("K-4-2")))
    assert evaluations.count == 6


def test_folder_keeps_those_used_last(
    evaluations: Evaluations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(value_store, "_IN_FOLDER_MAX", 2)
    rulesets = [replace(AS_WRITTEN, qualifier=parse_high(f"K-{rank}-2")) for rank in "4567"]
    for age, ruleset in enumerate(rulesets[:2]):
        setting_values(ruleset, folder=tmp_path)
        os.utime(tmp_path / values_key(ruleset), (age, age))
    forget(monkeypatch)
    # The oldest is asked for once more, so it is the other that makes room.
    setting_values(rulesets[0], folder=tmp_path)
    setting_values(rulesets[2], folder=tmp_path)
    kept = {values_key(rulesets[0]), values_key(rulesets[2])}
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == kept
    assert evaluations.count == 3


def test_mean_of_two_seats_is_kept_and_checked(
    evaluations: Evaluations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def product(*_: object, **__: object) -> Fraction:
        asked.append(1)
        return Fraction(1, 3)

    monkeypatch.setattr(value_store, "two_seats_product", product)
    mean = two_seats_mean(AS_WRITTEN, PlayerKind.BEST, folder=tmp_path)
    forget(monkeypatch)
    assert two_seats_mean(AS_WRITTEN, PlayerKind.BEST, folder=tmp_path) == mean == Fraction(1, 3)
    assert len(asked) == 1
    two_seats_mean(AS_WRITTEN, PlayerKind.HOUSE_WAY, folder=tmp_path)
    assert len(asked) == 2
    for path in tmp_path.glob("*.txt"):
        path.write_text(path.read_text().replace("1/3", "2/3"))
    forget(monkeypatch)
    assert two_seats_mean(AS_WRITTEN, PlayerKind.BEST, folder=tmp_path) == mean
    assert len(asked) == 3
