"""Rounds, voids and misdeals over REST. Views read, call one service or selector, and answer."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.engine.settlement import settlement_as_dict
from tables.permissions import Command
from tables.rounds.replay import round_content
from tables.rounds.selectors import get_round_for, list_misdeals, list_rounds
from tables.rounds.services.misdeals import record_misdeal
from tables.rounds.services.rounds import preview_round, record_round
from tables.rounds.services.voids import void_round
from tables.web import schemas
from tables.web.output import misdeal_detail, round_detail, round_summary, void_detail
from tables.web.pagination import KeyPagination
from tables.web.queries import RoundQuery, StrictQuery
from tables.web.requests import user_of

_ERRORS: dict[int, Any] = dict.fromkeys((400, 401, 403, 404, 409, 413), schemas.ErrorShape)


def _recorded(body: dict[str, Any], *, is_replay: bool) -> Response:
    """201 for what was stored now, 200 for the first answer given again."""
    return Response({**body, "replayed": is_replay}, status=200 if is_replay else 201)


class RoundsApi(APIView):
    """Record a round; list rounds."""

    commands = {"GET": Command.ROUND_READ, "POST": Command.ROUND_RECORD}
    pagination_class = KeyPagination

    @extend_schema(
        operation_id="rounds_record",
        request=schemas.RoundIn,
        responses={
            201: schemas.RoundRecordedOut,
            200: schemas.RoundRecordedOut,
            **_ERRORS,
        },
    )
    def post(self, request: Request) -> Response:
        """Settle and store a round, once; the same id and content repeats the first answer."""
        recorded = record_round(actor=user_of(request), body=request.data, at=timezone.now())
        return _recorded(round_summary(recorded.round), is_replay=recorded.is_replay)

    @extend_schema(
        operation_id="rounds_list",
        parameters=[RoundQuery],
        responses={200: schemas.RoundOut(many=True), **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Rounds of your property, the latest recorded first."""
        rounds = list_rounds(user=user_of(request), narrowed_to=RoundQuery.read_filter(request))
        paginator = KeyPagination()
        page = paginator.paginate_queryset(rounds, request, view=self)
        return paginator.get_paginated_response([round_summary(item) for item in page or []])


class RoundPreviewApi(APIView):
    """Settle without storing."""

    commands = {"POST": Command.ROUND_PREVIEW}

    @extend_schema(request=schemas.RoundIn, responses={200: schemas.PreviewOut, **_ERRORS})
    def post(self, request: Request) -> Response:
        """What recording this round would answer; nothing is stored.

        Every seat sent must be set: the dealer's house way is not for the table's eyes before
        that (BP-5.10).
        """
        body: Any = request.data
        settlement = preview_round(actor=user_of(request), body=body, at=timezone.now())
        return Response({"settlement": {"id": body["id"], **settlement_as_dict(settlement)}})


class RoundApi(APIView):
    """One round."""

    commands = {"GET": Command.ROUND_READ}

    @extend_schema(responses={200: schemas.RoundDetailOut, **_ERRORS})
    def get(self, request: Request, table: str, sequence: int) -> Response:
        """A round by its number at its table, with its hands and its void."""
        played = get_round_for(user=user_of(request), table_code=table, sequence=sequence)
        return Response(round_detail(played, round_content(played)))


class RoundVoidApi(APIView):
    """Void a round."""

    commands = {"POST": Command.ROUND_VOID}

    @extend_schema(
        request=schemas.VoidIn,
        responses={
            201: schemas.VoidRecordedOut,
            200: schemas.VoidRecordedOut,
            **_ERRORS,
        },
    )
    def post(self, request: Request, table: str, sequence: int) -> Response:
        """Void a round with reason and authority; a record of its own, the round stays."""
        recorded = void_round(
            actor=user_of(request),
            table_code=table,
            sequence=sequence,
            body=request.data,
            at=timezone.now(),
        )
        return _recorded(void_detail(recorded.void), is_replay=recorded.is_replay)


class MisdealsApi(APIView):
    """Record a misdeal; list misdeals."""

    commands = {"GET": Command.MISDEAL_READ, "POST": Command.MISDEAL_RECORD}
    pagination_class = KeyPagination

    @extend_schema(
        operation_id="misdeals_record",
        request=schemas.MisdealIn,
        responses={
            201: schemas.MisdealRecordedOut,
            200: schemas.MisdealRecordedOut,
            **_ERRORS,
        },
    )
    def post(self, request: Request) -> Response:
        """Record a deal that could not be played: bets return, the deck is set aside."""
        recorded = record_misdeal(actor=user_of(request), body=request.data, at=timezone.now())
        return _recorded(misdeal_detail(recorded.misdeal), is_replay=recorded.is_replay)

    @extend_schema(
        operation_id="misdeals_list",
        responses={200: schemas.MisdealOut(many=True), **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        """Misdeals of your property, the latest recorded first."""
        StrictQuery.read(request)
        paginator = KeyPagination()
        page = paginator.paginate_queryset(list_misdeals(user=user_of(request)), request, view=self)
        return paginator.get_paginated_response([misdeal_detail(item) for item in page or []])
