"""Views of the API: declared by what they read or do; parsing, paging and answering is told here.

A view names its command, its structures and one selector or recorded command. An unknown or
repeated parameter, and a body that nothing reads, are errors and not silence.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final, NoReturn, cast

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from django.utils import timezone
from pydantic import BaseModel, Field, RootModel, create_model
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request as HttpRequest
from rest_framework.response import Response
from rest_framework.views import APIView

from tables.errors import FieldError
from tables.permissions import Command
from tables.property.models import User
from tables.recording import CommandRequest, RecordedCommand
from tables.shapes import Answer, Page
from tables.trail.services import note_not_permitted
from tables.web.paging import PagedQuery, page_of
from tables.web.queries import Query, decode_query

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


def user_of(request: HttpRequest) -> User:
    """The signed-in user; the role check has refused everyone else."""
    return cast("User", request.user)


class ShapeRenderer(JSONRenderer):
    """Writes typed structures by their own encoder, and the rest as the framework does."""

    def render(self, data: Any, *args: Any, **kwargs: Any) -> bytes:
        """The answer as JSON."""
        if isinstance(data, BaseModel):
            return data.model_dump_json(by_alias=True).encode()
        return super().render(data, *args, **kwargs)


class Api(APIView):
    """A view with declared commands, a strict query string, and no body that nothing reads."""

    renderer_classes: Sequence[type[BaseRenderer]] = [ShapeRenderer]
    commands: ClassVar[Mapping[str, Command]] = {}
    # Names in the OpenAPI document, by method, where the path does not give a good one.
    operation_ids: ClassVar[Mapping[str, str]] = {}
    query: ClassVar[type[Query]] = Query
    asked: Query

    def initial(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Check who is asking, and what for."""
        super().initial(request, *args, **kwargs)
        is_read = request.method in _SAFE
        self.asked = decode_query(self.query if is_read else Query, request.query_params)
        if is_read and request.META.get("CONTENT_LENGTH") not in {None, "", "0"}:
            raise FieldError(f"expected no body with {request.method}", place="")

    def permission_denied(
        self, request: HttpRequest, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        """Refuse; a refused command leaves a line in the trail."""
        command = self.commands.get(request.method or "")
        if command and request.method not in _SAFE and request.user.is_authenticated:
            note_not_permitted(
                user=user_of(request), command=command, at=timezone.now(), address=self.kwargs
            )
        super().permission_denied(request, message, code)


class ReadApi(Api):
    """Answers GET with what `find` gives."""

    answer: ClassVar[type[BaseModel]]

    def get(self, request: HttpRequest, **address: Any) -> Response:
        """Read one thing."""
        return Response(self.find(user_of(request), **address))

    def find(self, user: User, **address: Any) -> BaseModel:
        """What is asked for, as `answer`. `self.asked` is the query."""
        raise NotImplementedError


class ListApi(Api):
    """Answers GET with the rows that a selector gives, a page at a time or, if few, all of them."""

    row: ClassVar[Any]
    query: ClassVar[type[Query]] = PagedQuery

    def get(self, request: HttpRequest) -> Response:
        """List rows."""
        rows = self.rows(user_of(request), self.asked)
        if not isinstance(self.asked, PagedQuery):
            return Response(self.answer()([self.row.of(row) for row in rows]))
        page = page_of(rows, self.asked)
        return Response(
            self.answer()(
                next=page.address(request, page.older),
                previous=page.address(request, page.newer),
                results=[self.row.of(row) for row in page.rows],
            )
        )

    def rows(self, user: User, query: Any) -> QuerySet[Any]:
        """The rows, in their order."""
        raise NotImplementedError

    @classmethod
    def answer(cls) -> type[Any]:
        """The structure of the list."""
        name = cls.row.__name__.removesuffix("Out")
        if issubclass(cls.query, PagedQuery):
            return _shape(f"{name}Page", Page[cls.row])  # type: ignore[name-defined]
        return _shape(f"{name}List", RootModel[list[cls.row]])  # type: ignore[name-defined]


class CommandApi(Api):
    """Answers POST with what a recorded command has made, or with its first answer again."""

    service: ClassVar[RecordedCommand[Any, Any]]
    made: ClassVar[Any]
    made_status: ClassVar[int] = 201

    def post(self, request: HttpRequest, **address: Any) -> Response:
        """Carry out the command, once."""
        recorded = self.service.send(
            actor=user_of(request), data=request.data, at=timezone.now(), **address
        )
        headers = {"Replayed": "true"} if recorded.is_replay else {}
        if recorded.record is None:
            return Response(status=204, headers=headers)
        return Response(
            self.answer_of(recorded.record, is_replay=recorded.is_replay),
            status=200 if recorded.is_replay else self.made_status,
            headers=headers,
        )

    def answer_of(self, record: Any, *, is_replay: bool) -> BaseModel:
        """A record as it is answered."""
        parts = dict(record) if isinstance(record, Answer) else self.made.parts_of(record)
        return self.made_shape()(**parts, replayed=is_replay)

    @classmethod
    def made_shape(cls) -> type[BaseModel]:
        """The structure of the answer: the record, and whether this repeats the first answer."""
        name = f"{cls.made.__name__.removesuffix('Out')}RecordedOut"
        return _shape(name, cls.made, replayed=(bool, _REPLAYED))

    @classmethod
    def request_shape(cls) -> type[CommandRequest]:
        """The structure of the body."""
        return cls.service.request


def command_api(
    service: RecordedCommand[Any, Any],
    made: type[Answer],
    *,
    made_status: int = 201,
    name: str = "",
) -> Callable[..., HttpResponseBase]:
    """The view of an address that only takes a command."""
    view = type(
        f"{service.command.title().replace('_', '')}Api",
        (CommandApi,),
        {
            "__doc__": service.words,
            "commands": {"POST": service.command},
            "service": service,
            "made": made,
            "made_status": made_status,
            "operation_ids": {"POST": name} if name else {},
        },
    )
    return cast("type[CommandApi]", view).as_view()


_REPLAYED: Final = Field(description="true when this repeats the first answer")
_shapes: Final[dict[str, type[BaseModel]]] = {}


def _shape(name: str, base: Any, **fields: Any) -> type[BaseModel]:
    """A structure under a name of its own; the same one each time."""
    if name not in _shapes:
        _shapes[name] = create_model(name, __base__=base, __doc__=base.__doc__, **fields)
    return _shapes[name]
