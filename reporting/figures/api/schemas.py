"""The shape of the reports, for the OpenAPI document.

The answers themselves are built by `reporting.figures.api.output`; a test holds them against these.
"""

from typing import Any

from rest_framework import serializers

from games.engine.wagers import Wager
from reporting.figures.metrics import HOLD_ON_HANDLE_DECIMALS, GroupBy
from reporting.worth.shapes import WorthOut
from tables.api.schemas import Shape


class MoneyOut(Shape):
    """What was bet and what the house won of it, in minor units."""

    handle_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()
    hold_on_handle = serializers.DecimalField(
        max_digits=24,
        decimal_places=HOLD_ON_HANDLE_DECIMALS,
        allow_null=True,
        help_text="House win by handle, as a decimal text; null when nothing was bet.",
    )


class LineOut(Shape):
    """The bets of a wager that were settled on one line."""

    line = serializers.CharField()
    hits = serializers.IntegerField()
    handle_minor = serializers.IntegerField()
    house_win_minor = serializers.IntegerField()


class WagerOut(MoneyOut):
    """The bets of one wager."""

    wager = serializers.ChoiceField(choices=[item.value for item in Wager])
    bets = serializers.IntegerField()
    worth = WorthOut()
    lines = LineOut(many=True)


class ComplianceOut(Shape):
    """Rounds by how the dealer's setting compared with the house way."""

    match = serializers.IntegerField()
    deviation = serializers.IntegerField()
    not_recorded = serializers.IntegerField()


class FiguresOut(MoneyOut):
    """All that is counted of some rounds."""

    rounds = serializers.IntegerField()
    late_rounds = serializers.IntegerField(
        help_text="Those recorded after their gaming day had ended."
    )
    decisions = serializers.IntegerField(help_text="Main bets settled.")
    worth = WorthOut()
    compliance = ComplianceOut()
    wagers = WagerOut(many=True)


class PostingsOut(Shape):
    """What was played, what was voided, and the one less the other.

    A void counts at its own time: a day that is over keeps its figures.
    """

    net = FiguresOut()
    play = FiguresOut()
    voids = FiguresOut()


class PerformanceRowOut(PostingsOut):
    """One table, dealer, shift, gaming day or hour."""

    key = serializers.CharField(
        allow_null=True,
        help_text=(
            "Table code, badge, date, or the instant at which the shift or hour begins; "
            "null for rounds without an assigned dealer."
        ),
    )
    # A field's own attribute of that name is a text; the declared field replaces it.
    label = serializers.CharField()  # type: ignore[assignment]


class PerformanceReportOut(Shape):
    """The figures of a range of gaming days."""

    to = serializers.DateField()
    group_by = serializers.ChoiceField(choices=[item.value for item in GroupBy])
    currency = serializers.CharField(help_text="ISO 4217 code of every amount.")
    minor_digits = serializers.IntegerField(
        help_text="How many digits of every amount are behind the point."
    )
    rolled_up_at = serializers.DateTimeField(allow_null=True)
    is_current = serializers.BooleanField(
        help_text="False while something that was entered is not yet in the figures."
    )
    rows = PerformanceRowOut(many=True)
    totals = PostingsOut()

    def get_fields(self) -> dict[str, Any]:
        """Add `from`, which is a reserved word of the language."""
        return {"from": serializers.DateField(), **super().get_fields()}
