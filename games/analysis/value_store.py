"""The values of settings, kept: in memory, and in a folder under a key of all they depend on.

The key is the version of the values and a digest of the rules that count (deck, qualifier, house
way, main odds). A test holds the version against the values, so nothing stale is ever found. A
file that was damaged does not match its digest and is made anew.
"""

import contextlib
import hashlib
import json
import shutil
import tempfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from threading import Lock
from typing import Final

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from games.analysis.decks import FULL_DECK
from games.analysis.setting_table import setting_table
from games.analysis.setting_values import (
    VALUES_VERSION,
    PlayerKind,
    Progress,
    SettingValues,
    evaluate_settings,
    unheeded,
)
from games.analysis.two_seats import two_seats_product
from games.engine.rulesets import Ruleset

_ARRAYS: Final = (
    "wins", "losses", "qualified", "breaks", "best_codes", "house_codes", "deals",
)  # fmt: skip
_IN_MEMORY_MAX: Final = 4
_IN_FOLDER_MAX: Final = 16
"""A set of values takes 30 MB; those not used for longest make room."""
_in_memory: dict[str, SettingValues] = {}
_two_seats: dict[str, Fraction] = {}
_one_at_a_time = Lock()


class BeingComputedError(Exception):
    """Another process is computing the values: they will be there in some seconds."""


def setting_values(
    ruleset: Ruleset,
    *,
    folder: Path | None = None,
    progress: Progress = unheeded,
    may_wait: bool = True,
) -> SettingValues:
    """Return the values of all settings under a ruleset, computed only if they are not kept.

    Of the processes that share a folder one computes and the others wait for it, or raise
    BeingComputedError if they may not wait. A folder that cannot be written is done without: the
    values are then computed again by the next process. Raises what ``evaluate_settings`` raises.
    """
    key = values_key(ruleset)
    with _one_at_a_time:
        found = _in_memory.get(key) or (_load(folder / key) if folder else None)
        if found is None:
            with _only_one_process(folder, key, may_wait=may_wait):
                # The process that was waited for may have kept them.
                found = _load(folder / key) if folder else None
                if found is None:
                    found = evaluate_settings(ruleset, progress=progress)
                    if folder:
                        with contextlib.suppress(OSError):
                            _save(folder / key, found)
        # The latest asked for stay.
        _in_memory.pop(key, None)
        _in_memory[key] = found
        while len(_in_memory) > _IN_MEMORY_MAX:
            del _in_memory[next(iter(_in_memory))]
    return found


def two_seats_mean(
    ruleset: Ruleset,
    player: PlayerKind,
    *,
    folder: Path | None = None,
    progress: Progress = unheeded,
) -> Fraction:
    """Return what ``two_seats_product`` does, kept like the values, which it needs."""
    values = setting_values(ruleset, folder=folder)
    key = f"{values_key(ruleset)}-{player}"
    place = folder / f"two-seats-{key}.txt" if folder else None
    mean = _two_seats.get(key) or (_load_fraction(place) if place else None)
    if mean is None:
        mean = two_seats_product(ruleset, values, player, progress=progress)
        if place:
            with contextlib.suppress(OSError):
                _save_fraction(place, mean)
    _two_seats[key] = mean
    return mean


def values_key(ruleset: Ruleset) -> str:
    """Return the key: equal for two rulesets if and only if their settings have equal values."""
    rules = {
        "deck": FULL_DECK.copies,
        "qualifier": None if ruleset.qualifier is None else ruleset.qualifier.label,
        "house_way": [(step.low_class.name, step.high_class.name) for step in ruleset.house_way],
        "main": str(ruleset.main.net),
    }
    digest = hashlib.sha256(json.dumps(rules, sort_keys=True).encode()).hexdigest()[:40]
    return f"v{VALUES_VERSION}-{digest}"


def values_digest(values: SettingValues) -> str:
    """Return the digest of every number of the values, whatever machine computed them."""
    digest = hashlib.sha256()
    for _, array in _arrays_of(values):
        digest.update(np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<")).data)
    return digest.hexdigest()


@contextlib.contextmanager
def _only_one_process(folder: Path | None, key: str, *, may_wait: bool) -> Iterator[None]:
    """Hold the lock of a key in a folder; it ends with the process, however that ends."""
    with contextlib.ExitStack() as held:
        if folder:
            try:
                held.enter_context(FileLock(folder / f"{key}.lock", blocking=may_wait))
            except Timeout as error:
                raise BeingComputedError(key) from error
            except OSError:
                # A folder that cannot be written: each process computes for itself.
                pass
        yield


def _arrays_of(values: SettingValues) -> Iterator[tuple[str, NDArray[np.generic]]]:
    for name in _ARRAYS:
        yield name, getattr(values, name)


def _load(place: Path) -> SettingValues | None:
    """Return the values kept at a place; None if there are none, or they are damaged."""
    try:
        arrays = {name: np.load(place / f"{name}.npy", mmap_mode="r") for name in _ARRAYS}
        digest = (place / "digest").read_text(encoding="ascii")
        found = SettingValues(table=setting_table(), **arrays)
    except (OSError, ValueError, EOFError):
        return None
    if values_digest(found) != digest:
        return None
    with contextlib.suppress(OSError):
        place.touch()
    return found


def _save(place: Path, values: SettingValues) -> None:
    """Keep values at a place that comes to be at once and whole, whoever else writes it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        made = Path(folder) / "made"
        made.mkdir()
        for name, array in _arrays_of(values):
            np.save(made / f"{name}.npy", array)
        (made / "digest").write_text(values_digest(values), encoding="ascii")
        if place.exists():
            # Damaged, or made by another process meanwhile: out of the way, and away with it.
            place.rename(Path(folder) / "old")
        made.rename(place)
    _make_room(place.parent)


def _make_room(folder: Path) -> None:
    """Remove the values that were not used for longest; a process that has them keeps its own."""
    places = [place for place in folder.iterdir() if (place / "digest").is_file()]
    places.sort(key=lambda place: place.stat().st_mtime, reverse=True)
    for place in places[_IN_FOLDER_MAX:]:
        shutil.rmtree(place, ignore_errors=True)


def _load_fraction(place: Path) -> Fraction | None:
    """Return the fraction kept at a place; None if there is none, or it is damaged."""
    try:
        text, _, digest = place.read_text(encoding="ascii").partition(" ")
        return Fraction(text) if digest == _text_digest(text) else None
    except (OSError, ValueError):
        return None


def _save_fraction(place: Path, value: Fraction) -> None:
    text = f"{value.numerator}/{value.denominator}"
    with tempfile.TemporaryDirectory(dir=place.parent) as folder:
        made = Path(folder) / "made"
        made.write_text(f"{text} {_text_digest(text)}", encoding="ascii")
        made.replace(place)


def _text_digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
