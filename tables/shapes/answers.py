"""What clients get: structures that say where a record holds their fields."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Self, TypeAlias, TypeVar, get_args, get_origin

from pydantic.fields import FieldInfo

from tables.shapes.fields import AsItIs
from tables.shapes.requests import Shape

Item = TypeVar("Item")


class BuiltApart:
    """Marks a field of an answer that no attribute of its record holds."""


@dataclass(frozen=True, slots=True)
class From:
    """Marks a field of an answer by where a record holds it: `From("round.table.code")`.

    `From("")` is the record itself. What leads through nothing is nothing: the badge of no dealer
    is None.
    """

    path: str


class Answer(Shape):
    """What a client gets."""

    @classmethod
    def of(cls, record: Any) -> Self:
        """The answer of a record: each field from the attribute of its name, or as `From` says."""
        return cls(**cls.parts_of(record))

    @classmethod
    def parts_of(cls, record: Any) -> dict[str, Any]:
        """The fields that a record holds; those marked otherwise are for who builds the answer."""
        return {name: read(record) for name, read in _readers_of(cls)}


_Reader: TypeAlias = Callable[[Any], Any]


@cache
def _readers_of(answer: type[Answer]) -> tuple[tuple[str, _Reader], ...]:
    return tuple(
        (name, _reader(name, field))
        for name, field in answer.model_fields.items()
        if not any(isinstance(mark, BuiltApart) for mark in field.metadata)
    )


def _reader(name: str, field: FieldInfo) -> _Reader:
    paths = [mark.path for mark in field.metadata if isinstance(mark, From)]
    path = paths[0] if paths else name
    names = path.split(".") if path else []
    is_as_it_is = any(isinstance(mark, AsItIs) for mark in field.metadata)
    answer = None if is_as_it_is else _answers_in(field.annotation)

    def read(record: Any) -> Any:
        for each in names:
            record = None if record is None else getattr(record, each, None)
        return record if record is None or answer is None else answer(record)

    return read


def _answers_in(annotation: Any) -> _Reader | None:
    """How a value becomes a field that holds an answer, or several."""
    if isinstance(annotation, type) and issubclass(annotation, Answer):
        return annotation.of
    readers = [reader for of in get_args(annotation) if (reader := _answers_in(of))]
    if not readers:
        return None
    one = readers[0]
    if get_origin(annotation) is not list:
        return one
    return lambda values: [one(value) for value in values]


class Page(Answer, Generic[Item]):
    """A part of a list, with the addresses of its neighbours."""

    next: str | None
    previous: str | None
    results: list[Item]
