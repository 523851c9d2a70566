"""Money and local time: typed, shown, and typed again."""

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.engine.wagers import STAKE_MINOR_MAX
from tables.errors import FieldError
from tables.models import Property
from tables.property.currencies import minor_digits_of
from tables.templatetags.text import visible
from tables.web.amounts import read_amount
from tables.web.formats import localtime, minor_as_major, money
from tables.web.local_time import TypedTime, typed_time_of

USD, JPY, KWD = (
    Property(currency=code, minor_digits=minor_digits_of(code)) for code in ("USD", "JPY", "KWD")
)
LA = Property(zone="America/Los_Angeles")


@pytest.mark.parametrize(
    ("casino", "amount_minor", "shown"),
    [
        (USD, 0, "$0.00"),
        (USD, 5, "$0.05"),
        (USD, 123_456_789, "$1,234,567.89"),
        (USD, -7_500, "-$75.00"),
        (USD, 9_007_199_254_740_993, "$90,071,992,547,409.93"),
        (JPY, 1_500, "¥1,500"),
        (KWD, -12_345, "-KWD\N{NO-BREAK SPACE}12.345"),
    ],
)
def test_money_has_the_digits_of_its_currency(
    casino: Property, amount_minor: int, shown: str
) -> None:
    assert money(amount_minor, casino).replace("-KWD12", "-KWD\N{NO-BREAK SPACE}12") == shown


@pytest.mark.parametrize(
    ("casino", "text", "amount_minor"),
    [
        (USD, "100", 10_000),
        (USD, "12.5", 1_250),
        (USD, "12.50", 1_250),
        (USD, " 0.01 ", 1),
        (USD, "100000000.00", STAKE_MINOR_MAX),
        (JPY, "1500", 1_500),
        (KWD, "1.005", 1_005),
    ],
)
def test_an_amount_is_typed_in_major_units(casino: Property, text: str, amount_minor: int) -> None:
    assert read_amount(text, place="seat_1_main", casino=casino) == amount_minor


@pytest.mark.parametrize(
    "text",
    [
        *("NaN", "sNaN", "-NaN", "Infinity", "-Infinity", "1e400", "１０", "true", "10,0"),
        *("", " ", "-1", "+1", "1_000", "1,000.00", "0", "0.00", "012", ".5", "5.", "1.005"),
        *("1 0", "0x10", "1e2", "٣", "$5", "1\x00", "1\n", "100000000.01", "9" * 5_000),
    ],
)
def test_d18_what_is_not_plainly_an_amount_is_refused(text: str) -> None:
    with pytest.raises(FieldError) as refused:
        read_amount(text, place="seat_1_main", casino=USD)
    assert refused.value.detail["place"] == "seat_1_main"
    assert refused.value.message.startswith("expected ")
    assert len(refused.value.message) < 200


def test_a_currency_without_minor_units_takes_no_point() -> None:
    with pytest.raises(FieldError, match=r"an amount such as 100, got '10\.0'"):
        read_amount("10.0", place="x", casino=JPY)


@given(amount_minor=st.integers(1, STAKE_MINOR_MAX), casino=st.sampled_from([USD, JPY, KWD]))
def test_what_is_shown_for_typing_reads_back(amount_minor: int, casino: Property) -> None:
    text = minor_as_major(amount_minor, casino)
    assert read_amount(text, place="x", casino=casino) == amount_minor


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("America/Los_Angeles", "2026-11-01 01:30:00 PST (UTC-08:00)"),
        ("UTC", "2026-11-01 09:30:00 UTC+00:00"),
        ("Asia/Dubai", "2026-11-01 13:30:00 UTC+04:00"),
        ("Asia/Kathmandu", "2026-11-01 15:15:00 UTC+05:45"),
    ],
)
def test_local_time_shows_its_offset(zone: str, shown: str) -> None:
    at = dt.datetime(2026, 11, 1, 9, 30, tzinfo=dt.UTC)
    assert localtime(at, Property(zone=zone)) == shown


def test_local_time_tells_an_hour_that_comes_twice_apart() -> None:
    first = dt.datetime(2026, 11, 1, 8, 30, tzinfo=dt.UTC)
    assert localtime(first, LA) == "2026-11-01 01:30:00 PDT (UTC-07:00)"
    assert TypedTime("2026-11-01T01:30").choices(casino=LA) == (
        ("first", "2026-11-01 01:30:00 PDT (UTC-07:00)"),
        ("second", "2026-11-01 01:30:00 PST (UTC-08:00)"),
    )


def test_local_time_refuses_a_naive_time() -> None:
    with pytest.raises(ValueError, match="expected an aware datetime"):
        localtime(dt.datetime(2026, 11, 1), LA)  # noqa: DTZ001  (what is refused)


@given(
    st.datetimes(
        dt.datetime(2000, 1, 1),  # noqa: DTZ001  (the strategy adds the zone)
        dt.datetime(2100, 1, 1),  # noqa: DTZ001
        timezones=st.just(dt.UTC),
    ),
    st.sampled_from(["America/Los_Angeles", "Australia/Lord_Howe", "Asia/Macau", "UTC"]),
)
def test_an_instant_typed_reads_back(at: dt.datetime, zone: str) -> None:
    casino = Property(zone=zone)
    typed = typed_time_of(at, casino=casino)
    assert typed.instant(place="x", casino=casino) == at.replace(microsecond=0)


def test_x13_unseen_characters_are_written_out() -> None:
    assert visible("a\u202eb\x00c\u200fd") == "a[U+202E]b[U+0000]c[U+200F]d"
    assert visible("Zoë\nنام\u200cها") == "Zoë\nنام\u200cها"
