"""Requests and answers as typed structures, each declared once (ADR 12).

They decode, encode, and describe themselves to the OpenAPI document. Decoding tells every fault
with its place. Services take these structures and the engine's, never what a client sent.
"""

from pydantic.json_schema import SkipJsonSchema

from games.engine.errors import shown
from tables.shapes.answers import Answer, BuiltApart, From, Page
from tables.shapes.fields import (
    CLIENT_ID,
    CLOCK_AHEAD_MAX,
    NOTE_LENGTH_MAX,
    REASON_LENGTH_MAX,
    AsItIs,
    ClientId,
    ClockTime,
    Day,
    Instant,
    Moment,
    PastInstant,
    ReadAs,
    choice,
    code,
    parse_instant,
    text,
    whole_number,
)
from tables.shapes.requests import Request, Shape, place_of

__all__ = [
    "CLIENT_ID",
    "CLOCK_AHEAD_MAX",
    "NOTE_LENGTH_MAX",
    "REASON_LENGTH_MAX",
    "Answer",
    "AsItIs",
    "BuiltApart",
    "ClientId",
    "ClockTime",
    "Day",
    "From",
    "Instant",
    "Moment",
    "Page",
    "PastInstant",
    "ReadAs",
    "Request",
    "Shape",
    "SkipJsonSchema",
    "choice",
    "code",
    "parse_instant",
    "place_of",
    "shown",
    "text",
    "whole_number",
]
