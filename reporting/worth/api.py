"""The worth of a round over REST."""

from typing import Any

from reporting.worth.selectors import summarise_round_worth
from reporting.worth.shapes import RoundWorthOut
from tables.permissions import Command
from tables.property.models import User
from tables.rounds.selectors import get_round_for
from tables.web.api import ReadApi


class RoundWorthApi(ReadApi):
    """The exact value of each setting, the best one, and why the round came out as it did."""

    commands = {"GET": Command.ROUND_READ}
    operation_ids = {"GET": "rounds_worth"}
    answer = RoundWorthOut

    def find(self, user: User, **address: Any) -> RoundWorthOut:
        """The worth of the round of an address."""
        played = get_round_for(user=user, table_code=address["table"], sequence=address["sequence"])
        return RoundWorthOut.of(summarise_round_worth(played))
