"""Forms: Django's own, with every refusal of a request told beside the field that it came from."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.forms.renderers import DjangoTemplates
from django.utils.translation import gettext_lazy as _

from tables.errors import DomainError, FaultsError, IdempotencyConflictError
from tables.permissions import property_of
from tables.property.models import Property, User
from tables.property.selectors import list_authorities
from tables.recording import CommandRequest, Recorded, RecordedCommand
from tables.shapes import REASON_LENGTH_MAX
from tables.web.bound_fields import PageBoundField
from tables.web.form_fields import CHOOSE, ChosenField, ClientIdField, LongField

DIFFERS: Final = _("differs from what was recorded")
Asked = TypeVar("Asked", bound=CommandRequest)
Record = TypeVar("Record")


class PageRenderer(DjangoTemplates):
    """Draws a field with its label, its faults and its hint."""

    field_template_name = "tables/field.html"


# One for all forms: it keeps the templates that it has read.
RENDERER: Final = PageRenderer()


class PlacesErrors(forms.Form):
    """Tells the refusal of a request: each fault at its field, the others at the top.

    A form that is not named as its request is says in `field_at` what came from where.
    """

    status = 200
    # What the id was used for, after a conflict.
    earlier: object = None

    def bound_fields(self) -> list[forms.BoundField]:
        """The fields that a person sees, in the order of the form."""
        return self.visible_fields()

    @property
    def faulty(self) -> list[forms.BoundField]:
        """The fields with which something is wrong, in the order of the form."""
        return [bound for bound in self.bound_fields() if bound.errors]

    def field_at(self, place: str) -> forms.BoundField | None:
        """The field that a place of the request came from, if a person can see it."""
        return next((bound for bound in self.visible_fields() if bound.name == place), None)

    def in_words(self, message: str) -> str:
        """A message with places of the request named as the form names them."""
        return message

    def refuse(self, error: DomainError) -> None:
        """Tell a refusal. A field that could not be read has been told already."""
        told = {bound.html_name for bound in self.faulty}
        self.status = error.status
        faults = error.faults if isinstance(error, FaultsError) else (error,)
        for fault in faults:
            place = fault.detail.get("place", "") if isinstance(fault, DomainError) else fault.place
            bound = self.field_at(str(place))
            if bound is None:
                _tell(self, None, self.in_words(fault.message))
            elif bound.html_name not in told:
                is_conflict = isinstance(fault, IdempotencyConflictError)
                message = DIFFERS if is_conflict else self.in_words(fault.message)
                _tell(bound.form, bound.name, message)
        if isinstance(error, IdempotencyConflictError):
            self.earlier = error.earlier
            _tell(self, None, self.in_words(error.message))

    @contextmanager
    def placing_errors(self) -> Iterator[None]:
        """Tell what is refused within."""
        try:
            yield
        except DomainError as error:
            self.refuse(error)


class PageForm(PlacesErrors):
    """A form of a page; `focus` names the field that has it while nothing is wrong."""

    bound_field_class = PageBoundField
    default_renderer = RENDERER
    use_required_attribute = False
    focus = ""

    def __init__(self, data: Any = None, *, casino: Property, **options: Any) -> None:
        super().__init__(data, **options)
        for field in self.fields.values():
            field.casino = casino  # type: ignore[attr-defined]  # of those that ask

    def put_focus(self) -> None:
        """Put the focus on the first faulty field, or where it is while nothing is wrong."""
        usual = [bound for bound in self.bound_fields() if bound.html_name == self.focus]
        for bound in (self.faulty or usual)[:1]:
            bound.field.is_focused = True  # type: ignore[attr-defined]  # read by PageBoundField


class CommandForm(PageForm):
    """The form of a recorded command. Its fields are named as those of the request."""

    id = ClientIdField()

    def __init__(self, data: Any = None, *, user: User, **options: Any) -> None:
        super().__init__(data, casino=property_of(user), **options)
        self.user = user

    def request_data(self) -> dict[str, Any]:
        """The request as far as it could be read; what was left blank is left out."""
        return {
            name: value.isoformat() if isinstance(value, dt.datetime) else value
            for name, value in self.cleaned_data.items()
            if value is not None
        }

    def read(self, shape: type[Asked], *, at: dt.datetime, **address: Any) -> Asked | None:
        """The request; None when something is wrong with it, all of which the form then tells."""
        is_valid = self.is_valid()
        with self.placing_errors():
            request = shape.read(self.request_data(), actor=self.user, now=at, **address)
            if is_valid:
                return request
            self.status = DomainError.status
        return None

    def send(
        self, service: RecordedCommand[Any, Record], *, at: dt.datetime, **address: Any
    ) -> Recorded[Record] | None:
        """Record the command; None when it was refused, which the form then tells."""
        if not self.is_valid():
            self.read(service.request, at=at, **address)
            return None
        try:
            return service.send(actor=self.user, data=self.request_data(), at=at, **address)
        except DomainError as error:
            self.refuse(error)
            return None


class GroundsForm(CommandForm):
    """Why something irregular is recorded, and on whose authority (BP-8.4)."""

    reason = LongField(label=_("What happened"), length_max=REASON_LENGTH_MAX)
    authority = ChosenField(label=_("Authorised by"))

    def __init__(self, data: Any = None, *, user: User, **options: Any) -> None:
        super().__init__(data, user=user, **options)
        people = [
            (person.get_username(), f"{person.get_username()} ({person.get_role_display()})")
            for person in list_authorities(user=user)
        ]
        cast("ChosenField", self.fields["authority"]).choices = [CHOOSE, *people]


def _tell(form: forms.BaseForm, name: str | None, message: Any) -> None:
    """Tell one thing once."""
    if message not in form.errors.get(name or NON_FIELD_ERRORS, ()):
        form.add_error(name, message)
