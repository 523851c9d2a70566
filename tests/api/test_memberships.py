"""Where a user works, and what a member of some pits sees: nothing of the others (C15, C17)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.errors import PropertyChoiceError
from tables.models import (
    AuditEntry,
    DealerAssignment,
    Membership,
    Pit,
    RefusedCommand,
    Role,
    Round,
    Table,
    User,
)
from tables.permissions import may, property_of, scope
from tests.api.conftest import ClientFor
from tests.builders import NOON, Floor, build_floor, build_member, build_user, record, round_body

Stored = Callable[[], dict[str, Any]]
GROUNDS = {"reason": "r", "authority": "la-manager"}
MISDEAL = {
    **GROUNDS,
    "occurred_at": NOON.isoformat(),
    "kind": "wrong_card_count",
    "seats_in_play": 1,
}


@dataclass(frozen=True)
class Pits:
    """A floor whose BP-01 stands in PIT-1 and BP-02 in PIT-2, and a member of PIT-1 for a role."""

    floor: Floor
    of_role: dict[Role, User]


@pytest.fixture
def pits(floor: Floor) -> Pits:
    other = Pit.objects.create(property=floor.casino, code="PIT-2")
    Table.objects.filter(code="BP-02").update(pit=other)
    for table in ("BP-01", "BP-02"):
        record(floor, round_body(3, table=table))
    users = {role: build_user(None, role, f"pit-1-{role}") for role in Role}
    for role, user in users.items():
        build_member(user, floor.casino, role, "PIT-1")
    return Pits(floor, users)


def _post(client: APIClient, path: str, body: dict[str, Any]) -> Any:
    return client.post(f"/api/v1/{path}", body, format="json")


# Each command at a table: its path and what is sent.
COMMANDS: dict[str, tuple[Role, Callable[[str], tuple[str, dict[str, Any]]]]] = {
    "record": (Role.CLERK, lambda table: ("rounds/", round_body(4, table=table))),
    "preview": (Role.CLERK, lambda table: ("rounds/preview/", round_body(4, table=table))),
    "void": (
        Role.FLOOR_SUPERVISOR,
        lambda table: (
            f"tables/{table}/rounds/1/void/",
            {**GROUNDS, "id": "v", "reason_code": "other"},
        ),
    ),
    "note": (
        Role.FLOOR_SUPERVISOR,
        lambda table: (f"tables/{table}/rounds/1/notes/", {"id": "n", "text": "t", "reason": "r"}),
    ),
    "misdeal": (
        Role.FLOOR_SUPERVISOR,
        lambda table: ("misdeals/", {**MISDEAL, "id": "m", "table": table}),
    ),
    "close": (Role.FLOOR_SUPERVISOR, lambda table: (f"tables/{table}/close/", {})),
    "assign": (
        Role.FLOOR_SUPERVISOR,
        lambda table: ("assignments/", {"table": table, "dealer": "D103"}),
    ),
}


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_case_c15_a_member_of_a_pit_does_nothing_in_another(
    pits: Pits, client_for: ClientFor, stored: Stored, name: str
) -> None:
    role, sent = COMMANDS[name]
    client = client_for(pits.of_role[role])
    before = stored()

    elsewhere = _post(client, *sent("BP-02"))

    assert (elsewhere.status_code, elsewhere.json()["code"]) == (404, "not_found")
    assert stored() == before
    assert _post(client, *sent("BP-01")).status_code in {200, 201}


@pytest.mark.parametrize("name", sorted(set(COMMANDS) - {"preview"}))
def test_case_c15_a_known_id_opens_no_other_pit(
    pits: Pits, client_for: ClientFor, name: str
) -> None:
    role, sent = COMMANDS[name]
    path, body = sent("BP-02")
    everywhere = build_user(pits.floor.casino, role, "everywhere")
    assert _post(client_for(everywhere), path, {**body, "id": "known"}).status_code in {200, 201}

    answer = _post(client_for(pits.of_role[role]), path, {**body, "id": "known"})

    assert answer.status_code == 404


@pytest.mark.parametrize(
    "path",
    ["tables/BP-02/", "tables/BP-02/rounds/1/", "tables/BP-02/rounds/1/worth/"],
)
def test_case_c15_what_lies_in_another_pit_is_not_there(
    pits: Pits, client_for: ClientFor, path: str
) -> None:
    client = client_for(pits.of_role[Role.FLOOR_SUPERVISOR])
    assert client.get(f"/api/v1/{path}").status_code == 404
    assert client.get(f"/api/v1/{path.replace('BP-02', 'BP-01')}").status_code == 200


def test_case_c15_lists_hold_a_members_own_pits_only(pits: Pits, client_for: ClientFor) -> None:
    for number, table in enumerate(("BP-01", "BP-02")):
        body = {**MISDEAL, "id": f"m{number}", "table": table}
        assert _post(client_for(pits.floor.clerk), "misdeals/", body).status_code == 201
    client = client_for(pits.of_role[Role.SURVEILLANCE])

    def tables_in(path: str) -> list[str]:
        found = client.get(f"/api/v1/{path}").json()
        return [row["table"] for row in found["results"]]

    assert [row["code"] for row in client.get("/api/v1/tables/").json()] == ["BP-01"]
    assert tables_in("rounds/") == ["BP-01"]
    assert tables_in("rounds/?table=BP-02") == []
    assert tables_in("rounds/?id=" + Round.objects.get(table__code="BP-02").round_id) == []
    assert tables_in("misdeals/") == ["BP-01"]
    assert tables_in("assignments/") == ["BP-01"]


def test_case_c15_figures_are_of_a_members_own_pits(pits: Pits, client_for: ClientFor) -> None:
    path = "/api/v1/reports/performance/?from=2026-11-29&to=2026-11-29&group_by=table"
    Round.objects.get(table__code="BP-02")

    own = client_for(pits.of_role[Role.MANAGER]).get(path).json()

    # Nothing was rolled up yet: the work that waits is seen by those whose pits it is in.
    assert own["is_current"] is False
    Table.objects.filter(code="BP-01").update(pit=Pit.objects.get(code="PIT-2"))
    assert client_for(pits.of_role[Role.MANAGER]).get(path).json()["is_current"] is True


def test_what_concerns_the_whole_property_is_not_for_members_of_a_pit(
    pits: Pits, client_for: ClientFor
) -> None:
    body = {"id": "w", "changes": {}}
    assert _post(client_for(pits.of_role[Role.MANAGER]), "what-if/", body).status_code == 403
    assert _post(client_for(pits.floor.manager), "what-if/", body).status_code == 202


def test_a_member_of_a_pit_takes_no_dealer_from_another(
    pits: Pits, client_for: ClientFor, stored: Stored
) -> None:
    client = client_for(pits.of_role[Role.FLOOR_SUPERVISOR])
    before = stored()

    taken = _post(client, "assignments/", {"table": "BP-01", "dealer": "D102"})

    assert (taken.status_code, taken.json()["code"]) == (409, "assignment_conflict")
    assert "BP-02" not in taken.content.decode()
    assert stored() == before
    assert DealerAssignment.objects.get(dealer__badge="D102").ends_at is None


def test_an_authority_is_one_for_their_own_pits(pits: Pits, client_for: ClientFor) -> None:
    path, body = "tables/BP-02/rounds/1/void/", {**GROUNDS, "id": "v", "reason_code": "other"}
    client = client_for(pits.floor.manager)

    refused = _post(client, path, {**body, "authority": "pit-1-floor_supervisor"})

    assert (refused.status_code, refused.json()["code"]) == (400, "authority_invalid")
    own = _post(client, path.replace("02", "01"), {**body, "authority": "pit-1-floor_supervisor"})
    assert own.status_code == 201


def test_scope_leads_from_any_record_to_its_table(pits: Pits) -> None:
    member = pits.of_role[Role.CLERK]
    assert [table.code for table in Table.objects.filter(scope(member))] == ["BP-01"]
    assert Round.objects.filter(scope(member, "table")).count() == 1
    assert Round.objects.filter(scope(pits.floor.clerk, "table")).count() == 2


@pytest.fixture
def two_houses(floor: Floor) -> User:
    """Someone who is a clerk in Los Angeles and a manager in Macau."""
    macau = build_floor(code="MO", zone="Asia/Macau")
    user = build_user(floor.casino, Role.CLERK, "both")
    build_member(user, macau.casino, Role.MANAGER)
    return user


def test_who_works_at_two_properties_says_at_which(
    two_houses: User, client_for: ClientFor, stored: Stored
) -> None:
    client, before = client_for(two_houses), stored()

    for answer in (client.get("/api/v1/me/"), _post(client, "rounds/", round_body(1))):
        assert (answer.status_code, answer.json()["code"]) == (403, "property_choice")
        assert answer.json()["detail"]["properties"] == ["LA", "MO"]
    assert stored() == before

    def account(code: str) -> Any:
        return client.get("/api/v1/me/", headers={"Houseway-Property": code})

    assert (account("LA").json()["role"], account("LA").json()["property"]["code"]) == (
        "clerk",
        "LA",
    )
    assert (account("MO").json()["role"], account("MO").json()["property"]["zone"]) == (
        "manager",
        "Asia/Macau",
    )


def test_the_role_is_that_of_the_property_named(two_houses: User, client_for: ClientFor) -> None:
    client = client_for(two_houses)
    path = "/api/v1/rounds/"
    at_macau = client.post(path, round_body(1), format="json", headers={"Houseway-Property": "MO"})
    at_home = client.post(path, round_body(1), format="json", headers={"Houseway-Property": "LA"})

    assert (at_macau.status_code, at_home.status_code) == (403, 201)
    assert Round.objects.get().table.property.code == "LA"
    assert RefusedCommand.objects.get().property.code == "MO"
    assert AuditEntry.objects.get(command="round_record").property.code == "LA"


@pytest.mark.parametrize("code", ["MO", "nowhere", "", "la"])
def test_a_property_that_is_not_ones_own_is_not_there(
    floor: Floor, client_for: ClientFor, code: str
) -> None:
    build_floor(code="MO", zone="Asia/Macau")
    answer = client_for(floor.clerk).get("/api/v1/me/", headers={"Houseway-Property": code})
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_case_c17_what_is_taken_away_is_gone_at_the_next_request(
    pits: Pits, client_for: ClientFor
) -> None:
    user = pits.of_role[Role.CLERK]
    client = client_for(user)
    assert client.get("/api/v1/tables/BP-01/").status_code == 200

    member = Membership.objects.get(user=user)
    member.pits.set([Pit.objects.get(code="PIT-2")])
    assert client.get("/api/v1/tables/BP-01/").status_code == 404
    assert client.get("/api/v1/tables/BP-02/").status_code == 200

    Membership.objects.filter(user=user).update(role=Role.SURVEILLANCE)
    assert _post(client, "rounds/", round_body(1, table="BP-02")).status_code == 403

    Membership.objects.filter(user=user).update(is_active=False)
    assert client.get("/api/v1/tables/").status_code == 403


def test_a_request_asks_once_for_user_memberships_property_and_pits(
    two_houses: User, client_for: ClientFor
) -> None:
    member = Membership.objects.get(user=two_houses, property__code="LA")
    member.pits.set(member.property.pits.all())
    client = client_for(two_houses)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get("/api/v1/tables/BP-01/", headers={"Houseway-Property": "LA"})
    assert answer.status_code == 200
    asked = [query["sql"] for query in captured if "membership" in query["sql"]]
    assert len(asked) == 1


def test_a_user_of_the_records_acts_where_there_is_no_choice(two_houses: User) -> None:
    alone = build_user(property_of(User.objects.get(username="la-clerk")), Role.CLERK, "alone")
    assert (alone.role, property_of(alone).code) == ("clerk", "LA")

    undecided = User.objects.get(pk=two_houses.pk)
    assert (undecided.role, undecided.property, undecided.property_id) == ("", None, None)
    with pytest.raises(PropertyChoiceError):
        property_of(undecided)
    assert not any(may(undecided, command) for command in ("account_read", "round_record"))  # type: ignore[arg-type]
    assert Token.objects.count() == 0
