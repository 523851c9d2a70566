"""What the database itself refuses, by the name of the rule (H29)."""

import datetime as dt
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, models, transaction

from tables.models import (
    Bet,
    CommandKey,
    CommandResend,
    Dealer,
    DealerAssignment,
    GamingDay,
    Misdeal,
    Pit,
    Property,
    Round,
    RoundVoid,
    SeatHand,
    Shift,
    Table,
    TableSession,
)
from tables.property.currencies import minor_digits_of
from tables.web.formats import money
from tests.builders import NOON, Floor, build_floor

DAY = dt.timedelta(days=1)
# A copy of the first row of a model with these changes breaks this rule and no other.
BREAKS: list[tuple[type[models.Model], dict[str, Any], str]] = [
    (Pit, {}, "pit_code_unique"),
    (Dealer, {}, "dealer_badge_unique"),
    (Table, {}, "table_code_unique"),
    (Table, {"code": "X", "seat_count": 0}, "table_seat_count_1_to_6"),
    (Table, {"code": "X", "seat_count": 7}, "table_seat_count_1_to_6"),
    (Table, {"code": "X", "main_minor_min": 0}, "table_main_limits_ordered"),
    (Table, {"code": "X", "main_minor_max": 1}, "table_main_limits_ordered"),
    (Table, {"code": "X", "side_bet_minor_max": 1}, "table_side_bet_limits_ordered"),
    (Table, {"code": "X", "last_sequence": -1}, "table_last_sequence_not_negative"),
    (GamingDay, {}, "gamingday_date_unique"),
    (
        GamingDay,
        {"date": dt.date(2000, 1, 1), "ends_at": NOON - 9 * DAY},
        "gamingday_ends_after_start",
    ),
    (Shift, {"starts_at": NOON - 9 * DAY}, "shift_name_unique"),
    (Shift, {"name": "X"}, "shift_start_unique"),
    (Shift, {"name": "X", "ends_at": NOON - 9 * DAY, "starts_at": NOON}, "shift_ends_after_start"),
    (TableSession, {}, "tablesession_one_open"),
    (DealerAssignment, {"dealer_id": None}, "dealerassignment_one_a_table"),
    (DealerAssignment, {"table_id": None}, "dealerassignment_one_a_dealer"),
    (Round, {"round_id": "x"}, "round_sequence_unique"),
    (Round, {"round_id": "x", "sequence": 0}, "round_sequence_from_1"),
    (Round, {"round_id": "x", "sequence": 2, "compliance": "maybe"}, "round_compliance_known"),
    (Round, {"round_id": "x", "sequence": 2, "dealer_low": ""}, "round_compliance_needs_setting"),
    (
        Round,
        {"round_id": "x", "sequence": 2, "compliance": "not_recorded"},
        "round_compliance_needs_setting",
    ),
    (SeatHand, {}, "seathand_seat_unique"),
    (SeatHand, {"seat": 0}, "seathand_seat_1_to_6"),
    (SeatHand, {"seat": 7}, "seathand_seat_1_to_6"),
    (SeatHand, {"seat": 6, "event": "luck"}, "seathand_event_known"),
    (Bet, {}, "bet_wager_unique"),
    (Bet, {"wager": "dealer_break_bonus", "amount_minor": 0}, "bet_amount_positive"),
    (Bet, {"wager": "insurance"}, "bet_wager_known"),
    (Bet, {"wager": "dealer_break_bonus", "outcome": "maybe"}, "bet_outcome_known"),
    (RoundVoid, {"void_id": "x"}, ""),
    (CommandKey, {}, "commandkey_id_unique"),
    (CommandResend, {}, "commandresend_once_each"),
    (Misdeal, {"misdeal_id": "x", "seats_in_play": 7}, "misdeal_seats_1_to_6"),
    (Misdeal, {"misdeal_id": "x", "reason": ""}, "misdeal_reason_given"),
]


@pytest.mark.parametrize(
    ("model", "changes", "rule"), BREAKS, ids=[f"{m.__name__}-{c}" for m, c, _ in BREAKS]
)
def test_the_database_holds_its_rules(
    history: Floor, model: type[models.Model], changes: dict[str, Any], rule: str
) -> None:
    row = model._default_manager.order_by("pk").first()
    assert row is not None
    row.pk = None
    row._state.adding = True
    if "dealer_id" in changes:
        changes = {"dealer_id": history.dealers[2].pk}
    if "table_id" in changes:
        spare = Table.objects.get(code="BP-01")
        spare.pk, spare.code, spare._state.adding = None, "SPARE", True
        spare.save()
        changes = {"table_id": spare.pk}
    for name, value in changes.items():
        setattr(row, name, value)
    before = model._default_manager.count()

    with pytest.raises(IntegrityError) as refusal, transaction.atomic():
        row.save(force_insert=True)

    assert model._default_manager.count() == before
    if connection.vendor == "postgresql":
        assert rule in str(refusal.value)


def test_every_named_rule_of_the_records_is_tried() -> None:
    named = {
        constraint.name
        for model in (
            Pit,
            Dealer,
            Table,
            GamingDay,
            Shift,
            Round,
            SeatHand,
            Bet,
            Misdeal,
            CommandKey,
            CommandResend,
        )
        for constraint in model._meta.constraints
    }
    assert named - {rule for _, _, rule in BREAKS} == set()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("code", "lower"),
        ("zone", "Mars/Olympus"),
        ("currency", "XXZ"),
        ("ruleset_id", "break-poker/unheard-of@1"),
        ("card_entry", "pictures"),
    ],
)
def test_a_property_of_nowhere_is_refused(floor: Floor, field: str, value: str) -> None:
    setattr(floor.casino, field, value)
    with pytest.raises(ValidationError) as refusal:
        floor.casino.full_clean()
    assert list(refusal.value.message_dict) == [field]


def test_a_table_stands_in_a_pit_of_its_own_property(floor: Floor) -> None:
    elsewhere = build_floor(code="LV")
    table = floor.tables[0]
    table.pit = elsewhere.tables[0].pit
    with pytest.raises(ValidationError) as refusal:
        table.full_clean()
    assert list(refusal.value.message_dict) == ["pit"]


def test_case_n13_minor_digits_are_those_of_iso_4217_and_kept_with_the_property(
    floor: Floor,
) -> None:
    for currency in ("HUF", "IDR", "COP", "RSD"):
        casino = Property(currency=currency, minor_digits=minor_digits_of(currency))
        assert casino.minor_digits == 2
        # Whatever the locale data of a release says, an amount reads the same.
        assert money(1_000_000, casino).replace("\u00a0", "").endswith("10,000.00")
    assert money(1_000_000, Property(currency="JPY", minor_digits=0)) == "¥1,000,000"
