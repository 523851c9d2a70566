"""Bad input over REST: a stable code, the place, what was expected; nothing stored, never a 500."""

import datetime as dt
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from tests.builders import NOON, round_body

ROUNDS = "/api/v1/rounds/"
Stored = Callable[[], dict[str, Any]]


def _refused(api: APIClient, body: Any, stored: Stored) -> dict[str, Any]:
    """Post a body that must be refused, at both addresses, and give back the error."""
    before = stored()
    raw = body if isinstance(body, str | bytes) else json.dumps(body)
    preview = api.post(f"{ROUNDS}preview/", raw, content_type="application/json")
    answer = api.post(ROUNDS, raw, content_type="application/json")
    assert answer.status_code == 400, answer.content
    assert (preview.status_code, preview.json()) == (400, answer.json())
    error: dict[str, Any] = answer.json()
    assert set(error) == {"code", "message", "detail"}
    assert stored() == before
    return error


def test_case_a13_a_card_twice_in_a_hand_with_a_joker(api: APIClient, stored: Stored) -> None:
    body = round_body(1)
    body["dealer"] = {"cards": "7h 7h Jk 2c 5d 9s Kc"}
    error = _refused(api, body, stored)
    assert error["code"] == "card_seen_twice"
    assert "7h" in error["message"]

    body["dealer"] = {"cards": "Jk Jk 3h 2c 5d 9s Kc"}
    error = _refused(api, body, stored)
    assert error["code"] == "card_seen_twice"
    assert "Jk" in error["message"]


@pytest.mark.parametrize("token", ["J", "X", "?", "1s", "11s", "JKs", "Ah!", "10", "\u00a0Q"])
def test_case_a15_an_unreadable_card_is_named_with_its_place(
    api: APIClient, stored: Stored, token: str
) -> None:
    body = round_body(1)
    body["dealer"] = {"cards": f"{token} 8h Jk 2c 5d 9s Kc"}

    error = _refused(api, body, stored)

    assert error["code"] == "card_unreadable"
    assert error["detail"]["place"] == "dealer.cards"


@pytest.mark.parametrize("text", ["nothing dealt", "Ah thanks", ""])
def test_case_a17_words_are_not_searched_for_cards(
    api: APIClient, stored: Stored, text: str
) -> None:
    body = round_body(1)
    body["dealer"] = {"cards": text}

    assert _refused(api, body, stored)["detail"]["place"] == "dealer.cards"


def test_case_b06_a_card_at_two_places_names_both(api: APIClient, stored: Stored) -> None:
    body = round_body(3)
    seat_card = body["seats"][2]["cards"].split()[0]
    dealer_cards = body["dealer"]["cards"].split()
    body["dealer"] = {"cards": " ".join([seat_card, *dealer_cards[1:]])}

    error = _refused(api, body, stored)

    assert error["code"] == "card_seen_twice"
    assert "dealer.cards" in error["message"]
    assert "seats[2].cards" in error["message"]


def test_case_b06_seven_seats_cannot_be_dealt(api: APIClient, stored: Stored) -> None:
    body = round_body(3)
    body["seats"] = [{**body["seats"][0], "seat": number} for number in range(1, 8)]

    assert _refused(api, body, stored)["code"] == "seat_impossible"


@pytest.mark.parametrize("cards", ["As Kd Th 9c 7d 5s", "As Kd Th 9c 7d 5s 2h 3h"])
def test_case_b09_a_hand_of_other_than_seven_cards_is_not_settled(
    api: APIClient, stored: Stored, cards: str
) -> None:
    body = round_body(1)
    body["dealer"] = {"cards": cards}

    error = _refused(api, body, stored)

    assert error["code"] == "hand_size"
    assert error["detail"]["place"] == "dealer.cards"


@pytest.mark.parametrize(
    "amount",
    [
        "NaN",
        "Infinity",
        "-Infinity",
        '"NaN"',
        '"sNaN"',
        '"-NaN"',
        "1e400",
        "-1e400",
        '"１０"',
        "true",
        '"10,0"',
        "0",
        "-5",
        "10.0",
        "null",
        '"10"',
        "[]",
        "{}",
    ],
)
@pytest.mark.parametrize("wager", ["main", "break_bonus"])
def test_case_d18_a_stake_is_a_whole_number_of_minor_units(
    api: APIClient, stored: Stored, amount: str, wager: str
) -> None:
    body = round_body(1)
    body["seats"][0]["bets"] = {"main": 1000, "break_bonus": 1000}
    raw = json.dumps(body).replace(f'"{wager}": 1000', f'"{wager}": {amount}')

    error = _refused(api, raw, stored)

    assert error["code"] in {"wager_malformed", "round_malformed"}
    assert error["detail"]["place"] == f"seats[0].bets.{wager}"


@pytest.mark.parametrize("amount", ["200000000000.0", "2e11", "200000000000", "1" + "0" * 30])
def test_case_x24_a_stake_beyond_all_tables_is_over_the_limit_however_written(
    api: APIClient, stored: Stored, amount: str
) -> None:
    raw = json.dumps(round_body(1)).replace('"main": 1500', f'"main": {amount}')
    assert amount in raw

    error = _refused(api, raw, stored)

    assert error["code"] == "wager_over_limit"
    assert error["detail"]["place"] == "seats[0].bets.main"


@pytest.mark.parametrize("number", [2_147_483_648, 10**30, -1, 0, 7])
def test_case_x14_a_seat_beyond_all_numbers(api: APIClient, stored: Stored, number: int) -> None:
    body = round_body(1)
    body["seats"][0]["seat"] = number

    error = _refused(api, body, stored)

    assert error["code"] == "seat_impossible"
    assert error["detail"]["place"] == "seats[0].seat"


@pytest.mark.parametrize("number", ["2147483648", "1" + "0" * 30, "0", "-1"])
def test_case_x14_an_address_beyond_all_numbers_is_not_found(api: APIClient, number: str) -> None:
    for address in (f"/api/v1/tables/BP-01/rounds/{number}/", f"/api/v1/tables/{number * 9}/"):
        answer = api.get(address)
        assert answer.status_code == 404
        assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "query",
    ["limit=2147483648", f"limit={10**30}", f"id={10**30}", "table=2147483648"],
)
def test_case_x14_a_filter_beyond_all_numbers_finds_nothing(api: APIClient, query: str) -> None:
    assert api.get(f"{ROUNDS}?{query}").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "gaming_day=99999999999-01-01",
        f"gaming_day={10**30}",
        "gaming_day=NaN",
        "is_voided=2147483648",
        "occurred_from=Infinity",
        "occurred_from=2026-11-29",
        "compliance=perhaps",
        "order=up",
        "table=" + "B" * 17,
        "table=B%00",
        "id=%00",
        "occurred_until=1e400",
        "shift=%00",
    ],
)
def test_case_x20_a_filter_that_cannot_be_read_names_its_parameter(
    api: APIClient, query: str
) -> None:
    answer = api.get(f"{ROUNDS}?{query}")

    assert answer.status_code == 400, answer.content
    assert answer.json()["code"] == "field_invalid"
    assert answer.json()["detail"]["place"] == query.partition("=")[0]


@pytest.mark.parametrize("cursor", ["x", "cD1hYmM=", "cD0x" + "MA" * 30, "bz05OTk5OTk5OTk5"])
def test_case_x14_a_cursor_that_was_never_given_out(api: APIClient, cursor: str) -> None:
    answer = api.get(f"{ROUNDS}?cursor={cursor}")

    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("place", ["id", "table", "occurred_at", "cards", "key"])
def test_case_x20_a_nul_character_is_refused_wherever_it_stands(
    api: APIClient, stored: Stored, place: str
) -> None:
    body = round_body(1)
    if place == "cards":
        body["dealer"]["cards"] = "\x00" + body["dealer"]["cards"]
    elif place == "key":
        body["\x00"] = 1
    else:
        body[place] = "\x00" + body[place]

    _refused(api, body, stored)


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_case_x21_boundless_nesting(api: APIClient, stored: Stored, bracket: str) -> None:
    error = _refused(api, bracket * 20_000, stored)
    assert error["code"] == "json_malformed"

    nested = json.dumps(round_body(1)).replace(
        '"table": "BP-01"', '"table": ' + "[" * 100 + "]" * 100
    )
    assert _refused(api, nested, stored)["code"] == "json_malformed"


def test_case_x22_a_body_of_50_megabytes(api: APIClient, stored: Stored) -> None:
    before = stored()
    body = b'{"id": "' + b"x" * 50_000_000 + b'"}'

    answer = api.post(ROUNDS, body, content_type="application/json")

    assert answer.status_code == 413
    assert answer.json()["code"] == "payload_too_large"
    assert answer.json()["detail"] == {"size_max": 1048576}
    assert stored() == before


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "field_invalid"),
        (b"{", "json_malformed"),
        (b"\xff\xfe", "json_malformed"),
        (b'{"id": 1, "id": 2}', "json_malformed"),
        (b"[]", "field_invalid"),
        (b"null", "field_invalid"),
        (b'"round"', "field_invalid"),
        (b"1", "field_invalid"),
        (b"{}", "field_invalid"),
    ],
)
def test_a_body_that_is_no_round(api: APIClient, stored: Stored, raw: bytes, code: str) -> None:
    assert _refused(api, raw, stored)["code"] == code


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("id", "", "field_invalid"),
        ("id", "a b", "field_invalid"),
        ("id", "x" * 65, "field_invalid"),
        ("id", 7, "field_invalid"),
        ("table", None, "field_invalid"),
        ("table", "B" * 17, "field_invalid"),
        ("occurred_at", "2026-11-29T20:00:00", "field_invalid"),
        ("occurred_at", "2026-11-29", "field_invalid"),
        ("occurred_at", "2026-02-30T20:00:00Z", "field_invalid"),
        ("occurred_at", "0001-01-01T00:00:00+23:00", "field_invalid"),
        ("occurred_at", "２026-11-29T20:00:00Z", "field_invalid"),
        ("occurred_at", 1764446400, "field_invalid"),
        ("occurred_at", "2026-11-29T20:10:00Z", "occurred_in_future"),
        ("occurred_at", "9999-12-31T23:59:59-23:00", "field_invalid"),
        ("dealer", [], "round_malformed"),
        ("seats", {}, "round_malformed"),
    ],
)
def test_a_field_of_another_form_is_named(
    api: APIClient, stored: Stored, field: str, value: Any, code: str
) -> None:
    error = _refused(api, round_body(1, **{field: value}), stored)

    assert error["code"] == code
    assert error["detail"]["place"] == field


@pytest.mark.parametrize("field", ["id", "table", "occurred_at", "dealer", "seats"])
def test_a_missing_or_unknown_field_is_named(api: APIClient, stored: Stored, field: str) -> None:
    body = round_body(1)
    del body[field]
    assert _refused(api, body, stored)["detail"]["place"] == field

    body = round_body(1)
    body[field + "s"] = 1
    assert _refused(api, body, stored)["detail"]["place"] == field + "s"


def test_a_time_of_before_the_table_was_opened_is_a_conflict(
    api: APIClient, stored: Stored
) -> None:
    before = stored()
    for occurred_at in ("0001-01-02T00:00:00Z", "1969-12-31T23:59:59Z"):
        answer = api.post(ROUNDS, round_body(1, occurred_at=occurred_at), format="json")
        assert (answer.status_code, answer.json()["code"]) == (409, "table_closed")
    assert stored() == before


@pytest.mark.parametrize(
    ("hand", "cards"), [("low", "5h"), ("low", "5h 5h"), ("high", "Ac Ks 2d"), ("high", "")]
)
def test_a_setting_that_its_cards_do_not_allow_names_the_hand(
    api: APIClient, stored: Stored, hand: str, cards: str
) -> None:
    body = round_body(0)
    body["dealer"][hand] = cards

    error = _refused(api, body, stored)

    assert error["code"] in {"setting_impossible", "card_unreadable"}
    assert error["detail"]["place"] == f"dealer.{hand}"
    assert error["detail"]["faults"][0]["code"] == error["code"]


def test_all_faults_of_a_round_come_at_once(api: APIClient, stored: Stored) -> None:
    body = round_body(3)
    body["dealer"]["cards"] = "Xx " + body["dealer"]["cards"]
    body["seats"][1]["bets"] = {"break_bonus": 100}
    body["seats"][2]["low"] = body["seats"][2]["low"].split()[0]

    error = _refused(api, body, stored)

    faults = [(fault["code"], fault["detail"]["place"]) for fault in error["detail"]["faults"]]
    assert ("card_unreadable", "dealer.cards") in faults
    assert ("side_bet_without_main", "seats[1].bets") in [
        (code, place.removesuffix(".main")) for code, place in faults
    ]
    assert ("setting_impossible", "seats[2].low") in faults
    assert error["code"] == faults[0][0]


def test_other_media_types_methods_and_addresses_have_the_same_error_shape(
    api: APIClient,
) -> None:
    answers = [
        (415, api.post(ROUNDS, "id=1", content_type="application/x-www-form-urlencoded")),
        (405, api.delete(ROUNDS)),
        (404, api.get("/api/v1/nowhere/")),
        (406, api.get(ROUNDS, HTTP_ACCEPT="image/png")),
        (401, APIClient().get(ROUNDS)),
        (401, APIClient(HTTP_AUTHORIZATION="Token " + "0" * 40).get(ROUNDS)),
        (401, APIClient(HTTP_AUTHORIZATION="Token \u00e9").get(ROUNDS)),
    ]
    for status, answer in answers:
        assert answer.status_code == status, answer.content
        assert set(answer.json()) == {"code", "message", "detail"}


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["id", "table", "dealer", "seats", "cards", "seat", "bets", "low", "main"]
            )
            | st.text(max_size=3),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.slow
@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    field=st.sampled_from(["id", "table", "occurred_at", "dealer", "seats", "bets", "whole"]),
    value=JSON,
)
def test_no_json_whatever_is_a_500(api: APIClient, field: str, value: Any) -> None:
    body: Any = round_body(1)
    if field == "whole":
        body = value
    elif field == "bets":
        body["seats"][0]["bets"] = value
    else:
        body[field] = value

    answer = api.post(f"{ROUNDS}preview/", json.dumps(body), content_type="application/json")

    assert answer.status_code in {200, 400, 404}, answer.content
    if answer.status_code != 200:
        assert set(answer.json()) == {"code", "message", "detail"}


def test_the_clock_of_a_tablet_may_be_a_little_fast(api: APIClient) -> None:
    # The server's clock stands at 20:01 (see `clock`).
    ahead = NOON + dt.timedelta(minutes=6)
    assert api.post(ROUNDS, round_body(1, occurred_at=ahead), format="json").status_code == 201
    ahead += dt.timedelta(seconds=1)
    answer = api.post(ROUNDS, round_body(2, occurred_at=ahead), format="json")
    assert answer.json()["code"] == "occurred_in_future"
