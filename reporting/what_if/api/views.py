"""Views of the what-ifs' API."""

from typing import Any, Final

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from reporting.what_if.api.output import what_if_as_dict
from reporting.what_if.api.schemas import WhatIfAskedOut, WhatIfIn, WhatIfOut
from reporting.what_if.selectors import get_what_if_for
from reporting.what_if.services import ask_what_if
from tables.api.requests import user_of
from tables.api.schemas import ErrorShape
from tables.permissions import Command

_ERRORS: Final[dict[int, Any]] = dict.fromkeys((400, 401, 403, 404, 409, 413), ErrorShape)


class WhatIfsApi(APIView):
    """Ask what if the rules were others."""

    commands = {"POST": Command.WHAT_IF}

    @extend_schema(
        operation_id="what_if_ask",
        request=WhatIfIn,
        responses={202: WhatIfAskedOut, 200: WhatIfAskedOut, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        """Have a changed ruleset compared with the property's; a worker does it in seconds."""
        asked = ask_what_if(actor=user_of(request), body=request.data, at=timezone.now())
        return Response(
            {**what_if_as_dict(asked.what_if), "replayed": asked.is_replay},
            status=200 if asked.is_replay else 202,
        )


class WhatIfApi(APIView):
    """One what-if."""

    commands = {"GET": Command.WHAT_IF}

    @extend_schema(operation_id="what_if", responses={200: WhatIfOut, **_ERRORS})
    def get(self, request: Request, what_if_id: str) -> Response:
        """How far the answer has come, and the answer."""
        found = get_what_if_for(user=user_of(request), what_if_id=what_if_id)
        return Response(what_if_as_dict(found))
