"""Query parameters, read by serializers that refuse what they do not know."""

import datetime as dt
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from games.engine.settlement import Compliance
from tables.rounds.selectors import RoundFilter
from tables.submissions import parse_instant

PAGING: frozenset[str] = frozenset({"cursor", "limit", "format"})


class StrictQuery(serializers.Serializer[Any]):
    """Query parameters of one view; an unknown one is an error, not silence."""

    @classmethod
    def read(cls, request: Request) -> dict[str, Any]:
        """The validated parameters. Raises ValidationError naming the parameter."""
        query = cls(data=request.query_params)
        unknown = set(request.query_params) - set(query.fields) - PAGING
        if unknown:
            expected = ", ".join(sorted(query.fields))
            name = min(unknown)
            raise serializers.ValidationError({name[:64]: f"unknown; expected {expected}"})
        query.is_valid(raise_exception=True)
        return dict(query.validated_data)


class InstantField(serializers.DateTimeField):
    """A time with its offset; a time of nowhere in particular is refused."""

    def to_internal_value(self, value: Any) -> dt.datetime:
        """The instant in UTC. Raises ValidationError."""
        try:
            return parse_instant(value)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from error


class RoundQuery(StrictQuery):
    """What a list of rounds may be narrowed to."""

    id = serializers.CharField(max_length=64, required=False, help_text="client-made id")
    table = serializers.CharField(max_length=16, required=False, help_text="table code")
    dealer = serializers.CharField(max_length=16, required=False, help_text="dealer badge")
    gaming_day = serializers.DateField(required=False)
    shift = serializers.CharField(max_length=32, required=False, help_text="shift name")
    compliance = serializers.ChoiceField([item.value for item in Compliance], required=False)
    is_voided = serializers.BooleanField(required=False, allow_null=True, default=None)
    occurred_from = InstantField(required=False, help_text="from this time on")
    occurred_until = InstantField(required=False, help_text="before this time")

    @classmethod
    def read_filter(cls, request: Request) -> RoundFilter:
        """The parameters as a selector takes them."""
        values = cls.read(request)
        values["round_id"] = values.pop("id", None)
        return RoundFilter(**values)


class ShiftQuery(StrictQuery):
    """What a list of shifts may be narrowed to."""

    gaming_day = serializers.DateField(required=False)


class AssignmentQuery(StrictQuery):
    """Who dealt: at a table, at a time."""

    table = serializers.CharField(max_length=16, required=False, help_text="table code")
    at = InstantField(required=False, help_text="who dealt at this time")
