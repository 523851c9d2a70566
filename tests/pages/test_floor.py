"""The list of tables, opening and closing, who deals, and misdeals."""

import datetime as dt
import re
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from tables.models import DealerAssignment, Misdeal, TableSession
from tests.builders import NOON, Clock, Floor
from tests.pages.conftest import NOW_TYPED, SignedIn, faults_of, record, text_of, typed_round

Stored = Callable[[], dict[str, Any]]
MISDEAL = {
    "id": "misdeal-1",
    "occurred_at": NOW_TYPED,
    "kind": "card_seen_twice",
    "seats_in_play": "4",
    "stub_counted": "5",
    "reason": "Two aces of spades",
    "authority": "la-floor_supervisor",
}


@pytest.fixture
def supervisor(floor: Floor, signed_in: SignedIn) -> Client:
    return signed_in(floor.supervisor)


def test_the_tables_say_what_a_clerk_needs(page: Client) -> None:
    record(page, typed_round(0))
    text = text_of(page.get("/tables/"))
    assert "BP-01 PIT-1 Open since" in text
    assert "D101 Dealer D101 6 Main $5.00 to $10,000.00 Side $1.00 to $1,000.00 1" in text
    assert "D102 Dealer D102 6 Main $5.00 to $10,000.00 Side $1.00 to $1,000.00 none" in text
    assert 'href="/tables/BP-01/entry/"' in page.get("/tables/").content.decode()


def test_who_only_reads_is_offered_nothing_to_do(floor: Floor, signed_in: SignedIn) -> None:
    body = signed_in(floor.surveillance).get("/tables/").content.decode()
    assert "/entry/" not in body
    assert "/close/" not in body
    assert "/dealer/" not in body


def test_a_table_is_closed_and_opened(supervisor: Client, clock: Clock) -> None:
    closed = supervisor.post("/tables/BP-01/close/", follow=True)
    assert closed.redirect_chain == [("/tables/?note=closed", 302)]
    assert "The table is closed." in text_of(closed)
    assert "BP-01 PIT-1 Closed nobody" in text_of(closed)
    clock.now += dt.timedelta(minutes=1)
    opened = supervisor.post("/tables/BP-01/open/", follow=True)
    assert "BP-01 PIT-1 Open since 2026-11-29 12:02:00 PST" in text_of(opened)


@pytest.mark.parametrize("command", ["open", "close"])
def test_c06_pressing_twice_changes_once(supervisor: Client, command: str) -> None:
    if command == "open":
        supervisor.post("/tables/BP-01/close/")
        sessions = TableSession.objects.count() + 1
    else:
        sessions = TableSession.objects.count()
    assert supervisor.post(f"/tables/BP-01/{command}/").status_code == 302
    again = supervisor.post(f"/tables/BP-01/{command}/")
    assert again.status_code == 409
    assert "Nothing was changed" in text_of(again)
    assert TableSession.objects.count() == sessions


def buttons_of(answer: Any, address: str) -> list[str]:
    """The ids under which the buttons of a page send a command."""
    forms = re.findall(r"<form.*?</form>", answer.content.decode(), re.DOTALL)
    sent = [form for form in forms if f'action="{address}"' in form]
    return [re.search(r'name="id" value="([^"]*)"', form)[1] for form in sent]  # type: ignore[index]


def test_f03_a_double_click_closes_once_and_is_no_error(supervisor: Client) -> None:
    [button] = buttons_of(supervisor.get("/tables/"), "/tables/BP-01/close/")
    [other] = buttons_of(supervisor.get("/tables/"), "/tables/BP-01/close/")
    assert uuid.UUID(button) != uuid.UUID(other)
    first, second = (
        supervisor.post("/tables/BP-01/close/", {"id": button}).headers["Location"]
        for _ in range(2)
    )
    assert (first, second) == ("/tables/?note=closed", "/tables/?note=replayed")
    assert TableSession.objects.filter(table__code="BP-01").count() == 1


def test_f03_a_double_click_opens_once(supervisor: Client, clock: Clock) -> None:
    supervisor.post("/tables/BP-01/close/")
    clock.now += dt.timedelta(minutes=1)
    [listed] = buttons_of(supervisor.get("/tables/"), "/tables/BP-01/open/")
    [alone] = buttons_of(supervisor.get("/tables/BP-01/entry/"), "/tables/BP-01/open/")
    assert listed != alone
    for note in ("opened", "replayed"):
        answer = supervisor.post("/tables/BP-01/open/", {"id": listed})
        assert answer.headers["Location"] == f"/tables/?note={note}"
    assert TableSession.objects.filter(table__code="BP-01").count() == 2


def test_a_forged_id_of_a_button_changes_nothing(supervisor: Client) -> None:
    answer = supervisor.post("/tables/BP-01/close/", {"id": "<b>"})
    assert answer.status_code == 400
    assert "expected 1 to 64 letters" in text_of(answer)
    assert TableSession.objects.filter(table__code="BP-01", closed_at=None).exists()


def test_an_unknown_table_is_neither_opened_nor_closed(supervisor: Client) -> None:
    for command in ("open", "close"):
        assert supervisor.post(f"/tables/BP-99/{command}/").status_code == 404


def test_a_dealer_is_assigned_from_now(page: Client) -> None:
    answer = page.post("/tables/BP-01/dealer/", {"dealer": "D103"}, follow=True)
    assert answer.redirect_chain == [("/tables/?note=assigned", 302)]
    assert "D103 Dealer D103" in text_of(answer)
    latest = DealerAssignment.objects.latest("pk")
    assert (latest.dealer.badge, latest.starts_at) == ("D103", NOON + dt.timedelta(minutes=1))


def test_a_dealer_is_assigned_from_an_earlier_time(page: Client) -> None:
    page.post("/tables/BP-01/dealer/", {"dealer": "D103", "starts_at": "2026-11-29T11:00"})
    assert DealerAssignment.objects.latest("pk").starts_at == NOON - dt.timedelta(hours=1)


def test_taking_the_dealer_off_is_said_and_not_the_default(page: Client) -> None:
    blank = page.post("/tables/BP-01/dealer/", {"dealer": ""})
    assert blank.status_code == 400
    assert faults_of(blank) == {"dealer": ["expected a dealer, or nobody"]}
    assert DealerAssignment.objects.filter(table__code="BP-01", ends_at=None).exists()

    answer = page.post("/tables/BP-01/dealer/", {"dealer": "nobody"})
    assert answer.headers["Location"] == "/tables/?note=unassigned"
    assert not DealerAssignment.objects.filter(table__code="BP-01", ends_at=None).exists()


@pytest.mark.parametrize(
    ("fields", "status", "field"),
    [
        ({"dealer": "D999"}, 404, "dealer"),
        ({"dealer": "\x00"}, 400, "dealer"),
        ({"dealer": "D103", "starts_at": "soon"}, 400, "starts_at"),
        ({"dealer": "D103", "starts_at": "2026-11-29T13:00"}, 400, "starts_at"),
        ({"dealer": "D103", "starts_at": "2026-01-01T00:00"}, 409, "starts_at"),
    ],
)
def test_an_assignment_is_refused_beside_its_field(
    page: Client, fields: dict[str, str], status: int, field: str
) -> None:
    before = DealerAssignment.objects.count()
    answer = page.post("/tables/BP-01/dealer/", fields)
    assert answer.status_code == status
    assert set(faults_of(answer)) == {field}
    assert DealerAssignment.objects.count() == before


def test_f03_a_dealer_assigned_twice_is_assigned_once(page: Client) -> None:
    before = DealerAssignment.objects.count()
    fields = {"id": "assign-1", "dealer": "D103"}
    for note in ("assigned", "replayed"):
        answer = page.post("/tables/BP-01/dealer/", fields)
        assert answer.headers["Location"] == f"/tables/?note={note}"
    assert DealerAssignment.objects.count() == before + 1
    other = page.post("/tables/BP-01/dealer/", {**fields, "dealer": "nobody"})
    assert other.status_code == 409
    assert faults_of(other) == {"dealer": ["differs from what was recorded"]}
    assert 'name="id" value="assign-1"' in other.content.decode()


def test_an_unknown_table_has_no_dealer(page: Client) -> None:
    assert page.get("/tables/BP-99/dealer/").status_code == 404


def test_bp_8_1_a_misdeal_is_recorded_and_listed(page: Client) -> None:
    answer = page.post("/tables/BP-01/misdeal/", MISDEAL, follow=True)
    assert answer.redirect_chain == [("/misdeals/?note=recorded", 302)]
    text = text_of(answer)
    assert "Recorded." in text
    assert "A card or the joker seen twice 4 5 counted, 4 expected Two aces of spades" in text
    assert Misdeal.objects.get().dealer is not None


def test_a_stub_that_was_not_counted_is_left_open(page: Client) -> None:
    page.post("/tables/BP-01/misdeal/", {**MISDEAL, "stub_counted": ""})
    assert Misdeal.objects.get().stub_counted is None
    assert "not counted" in text_of(page.get("/misdeals/"))


def test_f03_a_misdeal_sent_twice_is_recorded_once(page: Client) -> None:
    page.post("/tables/BP-01/misdeal/", MISDEAL)
    again = page.post("/tables/BP-01/misdeal/", MISDEAL)
    assert again.headers["Location"] == "/misdeals/?note=replayed"
    assert Misdeal.objects.count() == 1


def test_a_misdeal_with_a_used_id_is_refused(page: Client) -> None:
    page.post("/tables/BP-01/misdeal/", MISDEAL)
    answer = page.post("/tables/BP-01/misdeal/", {**MISDEAL, "reason": "Another"})
    assert answer.status_code == 409
    assert "was used before" in text_of(answer)
    assert faults_of(answer) == {"reason": ["differs from what was recorded"]}
    assert Misdeal.objects.count() == 1


def test_a_misdeal_says_everything_that_is_missing(page: Client, stored: Stored) -> None:
    before = stored()
    fields = {"id": "misdeal-1", "occurred_at": "", "stub_counted": "four"}
    answer = page.post("/tables/BP-01/misdeal/", fields)
    assert answer.status_code == 400
    assert set(faults_of(answer)) == {
        "kind",
        "seats_in_play",
        "stub_counted",
        "occurred_at",
        "reason",
        "authority",
    }
    assert 'value="four"' in answer.content.decode()
    assert stored() == before


@pytest.mark.parametrize(
    ("changes", "status", "field"),
    [
        ({"kind": "bad luck"}, 400, "kind"),
        ({"seats_in_play": "7"}, 400, "seats_in_play"),
        ({"seats_in_play": "１"}, 400, "seats_in_play"),
        ({"stub_counted": "-1"}, 400, "stub_counted"),
        ({"stub_counted": "54"}, 400, "stub_counted"),
        ({"reason": "\x00"}, 400, "reason"),
        ({"authority": "la-clerk"}, 400, "authority"),
        ({"occurred_at": "2026-01-01T00:00"}, 409, "occurred_at"),
    ],
)
def test_a_misdeal_is_refused_beside_its_field(
    page: Client, stored: Stored, changes: dict[str, str], status: int, field: str
) -> None:
    before = stored()
    answer = page.post("/tables/BP-01/misdeal/", {**MISDEAL, **changes})
    assert answer.status_code == status
    assert set(faults_of(answer)) == {field}
    assert stored() == before


def test_a_page_of_misdeals_that_is_none_is_told(page: Client) -> None:
    answer = page.get("/misdeals/?cursor=x")
    assert answer.status_code == 404
    assert "expected a cursor that this list gave out" in text_of(answer)


def test_entry_leads_to_the_misdeal_form(page: Client) -> None:
    assert 'href="/tables/BP-01/misdeal/"' in page.get("/tables/BP-01/entry/").content.decode()
    assert page.get("/tables/BP-99/misdeal/").status_code == 404
