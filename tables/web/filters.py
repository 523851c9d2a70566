"""Lists as pages: what they may be narrowed to, as a form that is sent by GET, and their pages."""

from functools import cached_property
from typing import Any, Final

import django_filters
from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest

from tables.errors import DomainError
from tables.web.form_fields import LocalTimeField, OneOfField, ReadField
from tables.web.forms import PageForm
from tables.web.local_time import which_name
from tables.web.paging import Page, list_page
from tables.web.queries import refuse_unknown
from tables.web.rendering import casino_of

DAY_INPUT: Final = forms.TextInput({"type": "date"})


class OneOf(django_filters.Filter):  # type: ignore[misc]  # comes without types
    """By a code out of `choices`."""

    field_class = OneOfField


class Read(django_filters.Filter):  # type: ignore[misc]
    """By text of a `kind` that a request may hold."""

    field_class = ReadField


class LocalTime(django_filters.Filter):  # type: ignore[misc]
    """By an instant, typed on the property's clock."""

    field_class = LocalTimeField


class ListFilters(django_filters.FilterSet):  # type: ignore[misc]
    """The filters of a list, and the page of it that they and the address ask for.

    A parameter that is unknown, repeated or cannot be read narrows nothing: it is told.
    """

    class Meta:
        form = PageForm

    def __init__(self, request: HttpRequest, rows: QuerySet[Any]) -> None:
        super().__init__(request.GET, rows, request=request)

    @cached_property
    def form(self) -> Any:
        """The filters as fields."""
        return self.get_form_class()(self.data, casino=casino_of(self.request))

    @cached_property
    def page(self) -> Page[Any]:
        """The page asked for; an empty one when something is wrong, which the form tells."""
        whichs = [
            which_name(name)
            for name, narrowed in self.filters.items()
            if isinstance(narrowed, LocalTime)
        ]
        found: Page[Any] = Page(())
        with self.form.placing_errors():
            refuse_unknown(self.data, (*self.filters, *whichs, "cursor"))
            if self.form.is_valid():
                return list_page(self.request, self.qs)
            self.form.status = DomainError.status
        return found
