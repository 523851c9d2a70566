"""The staff: added, given roles and pits, let out; never deleted (N04)."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from rest_framework.authtoken.models import Token
from rest_framework.test import APIClient

from tables.models import AuditEntry, CommandKey, Membership, MembershipPit, Pit, Role, User
from tests.api.conftest import ClientFor
from tests.api.setting_up import change, post
from tests.builders import Floor, build_floor, build_member, build_user

Stored = Callable[[], dict[str, Any]]
USERS, MEMBERS = "/api/v1/settings/users/", "/api/v1/settings/members/"
PASSWORD = "four red aces in a row"
ANNA = {"id": "anna", "username": "anna", "password": PASSWORD, "role": "clerk"}
LEFT = ({"is_active": True}, {"is_active": False})
LOCKED_OUT = ({"may_sign_in": True}, {"may_sign_in": False})


def token_for(username: str, password: str) -> Any:
    body = {"username": username, "password": password}
    return APIClient().post("/api/v1/token/", body, format="json")


def test_someone_new_may_sign_in_and_do_what_the_role_says(floor: Floor, admin: APIClient) -> None:
    answer = post(admin, USERS, {**ANNA, "pits": ["PIT-1"]})

    told = {
        "username": "anna",
        "role": "clerk",
        "pits": ["PIT-1"],
        "is_active": True,
        "may_sign_in": True,
    }
    assert (answer.status_code, answer.json()) == (201, {**told, "replayed": False})
    assert token_for("anna", PASSWORD).status_code == 200
    assert AuditEntry.objects.get(command="user_add").detail["new"] == told
    assert told in admin.get(USERS).json()


def test_a_password_is_kept_in_no_record(floor: Floor, admin: APIClient) -> None:
    post(admin, USERS, ANNA)
    new = {"id": "p", "password": "another four red aces"}
    assert post(admin, f"{USERS}anna/password/", new).status_code == 200
    for model in (AuditEntry, CommandKey):
        assert "aces" not in str(list(model._default_manager.values()))


@pytest.mark.parametrize(
    ("fields", "status", "code", "place"),
    [
        ({"username": "la-clerk"}, 409, "setting_taken", "username"),
        ({"username": "LA-Clerk"}, 409, "setting_taken", "username"),
        ({"username": "\uff4c\uff41-clerk"}, 409, "setting_taken", "username"),
        ({"username": "anna bell"}, 400, "field_invalid", "username"),
        ({"username": "system:console"}, 400, "field_invalid", "username"),
        ({"username": ""}, 400, "field_invalid", "username"),
        ({"password": "anna"}, 400, "field_invalid", "password"),
        ({"password": "password"}, 400, "field_invalid", "password"),
        ({"role": "owner"}, 400, "field_invalid", "role"),
        ({"pits": ["PIT-9"]}, 404, "not_found", "pits"),
        ({"role": "administrator", "pits": ["PIT-1"]}, 400, "field_invalid", "pits"),
    ],
)
def test_someone_who_cannot_be_added_is_refused(
    floor: Floor,
    admin: APIClient,
    stored: Stored,
    fields: dict[str, Any],
    status: int,
    code: str,
    place: str,
) -> None:
    before = stored()
    answer = post(admin, USERS, {**ANNA, **fields})
    assert (answer.status_code, answer.json()["code"]) == (status, code), answer.content
    assert answer.json()["detail"]["place"] == place
    assert stored() == before
    assert User.objects.count() == 5


def test_case_c17_a_member_who_left_is_refused_at_the_next_request(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    clerk = client_for(floor.clerk)
    assert clerk.get("/api/v1/rounds/").status_code == 200
    assert change(admin, f"{MEMBERS}la-clerk/", *LEFT).status_code == 200
    assert clerk.get("/api/v1/rounds/").status_code == 403
    back = change(admin, f"{MEMBERS}la-clerk/", *reversed(LEFT))
    assert (back.status_code, clerk.get("/api/v1/rounds/").status_code) == (200, 200)


def test_role_and_pits_are_changed(floor: Floor, admin: APIClient) -> None:
    Pit.objects.create(property=floor.casino, code="PIT-2")
    old: dict[str, Any] = {"role": "floor_supervisor", "pits": []}
    new = {"role": "clerk", "pits": ["PIT-2", "PIT-1"]}
    path = f"{MEMBERS}la-floor_supervisor/"

    assert change(admin, path, old, new).json()["pits"] == ["PIT-1", "PIT-2"]
    entry = AuditEntry.objects.get(command="membership_change")
    sorted_pits = {"role": "clerk", "pits": ["PIT-1", "PIT-2"]}
    assert (entry.detail["old"], entry.detail["new"]) == (old, sorted_pits)
    assert change(admin, path, {"pits": ["PIT-1", "PIT-2"]}, {"pits": ["PIT-2"]}).status_code == 200
    assert [str(link.pit) for link in MembershipPit.objects.all()] == ["PIT-2"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        (f"{MEMBERS}la-administrator/", {"role": "manager"}),
        (f"{MEMBERS}la-administrator/", {"is_active": False}),
        (f"{USERS}la-administrator/", {"may_sign_in": False}),
        (f"{USERS}la-administrator/password/", None),
    ],
)
def test_nobody_changes_what_they_may_do_themselves(
    floor: Floor, admin: APIClient, path: str, body: dict[str, Any] | None
) -> None:
    seen = {"role": "administrator", "is_active": True, "may_sign_in": True}
    if body is None:
        answer = post(admin, path, {"id": "p", "password": PASSWORD})
    else:
        answer = change(admin, path, {name: seen[name] for name in body}, body)
    assert (answer.status_code, answer.json()["code"]) == (403, "own_account")
    assert Membership.objects.get(user=floor.administrator).role == Role.ADMINISTRATOR


def test_someone_of_another_property_joins_by_name(floor: Floor, admin: APIClient) -> None:
    build_floor(code="MO", zone="Asia/Macau")
    answer = post(admin, MEMBERS, {"id": "m", "username": "mo-clerk", "role": "surveillance"})
    assert answer.status_code == 201, answer.content
    member = Membership.objects.get(user__username="mo-clerk", property=floor.casino)
    assert member.role == Role.SURVEILLANCE

    for username in ("mo-clerk", "la-clerk"):
        again = post(admin, MEMBERS, {"id": "again", "role": "clerk", "username": username})
        assert (again.status_code, again.json()["code"]) == (409, "setting_taken")
    nobody = post(admin, MEMBERS, {"id": "n", "username": "nobody", "role": "clerk"})
    assert (nobody.status_code, nobody.json()["detail"]["place"]) == (404, "username")


def test_an_administrator_reaches_no_further_than_their_property(
    floor: Floor, admin: APIClient, stored: Stored
) -> None:
    macau = build_floor(code="MO", zone="Asia/Macau")
    build_member(floor.clerk, macau.casino, Role.MANAGER)
    before = stored()
    password = {"id": "p", "password": PASSWORD}

    for username, status, code in (
        ("mo-manager", 404, "not_found"),
        ("la-clerk", 409, "setting_in_use"),
    ):
        for answer in (
            post(admin, f"{USERS}{username}/password/", password),
            change(admin, f"{USERS}{username}/", *LOCKED_OUT),
        ):
            assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert change(admin, f"{MEMBERS}mo-manager/", *LEFT).status_code == 404
    assert stored() == before


def test_case_n21_a_new_password_ends_the_tokens_and_sessions_of_before(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    clerk, browser = client_for(floor.clerk), Client()
    browser.force_login(floor.clerk)
    assert browser.get("/tables/").status_code == 200

    answer = post(admin, f"{USERS}la-clerk/password/", {"id": "p", "password": PASSWORD})

    assert answer.status_code == 200
    assert clerk.get("/api/v1/me/").status_code == 401
    assert browser.get("/tables/").status_code == 302
    assert token_for("la-clerk", "password").status_code == 401
    assert token_for("la-clerk", PASSWORD).status_code == 200


def test_someone_who_may_not_sign_in_has_no_token(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    clerk = client_for(floor.clerk)
    assert change(admin, f"{USERS}la-clerk/", *LOCKED_OUT).json()["may_sign_in"] is False
    assert clerk.get("/api/v1/me/").status_code == 401
    assert Token.objects.filter(user=floor.clerk).count() == 0
    assert token_for("la-clerk", "password").status_code == 401
    assert change(admin, f"{USERS}la-clerk/", *reversed(LOCKED_OUT)).status_code == 200
    assert token_for("la-clerk", "password").status_code == 200


def test_case_n04_who_changed_a_limit_is_not_deleted_and_the_change_stays(
    floor: Floor, admin: APIClient, client_for: ClientFor
) -> None:
    other = client_for(build_user(floor.casino, Role.ADMINISTRATOR, "other"))
    table = "/api/v1/settings/tables/BP-01/"
    assert change(admin, table, {"seat_count": 6}, {"seat_count": 5}).status_code == 200

    gone = change(other, f"{USERS}la-administrator/", *LOCKED_OUT)

    assert gone.status_code == 200
    for path in (f"{USERS}la-administrator/", f"{MEMBERS}la-administrator/"):
        assert other.delete(path).status_code == 405
    entry = AuditEntry.objects.get(command="table_change")
    assert (entry.actor_name, entry.detail["old"]) == ("la-administrator", {"seat_count": 6})


@pytest.mark.parametrize("username", ["la-administrator", "never-did-anything"])
def test_case_n04_the_database_deletes_nobody(floor: Floor, username: str) -> None:
    build_user(None, Role.CLERK, "never-did-anything")
    user = User.objects.filter(username=username)
    with pytest.raises(IntegrityError), transaction.atomic():
        user._raw_delete(using="default")
    assert user.exists()
