"""Roll-ups: figures that are kept in step with the records, each declared once.

The service rolls up whatever is registered, all of it in one transaction, so a roll-up says only
what is its own: how the figures of a scope are computed, and what has to be there before.
"""

import datetime as dt
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.engine.errors import InvariantViolation
from reporting.figures.scopes import Scope, TableHour, of_table_hours


class Bucket(NamedTuple):
    """The finest cell that figures are kept for; see `DirtyBucket`, whose columns these are."""

    table_id: int
    dealer_id: int | None
    shift_id: int
    hour: dt.datetime


@dataclass(frozen=True, slots=True)
class Difference:
    """A line that stands only in the figures (`is_rolled_up`), or only in the straight sum."""

    is_rolled_up: bool
    line: object


def _nothing_to_prepare(_scope: Scope, _done: frozenset[int]) -> frozenset[int]:
    return frozenset()


def _nothing_to_prepare_anew(_scope: Scope) -> None:
    pass


def _no_backlog() -> tuple[Bucket, ...]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollUp:
    """What a roll-up is made of. Its figures follow from the records and can be thrown away.

    `name` is that of its row of `RollupCursor`.

    `scope_of` widens dirty hours to the scope that is to be computed for them; it holds every
    round and void of these hours. `recompute` replaces the figures of a scope by those that the
    records have now. It is called under the lock of the roll-ups and stores nothing else.

    `prepare` is for what takes long and follows from single rounds: it makes that ready for the
    rounds of a scope, but for those `done`, and returns all whose turn it was. It is called before
    the lock, and under it for what came in between. `prepare_anew` throws away and makes again.

    `find_backlog` returns the buckets that no event has marked and whose figures can nevertheless
    be better now than when they were rolled up.

    `find_differences` compares the figures with the straight sum of the records, except those of
    buckets that wait for the roll-up.
    """

    name: str
    recompute: Callable[[Scope], None]
    find_differences: Callable[[], Iterable[Difference]]
    scope_of: Callable[[Iterable[TableHour]], Scope] = of_table_hours
    prepare: Callable[[Scope, frozenset[int]], frozenset[int]] = _nothing_to_prepare
    prepare_anew: Callable[[Scope], None] = _nothing_to_prepare_anew
    find_backlog: Callable[[], Collection[Bucket]] = _no_backlog


_registered: Final[dict[str, RollUp]] = {}


def register(roll_up: RollUp) -> None:
    """Have a roll-up worked off from now on; the figures of what was before need a rebuild.

    Raises InvariantViolation when another one has the name.
    """
    if _registered.setdefault(roll_up.name, roll_up) is not roll_up:
        message = f"expected one roll-up of each name, got another {roll_up.name!r}"
        raise InvariantViolation(message)


def list_roll_ups() -> list[RollUp]:
    """All that are registered, in the order in which their cursors are locked."""
    return [_registered[name] for name in sorted(_registered)]
