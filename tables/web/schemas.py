"""The shapes of requests and answers, for the OpenAPI document.

Bodies are checked by `tables.submissions` and the engine, whose errors name the place; answers are
built by `tables.web.output`. Tests hold both against these.
"""

from typing import Any

from rest_framework import serializers

from games.engine.outcomes import Event, Outcome
from games.engine.settlement import Compliance
from tables.property.models import Role
from tables.rounds.models import Misdeal, RoundVoid

Shape = serializers.Serializer[Any]


def _words(enum: Any) -> list[str]:
    return [item.value for item in enum]


class ErrorShape(Shape):
    """Every error."""

    code = serializers.CharField(help_text="stable; programs go by this")
    message = serializers.CharField(help_text="what was expected, for a person")
    detail = serializers.DictField(help_text="`place` names the field where there is one")


class BetsIn(Shape):
    """Whole numbers of minor units."""

    main = serializers.IntegerField(min_value=1)
    dealer_break_bonus = serializers.IntegerField(min_value=1, required=False)
    break_bonus = serializers.IntegerField(min_value=1, required=False)


class SeatIn(Shape):
    """One seat's cards, setting and bets."""

    seat = serializers.IntegerField(min_value=1, max_value=6)
    cards = serializers.CharField(help_text="seven cards, such as `As Kd Th 9c 7d 5s Jk`")
    low = serializers.CharField(help_text="two of them")
    high = serializers.CharField(help_text="three of them")
    bets = BetsIn()


class DealerIn(Shape):
    """The dealer's cards, and the setting as made; without it, it counts as not recorded."""

    cards = serializers.CharField()
    low = serializers.CharField(required=False, allow_null=True)
    high = serializers.CharField(required=False, allow_null=True)


class HandsShape(Shape):
    """The hands of a round."""

    dealer = DealerIn()
    seats = serializers.ListField(child=SeatIn(), min_length=1, max_length=6)


class RoundIn(HandsShape):
    """A round to settle. The id is made by the client: sending it again repeats the answer."""

    id = serializers.CharField(max_length=64)
    table = serializers.CharField(help_text="table code")
    occurred_at = serializers.DateTimeField()


class BetOut(Shape):
    """What became of one bet; amounts in minor units, the player's view."""

    amount_minor = serializers.IntegerField()
    outcome = serializers.ChoiceField(_words(Outcome))
    net_minor = serializers.IntegerField()
    line = serializers.CharField(
        required=False, allow_null=True, help_text="pay-table line of a side bet"
    )
    limit_breach = serializers.CharField(required=False)
    uncapped_net_minor = serializers.IntegerField(
        required=False, help_text="what a win was before a cap (BP-8.3)"
    )


class ResetOut(Shape):
    """The house way that a fouled hand was set to, where the ruleset resets fouls."""

    low = serializers.CharField()
    high = serializers.CharField()


class SeatOut(Shape):
    """What became of one seat."""

    seat = serializers.IntegerField()
    event = serializers.ChoiceField(_words(Event))
    low = serializers.CharField()
    high = serializers.CharField()
    foul = serializers.BooleanField()
    reset_to = ResetOut(allow_null=True)
    lucky_break = serializers.BooleanField()
    main = BetOut()
    dealer_break_bonus = BetOut(required=False)
    break_bonus = BetOut(required=False)
    net_minor = serializers.IntegerField()


class SettingOut(Shape):
    """A setting: what its two hands are, and of which cards."""

    low = serializers.CharField()
    high = serializers.CharField()
    low_cards = serializers.CharField()
    high_cards = serializers.CharField()


class DealerOut(Shape):
    """The dealer's hand as settled, beside what was required and what was set."""

    step = serializers.IntegerField(min_value=1, max_value=7)
    rule = serializers.CharField(help_text="rule id of the step")
    words = serializers.CharField(help_text="the step in words")
    low = serializers.CharField()
    high = serializers.CharField()
    low_cards = serializers.CharField()
    high_cards = serializers.CharField()
    discards = serializers.CharField()
    # The framework's fields have an attribute of this name; a declared field is never that one.
    required = SettingOut(help_text="by the house way")  # type: ignore[assignment]
    as_set = SettingOut(allow_null=True, help_text="by the dealer; null when not recorded")
    qualifies = serializers.BooleanField()
    lucky_break = serializers.BooleanField()
    compliant = serializers.BooleanField(allow_null=True)
    compliance = serializers.ChoiceField(_words(Compliance))


class SettlementOut(Shape):
    """A settled round; the same object as the `settle` command writes."""

    id = serializers.CharField()
    ruleset = serializers.CharField()
    is_void = serializers.BooleanField()
    dealer = DealerOut()
    seats = SeatOut(many=True)
    house_net_minor = serializers.IntegerField()


class WarningOut(Shape):
    """Something that stands but wants a look."""

    code = serializers.CharField()
    message = serializers.CharField()
    place = serializers.CharField()


class RoundOut(Shape):
    """A recorded round."""

    id = serializers.CharField()
    table = serializers.CharField()
    sequence = serializers.IntegerField(help_text="the number at its table, without gaps")
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    shift = serializers.CharField()
    dealer_badge = serializers.CharField(allow_null=True)
    entered_by = serializers.CharField()
    ruleset = serializers.CharField()
    settlement = SettlementOut()
    warnings = WarningOut(many=True)
    url = serializers.CharField(help_text="the round's own address")


class RoundRecordedOut(RoundOut):
    """The answer to recording a round."""

    replayed = serializers.BooleanField(help_text="true when this repeats the first answer")


class PreviewOut(Shape):
    """A settlement of which nothing is stored."""

    settlement = SettlementOut()


class VoidIn(Shape):
    """Why a round is voided, and on whose authority (BP-8.4)."""

    id = serializers.CharField(max_length=64, help_text="made by the client")
    reason_code = serializers.ChoiceField(RoundVoid.Reason.values)
    reason = serializers.CharField(max_length=500)
    authority = serializers.CharField(help_text="user name of a floor supervisor or manager")


class VoidOut(Shape):
    """A void."""

    id = serializers.CharField()
    table = serializers.CharField()
    sequence = serializers.IntegerField()
    reason_code = serializers.ChoiceField(RoundVoid.Reason.values)
    reason = serializers.CharField()
    authority = serializers.CharField()
    voided_by = serializers.CharField()
    recorded_at = serializers.DateTimeField()
    gaming_day = serializers.DateField(help_text="of the void's own time")


class VoidRecordedOut(VoidOut):
    """The answer to voiding a round."""

    replayed = serializers.BooleanField()


class RoundDetailOut(RoundOut):
    """A recorded round with its hands, and its void if there is one."""

    hands = HandsShape()
    void = VoidOut(allow_null=True)


class MisdealIn(Shape):
    """A deal that could not be played (BP-8.1)."""

    id = serializers.CharField(max_length=64)
    table = serializers.CharField()
    occurred_at = serializers.DateTimeField()
    kind = serializers.ChoiceField(Misdeal.Kind.values)
    seats_in_play = serializers.IntegerField(min_value=1, max_value=6)
    stub_counted = serializers.IntegerField(
        min_value=0, max_value=53, required=False, allow_null=True
    )
    reason = serializers.CharField(max_length=500)
    authority = serializers.CharField()


class MisdealOut(Shape):
    """A recorded misdeal; its deck is set aside."""

    id = serializers.CharField()
    table = serializers.CharField()
    occurred_at = serializers.DateTimeField()
    recorded_at = serializers.DateTimeField()
    gaming_day = serializers.DateField()
    dealer_badge = serializers.CharField(allow_null=True)
    kind = serializers.ChoiceField(Misdeal.Kind.values)
    seats_in_play = serializers.IntegerField()
    stub_expected = serializers.IntegerField()
    stub_counted = serializers.IntegerField(allow_null=True)
    reason = serializers.CharField()
    authority = serializers.CharField()
    recorded_by = serializers.CharField()


class MisdealRecordedOut(MisdealOut):
    """The answer to recording a misdeal."""

    replayed = serializers.BooleanField()


class LimitsOut(Shape):
    """Limits of a wager in minor units."""

    minor_min = serializers.IntegerField()
    minor_max = serializers.IntegerField()


class TableLimitsOut(Shape):
    """Limits of a table."""

    main = LimitsOut()
    side_bet = LimitsOut()


class TableOut(Shape):
    """A table as it stands now."""

    code = serializers.CharField()
    pit = serializers.CharField()
    seat_count = serializers.IntegerField()
    limits = TableLimitsOut()
    is_open = serializers.BooleanField()
    opened_at = serializers.DateTimeField(allow_null=True)
    dealer_badge = serializers.CharField(allow_null=True)
    last_sequence = serializers.IntegerField()


class DealerStaffOut(Shape):
    """A dealer."""

    badge = serializers.CharField()
    name = serializers.CharField()
    is_active = serializers.BooleanField()


class ShiftOut(Shape):
    """A shift of a gaming day."""

    gaming_day = serializers.DateField()
    name = serializers.CharField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()


class AssignmentIn(Shape):
    """Who deals at a table from now, or from `starts_at`; without a dealer, nobody."""

    table = serializers.CharField()
    dealer = serializers.CharField(required=False, allow_null=True, help_text="badge")
    starts_at = serializers.DateTimeField(required=False, allow_null=True)


class AssignmentOut(Shape):
    """Who dealt where, from when until when."""

    table = serializers.CharField()
    dealer_badge = serializers.CharField()
    dealer_name = serializers.CharField()
    starts_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField(allow_null=True)


class PropertyOut(Shape):
    """A casino."""

    code = serializers.CharField()
    name = serializers.CharField()
    zone = serializers.CharField()
    gaming_day_start = serializers.TimeField()
    currency = serializers.CharField()
    minor_digits = serializers.IntegerField()
    ruleset = serializers.CharField()
    card_entry = serializers.CharField()


class AccountOut(Shape):
    """The signed-in user."""

    username = serializers.CharField()
    role = serializers.ChoiceField(Role.values)
    property = PropertyOut(allow_null=True)


class TokenIn(Shape):
    """A sign-in of a program."""

    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=128)


class TokenOut(Shape):
    """Send it as `Authorization: Token <token>`."""

    token = serializers.CharField()
