"""How a table stands at an instant: open or not, who deals, which shift, is an id known.

Every entry asks this under the table's lock. It is one statement of plain SQL: the same questions
through the ORM took more of an entry's time than all that it writes.
"""

import datetime as dt
from typing import Final, NamedTuple

from django.db import connection

from tables.floor.models import Dealer, Shift, Table
from tables.property.models import User


class Standing(NamedTuple):
    """How a table stands at an instant, and the key of the round that has the id already.

    `shift` is None when the gaming day has not been made yet.
    """

    is_open: bool
    dealer: Dealer | None
    shift: Shift | None
    gaming_day: dt.date | None
    known_round: int | None


# Sessions of a table, assignments of a table and shifts of a property never overlap, and the id is
# unique for its operator: each join finds one row at most.
_SQL: Final = """
SELECT
    tables_tablesession.id,
    tables_dealer.id, tables_dealer.badge,
    tables_shift.id, tables_shift.name, CAST(tables_gamingday.date AS TEXT),
    tables_round.id
FROM tables_table
LEFT JOIN tables_tablesession
    ON tables_tablesession.table_id = tables_table.id
    AND tables_tablesession.opened_at <= %(at)s
    AND (tables_tablesession.closed_at IS NULL OR tables_tablesession.closed_at > %(at)s)
LEFT JOIN tables_dealerassignment
    ON tables_dealerassignment.table_id = tables_table.id
    AND tables_dealerassignment.starts_at <= %(at)s
    AND (tables_dealerassignment.ends_at IS NULL OR tables_dealerassignment.ends_at > %(at)s)
LEFT JOIN tables_dealer ON tables_dealer.id = tables_dealerassignment.dealer_id
LEFT JOIN (tables_shift JOIN tables_gamingday ON tables_gamingday.id = tables_shift.gaming_day_id)
    ON tables_gamingday.property_id = tables_table.property_id
    AND tables_shift.starts_at <= %(at)s AND tables_shift.ends_at > %(at)s
LEFT JOIN tables_round
    ON tables_round.entered_by_id = %(actor)s AND tables_round.round_id = %(round_id)s
WHERE tables_table.id = %(table)s
"""


def get_standing(*, table: Table, at: dt.datetime, actor: User, round_id: str) -> Standing:
    """How a table stands at an instant, for an operator who comes with a round of their own id."""
    parameters = {
        "table": table.pk,
        "at": connection.ops.adapt_datetimefield_value(at),
        "actor": actor.pk,
        "round_id": round_id,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SQL, parameters)
        session, dealer, badge, shift, shift_name, day, known_round = cursor.fetchone()
    return Standing(
        is_open=session is not None,
        dealer=Dealer.from_db(connection.alias, ["id", "badge"], [dealer, badge])
        if dealer
        else None,
        shift=Shift.from_db(connection.alias, ["id", "name"], [shift, shift_name])
        if shift
        else None,
        gaming_day=dt.date.fromisoformat(day) if day else None,
        known_round=known_round,
    )
