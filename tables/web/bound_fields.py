"""Fields of a form as a page draws them: named, described, and one of them with the focus."""

from typing import Any, cast

from django import forms
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from tables.web.local_time import TypedTime, which_name


class PageBoundField(forms.BoundField):
    """A field whose id is its name; `{id}_fault` and `{id}_hint` describe it."""

    choices: tuple[tuple[str, str], ...] = ()

    @property
    def auto_id(self) -> str:
        """The name; none for what is hidden, of which a page may have many."""
        return "" if self.is_hidden else self.html_name

    @property
    def full_label(self) -> str:
        """The label as it reads apart from its row."""
        row = getattr(self.form, "row_label", "")
        return f"{row}: {self.label}" if row else str(self.label)

    @property
    def card_count(self) -> int:
        """How many cards it holds; 0 for none."""
        return getattr(self.field, "card_count", 0)

    @property
    def aria_describedby(self) -> str:
        """What describes it, its faults first."""
        parts = {"fault": self.errors, "hint": self.help_text, "count": self.card_count}
        described = [f"{self.auto_id}_{part}" for part, is_there in parts.items() if is_there]
        return " ".join([*described, "notation"] if self.card_count else described)

    def build_widget_attrs(
        self, attrs: dict[str, Any], widget: forms.Widget | None = None
    ) -> dict[str, Any]:
        """As usual; with the focus if `PageForm.put_focus` has put it here."""
        built = super().build_widget_attrs(attrs, widget)
        if self.auto_id:
            built.setdefault("id", self.auto_id)
        if getattr(self.field, "is_focused", False):
            built["autofocus"] = True
        return built


class LocalTimeBoundField(PageBoundField):
    """A local time; where the clock has shown it twice, with the choice between the two."""

    def __init__(self, form: forms.BaseForm, field: Any, name: str) -> None:
        super().__init__(form, field, name)
        clock = _("Clock of %s.") % field.casino.zone
        self.help_text = f"{self.help_text} {clock}".strip()

    @property
    def choices(self) -> tuple[tuple[str, str], ...]:  # type: ignore[override]
        """The two to choose from, or nothing."""
        return self._typed.choices(casino=cast("Any", self.field).casino)

    @property
    def which_name(self) -> str:
        """The name of the choice."""
        return which_name(self.html_name)

    @property
    def which(self) -> SafeString:
        """The choice as a field of its own."""
        select = forms.Select(choices=[("", _("Choose")), *self.choices])
        return select.render(self.which_name, self._typed.which, {"id": self.which_name})

    @property
    def _typed(self) -> TypedTime:
        return cast("TypedTime", self.value())
