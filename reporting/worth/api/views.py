"""The worth of a round over HTTP."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from reporting.worth.api.output import round_worth_as_dict
from reporting.worth.api.schemas import RoundWorthOut
from reporting.worth.selectors import summarise_round_worth
from tables.api.requests import user_of
from tables.api.schemas import ErrorShape
from tables.permissions import Command
from tables.selectors.rounds import get_round_for

_ERRORS: Final[dict[int, Any]] = dict.fromkeys((401, 403, 404), ErrorShape)


class RoundWorthApi(APIView):
    """What one recorded round was worth."""

    commands = {"GET": Command.ROUND_READ}

    @extend_schema(operation_id="rounds_worth", responses={200: RoundWorthOut, **_ERRORS})
    def get(self, request: Request, table: str, sequence: int) -> Response:
        """The exact value of each setting, the best one, and why the round came out as it did."""
        played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
        return Response(round_worth_as_dict(summarise_round_worth(played)))
