"""How a table stands at an instant: open or not, who deals, which shift.

Every entry asks this under the table's lock. It is one statement of plain SQL: the same questions
through the ORM took more of an entry's time than all that it writes.
"""

import datetime as dt
from typing import Final, NamedTuple

from django.db import connection

from tables.floor.models import Dealer, Shift, Table


class Standing(NamedTuple):
    """How a table stands at an instant; `dealer` is None when nobody is assigned.

    `shift` is None when the gaming day has not been made yet.
    """

    is_open: bool
    dealer: Dealer | None
    shift: Shift | None
    gaming_day: dt.date | None


# Sessions of a table, assignments of a table and shifts of a property never overlap: each join
# finds one row at most.
_SQL: Final = """
SELECT
    tables_tablesession.id,
    tables_dealer.id, tables_dealer.badge,
    tables_shift.id, tables_shift.name, CAST(tables_gamingday.date AS TEXT)
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
WHERE tables_table.id = %(table)s
"""


def get_standing(*, table: Table, at: dt.datetime) -> Standing:
    """How a table stands at an instant."""
    parameters = {"table": table.pk, "at": connection.ops.adapt_datetimefield_value(at)}
    with connection.cursor() as cursor:
        cursor.execute(_SQL, parameters)
        session, dealer, badge, shift, shift_name, day = cursor.fetchone()
    return Standing(
        is_open=session is not None,
        dealer=Dealer.from_db(connection.alias, ["id", "badge"], [dealer, badge])
        if dealer
        else None,
        shift=Shift.from_db(connection.alias, ["id", "name"], [shift, shift_name])
        if shift
        else None,
        gaming_day=dt.date.fromisoformat(day) if day else None,
    )
