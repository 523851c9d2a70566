"""What a round was worth, over HTTP for programs."""

from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from reporting.api.output import round_worth_as_dict
from reporting.api.schemas import RoundWorthOut
from reporting.round_worth import summarise_round_worth
from tables.permissions import Command
from tables.rounds.selectors import get_round_for
from tables.web.api import user_of
from tables.web.openapi import ErrorBody

_ERRORS: Final[dict[int, Any]] = dict.fromkeys((401, 403, 404), ErrorBody)


class RoundWorthApi(APIView):
    """What one recorded round was worth."""

    commands = {"GET": Command.ROUND_READ}

    @extend_schema(operation_id="rounds_worth", responses={200: RoundWorthOut, **_ERRORS})
    def get(self, request: Request, table: str, sequence: int) -> Response:
        """The exact value of each setting, the best one, and why the round came out as it did."""
        played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
        return Response(round_worth_as_dict(summarise_round_worth(played)))
