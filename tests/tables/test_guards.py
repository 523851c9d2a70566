"""What the database itself refuses to change once history rests on it (N14, N22)."""

from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction

from tables.models import Dealer, Membership, Pit, Property, Table, User
from tests.builders import Floor, build_floor, record, round_body


@pytest.mark.parametrize("model", [Table, Pit, Dealer, Membership])
def test_case_n22_records_do_not_move_to_another_property(
    floor: Floor, model: type[models.Model]
) -> None:
    macau = build_floor(code="MO", zone="Asia/Macau")
    record(floor, round_body(3))
    rows = model._default_manager.filter(property=floor.casino)
    count = rows.count()

    def by_orm() -> None:
        row: Any = rows[0]
        row.property = macau.casino
        row.save()

    for move in (by_orm, lambda: rows.update(property=macau.casino)):
        with pytest.raises(IntegrityError, match="stays"), transaction.atomic():
            move()
    assert rows.count() == count


@pytest.mark.parametrize(
    ("column", "value"),
    [("currency", "EUR"), ("minor_digits", 0), ("zone", "UTC"), ("gaming_day_start", "05:00")],
)
def test_case_n14_a_property_keeps_what_its_records_mean(
    floor: Floor, column: str, value: Any
) -> None:
    found = Property.objects.filter(pk=floor.casino.pk)
    before = list(found.values())
    with pytest.raises(IntegrityError, match="mean stays"), transaction.atomic():
        found.update(**{column: value})
    assert list(found.values()) == before
    # Saving it as it is, or under another name, is no change of that.
    floor.casino.name = "Another name"
    floor.casino.save()


def test_a_property_without_records_may_still_become_another(db: None) -> None:
    casino = Property.objects.create(code="X", name="X", zone="UTC", currency="USD", minor_digits=2)
    Property.objects.filter(pk=casino.pk).update(currency="JPY", minor_digits=0)
    casino.refresh_from_db()
    assert casino.currency == "JPY"


@pytest.mark.parametrize("model", [User, Membership])
def test_case_n04_people_are_never_deleted(floor: Floor, model: type[models.Model]) -> None:
    count = model._default_manager.count()
    with pytest.raises(IntegrityError, match="never deleted"), transaction.atomic():
        model._default_manager.all()._raw_delete(using="default")
    assert model._default_manager.count() == count


def test_every_guard_is_up_after_all_migrations(db: None) -> None:
    names = {
        "membership_keeps_user",
        "property_keeps_meaning",
        *(f"{name}_stays" for name in ("table", "pit", "dealer", "membership")),
        *(f"{name}_never_deleted" for name in ("user", "membership")),
    }
    statement = {
        "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
        "postgresql": "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal",
    }
    with connection.cursor() as cursor:
        cursor.execute(statement[connection.vendor])
        assert names <= {name for (name,) in cursor.fetchall()}
