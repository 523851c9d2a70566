"""Rounds, voids and misdeals over REST."""

from typing import Annotated, Any

from django.db.models import QuerySet
from django.utils import timezone
from pydantic import Field
from rest_framework.request import Request
from rest_framework.response import Response

from games.engine.settlement import Compliance, settlement_as_dict
from tables.permissions import Command
from tables.property.models import User
from tables.rounds.models import Misdeal, Round
from tables.rounds.reader import round_content
from tables.rounds.selectors import RoundFilter, get_round_for, list_misdeals, list_rounds
from tables.rounds.services.misdeals import record_misdeal
from tables.rounds.services.rounds import preview_round, record_round
from tables.rounds.shapes import (
    MisdealOut,
    PreviewOut,
    RoundDetailOut,
    RoundOut,
    RoundRequest,
    TableCode,
)
from tables.shapes import Day, Instant, text
from tables.web.api import Api, CommandApi, ListApi, ReadApi, user_of
from tables.web.paging import PagedQuery


class RoundQuery(PagedQuery):
    """What a list of rounds may be narrowed to."""

    id: Annotated[str, text(64)] | None = Field(default=None, description="client-made id")
    table: TableCode | None = Field(default=None, description="table code")
    dealer: Annotated[str, text(16)] | None = Field(default=None, description="dealer badge")
    gaming_day: Day | None = None
    shift: Annotated[str, text(32)] | None = Field(default=None, description="shift name")
    compliance: Compliance | None = None
    is_voided: bool | None = None
    occurred_from: Instant | None = Field(default=None, description="from this time on")
    occurred_until: Instant | None = Field(default=None, description="before this time")

    def as_filter(self) -> RoundFilter:
        """The parameters as a selector takes them."""
        narrowed = self.model_dump(exclude={"cursor", "limit", "id"})
        return RoundFilter(round_id=self.id, **narrowed)


class RoundsApi(ListApi, CommandApi):
    """Rounds of your property, the latest recorded first."""

    commands = {"GET": Command.ROUND_READ, "POST": Command.ROUND_RECORD}
    operation_ids = {"GET": "rounds_list", "POST": "rounds_record"}
    query = RoundQuery
    row = made = RoundOut
    service = record_round

    def rows(self, user: User, query: RoundQuery) -> QuerySet[Round]:
        """The rounds a user may see."""
        return list_rounds(user=user, narrowed_to=query.as_filter())


class RoundPreviewApi(Api):
    """Settle without storing."""

    commands = {"POST": Command.ROUND_PREVIEW}
    request_shape = RoundRequest
    answers = {200: PreviewOut}

    def post(self, request: Request) -> Response:
        """What recording this round would answer; nothing is stored.

        Every seat sent must be set: the dealer's house way is not for the table's eyes before
        that (BP-5.10).
        """
        actor = user_of(request)
        asked = RoundRequest.read(request.data, actor=actor, now=timezone.now())
        settlement = settlement_as_dict(preview_round(actor=actor, request=asked))
        return Response(PreviewOut.model_validate({"settlement": {"id": asked.id, **settlement}}))


class RoundApi(ReadApi):
    """A round by its number at its table, with its hands and its void."""

    commands = {"GET": Command.ROUND_READ}
    answer = RoundDetailOut

    def find(self, user: User, **address: Any) -> RoundDetailOut:
        """The round of an address."""
        played = get_round_for(user=user, table_code=address["table"], sequence=address["sequence"])
        return RoundDetailOut.with_hands(played, round_content(played))


class MisdealsApi(ListApi, CommandApi):
    """Misdeals of your property, the latest recorded first."""

    commands = {"GET": Command.MISDEAL_READ, "POST": Command.MISDEAL_RECORD}
    operation_ids = {"GET": "misdeals_list", "POST": "misdeals_record"}
    row = made = MisdealOut
    service = record_misdeal

    def rows(self, user: User, query: PagedQuery) -> QuerySet[Misdeal]:  # noqa: ARG002
        """The misdeals a user may see."""
        return list_misdeals(user=user)
