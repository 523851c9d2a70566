"""What the list of rounds may be narrowed to."""

from typing import Any, Final

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from tables.floor.selectors.tables import list_tables
from tables.rounds.models import Round
from tables.rounds.selectors import RoundFilter, list_rounds
from tables.shapes import ClientId, Day, text
from tables.web.access import user_of
from tables.web.filters import DAY_INPUT, ListFilters, LocalTime, OneOf, Read
from tables.web.words import WORDS

_ALL: Final = ("", _("All"))
_VOIDED: Final = {"no": False, "yes": True}
_VOIDED_CHOICES: Final = [_ALL, ("no", _("Not voided")), ("yes", _("Voided"))]
_COMPLIANCE_CHOICES: Final = [_ALL, *WORDS["compliance"].items()]


class RoundFilters(ListFilters):
    """Filters named as the address has them; `field_name` is that of `RoundFilter`."""

    @classmethod
    def get_filters(cls) -> dict[str, Any]:
        """All of them; not declared as attributes, because `from` is no name in Python."""
        return {
            "table": OneOf("table", label=_("Table")),
            "gaming_day": Read("gaming_day", label=_("Gaming day"), kind=Day, widget=DAY_INPUT),
            "dealer": Read("dealer", label=_("Dealer badge"), kind=text(16)),
            "shift": Read("shift", label=_("Shift"), kind=text(32)),
            "compliance": OneOf("compliance", label=_("House way"), choices=_COMPLIANCE_CHOICES),
            "voided": OneOf("is_voided", label=_("Voided"), choices=_VOIDED_CHOICES),
            "from": LocalTime("occurred_from", label=_("From")),
            "until": LocalTime("occurred_until", label=_("Until")),
            "id": Read("round_id", label=_("Client's id"), kind=ClientId),
        }

    def __init__(self, request: HttpRequest) -> None:
        user = user_of(request)
        super().__init__(request, list_rounds(user=user, narrowed_to=RoundFilter()))
        codes = [table.code for table in list_tables(user=user)]
        self.filters["table"].extra["choices"] = [_ALL, *zip(codes, codes, strict=True)]

    def filter_queryset(self, _queryset: QuerySet[Round]) -> QuerySet[Round]:
        """The rounds, narrowed by the one selector of rounds."""
        asked = {self.filters[n].field_name: v for n, v in self.form.cleaned_data.items()}
        asked["is_voided"] = _VOIDED.get(asked["is_voided"])
        return list_rounds(user=user_of(self.request), narrowed_to=RoundFilter(**asked))
