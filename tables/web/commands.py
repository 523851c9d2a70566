"""The page of a recorded command: a form, what it leads to, and what was wrong with it."""

from collections.abc import Callable
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from tables.recording import Recorded, RecordedCommand
from tables.web.access import user_of
from tables.web.forms import CommandForm, PageForm
from tables.web.rendering import page, see_other

Form = TypeVar("Form", bound=CommandForm)
Record = TypeVar("Record")
Done = Callable[[Recorded[Record]], HttpResponse]


def command_page(
    request: HttpRequest,
    form: Callable[..., Form],
    service: RecordedCommand[Any, Record],
    *,
    show: str | Callable[[Form], HttpResponse],
    done: Done[Record],
    **address: Any,
) -> HttpResponse:
    """GET shows the form; POST records what it says, or shows it again with all that is wrong.

    `show` is a template, which gets the form and the address, or what answers with the form.
    """
    filled = form(posted(request), user=user_of(request))
    recorded = filled.send(service, at=timezone.now(), **address) if filled.is_bound else None
    if recorded is not None:
        return done(recorded)
    return form_page(request, show, filled, **address) if isinstance(show, str) else show(filled)


def posted(request: HttpRequest) -> Any:
    """What a form is bound to: nothing before it was sent."""
    return request.POST if request.method == "POST" else None


def form_page(
    request: HttpRequest, template: str, form: PageForm, **context: object
) -> HttpResponse:
    """A page with a form, the focus where it is wanted, and the status of the form."""
    form.put_focus()
    return page(request, template, {"form": form, **context}, status=form.status)


def leads_to(name: str, *args: object, note: str = "recorded") -> Done[Any]:
    """On to a page that shows what was done, which says so, or that it was done before."""
    return lambda recorded: see_other(name, *args, note="replayed" if recorded.is_replay else note)
