"""Form fields: they turn what a person types into what a request holds.

What that may be is judged where the request is read, and told beside the field by
`tables.web.forms`. Only what no request can hold is told here: an answer left out, an amount or a
local time that cannot be read.
"""

import datetime as dt
import re
import uuid
from collections.abc import Mapping
from typing import Any, Final, cast, get_args

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from games.engine.errors import shown
from tables.errors import FieldError
from tables.property.models import Property
from tables.shapes import CLIENT_ID, ReadAs
from tables.web.amounts import read_amount
from tables.web.bound_fields import LocalTimeBoundField
from tables.web.local_time import TypedTime, typed_time_of, which_name

_WHOLE: Final = re.compile(r"[0-9]{1,9}", re.ASCII)
CHOOSE: Final = ("", _("Choose"))


class TypedInput(forms.TextInput):
    """A line of text into which no browser puts anything of its own."""

    def __init__(self, **attrs: object) -> None:
        unhelped = dict.fromkeys(("autocomplete", "autocapitalize", "autocorrect"), "off")
        super().__init__({**unhelped, "spellcheck": "false", **attrs})


class TypedField(forms.Field):
    """Text as it was typed, without the blanks around it; None when it was left blank."""

    widget: type[forms.Widget] | forms.Widget = TypedInput
    default_error_messages = {"required": _("expected an answer, got nothing")}
    # The property whose currency and clock are meant; the form says which.
    casino: Property

    def to_python(self, value: Any) -> Any:
        """The text."""
        return (value or "").strip() or None


class LongField(TypedField):
    """Text of several lines."""

    def __init__(self, *, length_max: int, **options: Any) -> None:
        super().__init__(**options, widget=forms.Textarea({"rows": 3, "maxlength": length_max}))


class CardsField(TypedField):
    """Cards, apart by spaces."""

    def __init__(self, count: int, **options: Any) -> None:
        self.card_count = count
        super().__init__(**options, widget=TypedInput(**{"data-cards": count}))


class WholeField(TypedField):
    """A whole number; other text stays text, and is told where the request is read."""

    widget = TypedInput(inputmode="numeric")

    def to_python(self, value: Any) -> Any:
        """The number, if it is one."""
        typed = super().to_python(value)
        return int(typed) if typed and _WHOLE.fullmatch(typed) else typed


class AmountField(TypedField):
    """Money in major units, as minor units."""

    widget = TypedInput(inputmode="decimal")

    def clean(self, value: Any) -> Any:
        """Minor units. Raises ValidationError."""
        typed = super().clean(value)
        try:
            return typed and read_amount(typed, place="", casino=self.casino)
        except FieldError as error:
            raise ValidationError(error.message) from error


class ReadField(TypedField):
    """Text that is read as a field of a request is, with the same words for what is wrong.

    `kind` is how, or the type of such a field.
    """

    def __init__(self, kind: Any, **options: Any) -> None:
        super().__init__(**options)
        self.reader = next(part for part in (kind, *get_args(kind)) if isinstance(part, ReadAs))

    def clean(self, value: Any) -> Any:
        """What was read. Raises ValidationError."""
        typed = super().clean(value)
        try:
            return typed and self.reader.read(typed)
        except (ValueError, OverflowError) as error:
            message = f"expected {self.reader.words}, got {shown(typed)}"
            raise ValidationError(message) from error


class ChosenField(forms.ChoiceField):
    """A code out of a list; a code of no list is told where the request is read."""

    default_error_messages = TypedField.default_error_messages

    def to_python(self, value: Any) -> Any:
        """The code; None when none was chosen."""
        return super().to_python(value) or None

    def valid_value(self, value: Any) -> bool:  # noqa: ARG002
        """Any."""
        return True


class OneOfField(ChosenField):
    """A code out of a list, and of no other."""

    def clean(self, value: Any) -> Any:
        """The code. Raises ValidationError."""
        code = super().clean(value)
        known = [str(known) for known, _ in cast("Any", self.choices) if known]
        if code and code not in known:
            raise ValidationError(f"expected one of {', '.join(known)}, got {shown(code)}")
        return code


class LocalTimeInput(forms.TextInput):
    """A date and a time; a choice beside it says which, where the clock showed it twice."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__({"step": 1})

    def value_from_datadict(self, data: Mapping[str, Any], _files: Any, name: str) -> TypedTime:
        """What was typed, and which was chosen."""
        return TypedTime(data.get(name, ""), data.get(which_name(name), ""))

    def format_value(self, value: Any) -> str:
        """The text."""
        return str(value.text)


class LocalTimeField(TypedField):
    """A time on the property's clock, as an instant."""

    widget = LocalTimeInput
    bound_field_class = LocalTimeBoundField

    def prepare_value(self, value: Any) -> TypedTime:
        """An instant, or what was typed, as it stands in the field."""
        if isinstance(value, dt.datetime):
            return typed_time_of(value, casino=self.casino)
        return value or TypedTime("")

    def clean(self, value: TypedTime) -> dt.datetime | None:
        """The instant. Raises ValidationError."""
        if not value.text and not self.required:
            return None
        try:
            return value.instant(place="", casino=self.casino)
        except FieldError as error:
            raise ValidationError(error.message) from error


class ClientIdField(forms.Field):
    """The client-made id of a command: a new one on a blank form, and in place of one that is none.

    Otherwise it stays what it is, so that a form sent again is a replay.
    """

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(required=False, initial=new_client_id)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """The id that stands in the form."""
        return data if data and CLIENT_ID.fullmatch(data) else initial


def new_client_id() -> str:
    """An id that no command has."""
    return str(uuid.uuid4())
