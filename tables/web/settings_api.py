"""Addresses of what a casino is set up with: records of a kind, and the command that adds one."""

from collections.abc import Callable
from typing import Any, ClassVar, cast

from django.db.models import QuerySet
from django.http.response import HttpResponseBase

from tables.changes import ChangeRequest, Settings
from tables.permissions import Command
from tables.property.models import User
from tables.recording import RecordedCommand
from tables.web.api import CommandApi, ListApi
from tables.web.queries import Query


class SettingsApi(ListApi, CommandApi):
    """Answers GET with all records of a kind, POST by adding or changing one."""

    query = Query
    select: ClassVar[Callable[..., QuerySet[Any]]]

    def rows(self, user: User, query: Query) -> QuerySet[Any]:  # noqa: ARG002
        """The records a user may see."""
        return type(self).select(user=user)


def settings_api(
    service: RecordedCommand[Any, Any],
    made: type[Settings],
    select: Callable[..., QuerySet[Any]],
) -> Callable[..., HttpResponseBase]:
    """The view of an address that lists records as they are set up, and takes a command."""
    view = type(
        f"{made.__name__.removesuffix('Out')}Api",
        (SettingsApi,),
        {
            "__doc__": select.__doc__,
            "commands": {"GET": Command.SETTINGS_READ, "POST": service.command},
            "service": service,
            "operation_ids": {"POST": f"settings_{service.command}"},
            "row": made,
            "made": made,
            # A list of one is changed, not added to.
            "made_status": 200 if issubclass(service.request, ChangeRequest) else 201,
            "select": staticmethod(select),
        },
    )
    return cast("type[SettingsApi]", view).as_view()
