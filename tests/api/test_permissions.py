"""Who may do what, address by address: every address of the URL conf has a row here (H39)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from tables.models import Role, Round, User
from tables.permissions import COMMANDS_OF_ROLE, Command
from tests.api.conftest import ClientFor
from tests.builders import Floor, round_body

C, F, S, M = Role.CLERK, Role.FLOOR_SUPERVISOR, Role.SURVEILLANCE, Role.MANAGER
A = Role.ADMINISTRATOR
EVERYONE = {C, F, S, M}

# Which roles may call each address of the API by each method.
API: dict[str, dict[str, set[Role]]] = {
    "api_account": {"get": EVERYONE | {A}},
    "api_tables": {"get": EVERYONE | {A}},
    "api_table": {"get": EVERYONE | {A}},
    "api_table_open": {"post": {F, M}},
    "api_table_close": {"post": {F, M}},
    "api_dealers": {"get": EVERYONE | {A}},
    "api_shifts": {"get": EVERYONE | {A}},
    "api_assignments": {"get": EVERYONE | {A}, "post": {C, F}},
    "api_rounds": {"get": EVERYONE, "post": {C, F}},
    "api_round_preview": {"post": {C, F}},
    "api_round": {"get": EVERYONE},
    "api_round_void": {"post": {F, M}},
    "api_round_notes": {"post": EVERYONE},
    "api_round_worth": {"get": EVERYONE},
    "api_misdeals": {"get": EVERYONE, "post": {C, F}},
    "api_performance": {"get": {M}},
    "api_what_ifs": {"post": {M}},
    "api_what_if": {"get": {M}},
    "api_settings_property": {"get": {M, A}, "post": {A}},
    "api_settings_pits": {"get": {M, A}, "post": {A}},
    "api_settings_tables": {"get": {M, A}, "post": {A}},
    "api_settings_dealers": {"get": {M, A}, "post": {A}},
    "api_settings_users": {"get": {M, A}, "post": {A}},
    "api_settings_members": {"get": {M, A}, "post": {A}},
    "api_settings_day_start": {"post": {A}},
    "api_settings_table": {"post": {A}},
    "api_settings_dealer": {"post": {A}},
    "api_settings_user": {"post": {A}},
    "api_settings_password": {"post": {A}},
    "api_settings_member": {"post": {A}},
}
# Addresses that need no sign-in: signing in itself, and the description of the API.
PUBLIC = {"api_token", "api_schema", "api_docs"}
PATHS = {
    "api_account": "/api/v1/me/",
    "api_tables": "/api/v1/tables/",
    "api_table": "/api/v1/tables/BP-01/",
    "api_table_open": "/api/v1/tables/BP-01/open/",
    "api_table_close": "/api/v1/tables/BP-01/close/",
    "api_dealers": "/api/v1/dealers/",
    "api_shifts": "/api/v1/shifts/",
    "api_assignments": "/api/v1/assignments/",
    "api_rounds": "/api/v1/rounds/",
    "api_round_preview": "/api/v1/rounds/preview/",
    "api_round": "/api/v1/tables/BP-01/rounds/1/",
    "api_round_notes": "/api/v1/tables/BP-01/rounds/1/notes/",
    "api_round_void": "/api/v1/tables/BP-01/rounds/1/void/",
    "api_round_worth": "/api/v1/tables/BP-01/rounds/1/worth/",
    "api_misdeals": "/api/v1/misdeals/",
    "api_performance": "/api/v1/reports/performance/",
    "api_what_ifs": "/api/v1/what-if/",
    "api_settings_property": "/api/v1/settings/property/",
    "api_settings_pits": "/api/v1/settings/pits/",
    "api_settings_tables": "/api/v1/settings/tables/",
    "api_settings_dealers": "/api/v1/settings/dealers/",
    "api_settings_users": "/api/v1/settings/users/",
    "api_settings_members": "/api/v1/settings/members/",
    "api_settings_day_start": "/api/v1/settings/property/day-start/",
    "api_settings_table": "/api/v1/settings/tables/BP-01/",
    "api_settings_dealer": "/api/v1/settings/dealers/D101/",
    "api_settings_user": "/api/v1/settings/users/la-clerk/",
    "api_settings_password": "/api/v1/settings/users/la-clerk/password/",
    "api_settings_member": "/api/v1/settings/members/la-clerk/",
    "api_what_if": "/api/v1/what-if/asked/",
}


def _patterns(
    resolver: URLResolver, prefix: str = ""
) -> Iterator[tuple[str, str | None, URLPattern]]:
    for item in resolver.url_patterns:
        if isinstance(item, URLResolver):
            yield from _patterns(item, prefix + str(item.pattern))
        else:
            yield prefix + str(item.pattern), item.name, item


def test_every_address_of_the_api_has_a_row() -> None:
    names = {name for path, name, _ in _patterns(get_resolver()) if path.startswith("api/v1/")}
    assert names == set(API) | PUBLIC
    assert set(PATHS) == set(API)


def test_every_method_of_a_view_has_a_row() -> None:
    for path, name, pattern in _patterns(get_resolver()):
        if not path.startswith("api/v1/") or name in PUBLIC or name is None:
            continue
        view: Any = pattern.callback.view_class  # type: ignore[attr-defined]
        methods = {
            method for method in ("get", "post", "put", "patch", "delete") if hasattr(view, method)
        }
        assert methods == set(API[name])
        assert {method.upper() for method in methods} == set(view.commands)


@pytest.mark.parametrize(
    ("name", "method"), [(name, method) for name, row in API.items() for method in row]
)
def test_an_address_answers_its_roles_and_refuses_the_others(
    floor: Floor, client_for: ClientFor, name: str, method: str
) -> None:
    clerk = client_for(floor.clerk)
    clerk.post("/api/v1/rounds/", round_body(1), format="json")
    question = {"id": "asked", "changes": {}}
    client_for(floor.manager).post("/api/v1/what-if/", question, format="json")
    for user in floor.users:
        answer = getattr(client_for(user), method)(PATHS[name], {}, format="json")
        if user.role in API[name][method]:
            # An empty body may be refused for what it lacks, never for who sent it.
            assert answer.status_code in {200, 400, 409}, (user.role, answer.content)
        else:
            assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert Round.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "method"), [(name, method) for name, row in API.items() for method in row]
)
def test_an_address_refuses_the_signed_out_and_the_dismissed(
    floor: Floor, client_for: ClientFor, name: str, method: str
) -> None:
    stranger = Client()
    answer = getattr(stranger, method)(PATHS[name], {}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (401, "not_authenticated")

    dismissed = client_for(floor.manager)
    User.objects.update(is_active=False)
    answer = getattr(dismissed, method)(PATHS[name], {}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")


@pytest.mark.parametrize("name", sorted(PUBLIC - {"api_token"}))
def test_the_description_of_the_api_is_open(client: Client, db: None, name: str) -> None:
    path = {"api_schema": "/api/v1/schema/", "api_docs": "/api/v1/docs/"}[name]
    assert client.get(path).status_code == 200


def test_who_may_read_may_ask_for_the_headers_alone(floor: Floor, client_for: ClientFor) -> None:
    path = PATHS["api_performance"] + "?from=2026-11-29&to=2026-11-29&group_by=table"
    assert client_for(floor.manager).head(path).status_code == 200
    assert client_for(floor.clerk).head(path).status_code == 403


def test_a_superuser_flag_alone_allows_nothing(floor: Floor, client_for: ClientFor) -> None:
    User.objects.filter(pk=floor.surveillance.pk).update(is_superuser=True, is_staff=True)
    client = client_for(floor.surveillance)
    assert client.post("/api/v1/rounds/", round_body(1), format="json").status_code == 403


def test_every_role_has_a_row_and_every_command_has_a_role() -> None:
    assert set(COMMANDS_OF_ROLE) == set(Role)
    assert frozenset().union(*COMMANDS_OF_ROLE.values()) == set(Command)


def test_a_session_needs_its_csrf_token(floor: Floor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(floor.clerk)

    assert client.get("/api/v1/rounds/").status_code == 200
    answer = client.post("/api/v1/rounds/", round_body(1), content_type="application/json")

    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert Round.objects.count() == 0
