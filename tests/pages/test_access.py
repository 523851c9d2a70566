"""Who may see which page: every page of the URL conf has a row here (H39)."""

from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from tables.models import RefusedCommand, Role, User
from tables.permissions import COMMANDS_OF_ROLE, Command
from tables.urls import urlpatterns
from tests.builders import Floor, build_floor, build_user
from tests.pages.conftest import SignedIn, record, typed_round

C, F, S, M = Role.CLERK, Role.FLOOR_SUPERVISOR, Role.SURVEILLANCE, Role.MANAGER
A = Role.ADMINISTRATOR
EVERYONE = {C, F, S, M}

# The path of each page, its methods, and the roles that may ask for it.
PAGES: dict[str, tuple[str, dict[str, set[Role]]]] = {
    "tables": ("/tables/", {"get": EVERYONE | {A}}),
    "table_open": ("/tables/BP-01/open/", {"post": {F, M}}),
    "table_close": ("/tables/BP-01/close/", {"post": {F, M}}),
    "table_dealer": ("/tables/BP-01/dealer/", {"get": {C, F}, "post": {C, F}}),
    "round_entry": ("/tables/BP-01/entry/", {"get": {C, F}, "post": {C, F}}),
    "misdeal": ("/tables/BP-01/misdeal/", {"get": {C, F}, "post": {C, F}}),
    "round": ("/tables/BP-01/rounds/1/", {"get": EVERYONE}),
    "round_note": (
        "/tables/BP-01/rounds/1/note/",
        {"get": EVERYONE, "post": EVERYONE},
    ),
    "round_void": ("/tables/BP-01/rounds/1/void/", {"post": {F, M}}),
    "rounds": ("/rounds/", {"get": EVERYONE}),
    "misdeals": ("/misdeals/", {"get": EVERYONE}),
}
PUBLIC = {"home", "sign_in", "sign_out", "property_choice"}
CALLS = [(name, method) for name, (_, row) in PAGES.items() for method in row]


@pytest.fixture(autouse=True)
def _a_round(page: Client) -> None:
    record(page, typed_round(0))


def test_every_page_has_a_row_and_a_command() -> None:
    assert {pattern.name for pattern in urlpatterns} == set(PAGES) | PUBLIC
    for pattern in urlpatterns:
        assert isinstance(pattern, URLPattern)
        assert (pattern.name in PUBLIC) != hasattr(pattern.callback, "command")


@pytest.mark.parametrize(("name", "method"), CALLS)
def test_a_page_is_for_its_roles_only(
    floor: Floor, signed_in: SignedIn, name: str, method: str
) -> None:
    path, row = PAGES[name]
    for user in floor.users:
        answer = getattr(signed_in(user), method)(path)
        if user.role in row[method]:
            assert answer.status_code in {200, 302, 400, 409}, user.role
        else:
            assert answer.status_code == 403, user.role
            assert "your role does not include this" in answer.content.decode()


@pytest.mark.parametrize(("name", "method"), CALLS)
def test_signed_out_leads_to_sign_in_and_back(floor: Floor, name: str, method: str) -> None:
    path, _ = PAGES[name]
    answer = getattr(Client(), method)(path)
    back = path if method == "get" else "/"
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/sign-in/?next={back}")


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_answers_no_other_method(floor: Floor, signed_in: SignedIn, name: str) -> None:
    path, row = PAGES[name]
    client = signed_in(floor.supervisor)
    for method in {"get", "post", "put", "delete"} - set(row):
        assert getattr(client, method)(path).status_code == 405


@pytest.mark.parametrize(("name", "method"), CALLS)
def test_a_user_without_a_property_sees_nothing(
    floor: Floor, signed_in: SignedIn, name: str, method: str
) -> None:
    client = signed_in(build_user(None, Role.MANAGER))
    assert getattr(client, method)(PAGES[name][0]).status_code == 403
    assert client.get("/").status_code == 403


def test_rounds_and_tables_of_another_property_are_not_there(
    floor: Floor, signed_in: SignedIn
) -> None:
    build_floor(code="MO", zone="Asia/Macau")
    stranger = signed_in(User.objects.get(username="mo-manager"))
    assert stranger.get("/tables/BP-01/rounds/1/").status_code == 404
    assert stranger.post("/tables/BP-01/rounds/1/void/").status_code == 404
    assert "BP-01 / 1" not in stranger.get("/rounds/").content.decode()


@pytest.mark.parametrize("role", Role)
def test_navigation_holds_what_the_role_may_see(
    floor: Floor, signed_in: SignedIn, role: Role
) -> None:
    user = User.objects.get(memberships__role=role)
    body = signed_in(user).get("/tables/").content.decode()
    for path, command in (
        ("/tables/", Command.FLOOR_READ),
        ("/rounds/", Command.ROUND_READ),
        ("/misdeals/", Command.MISDEAL_READ),
        ("/reports/performance/", Command.REPORT_READ),
        ("/reports/what-if/", Command.WHAT_IF),
    ):
        assert (f'<li><a href="{path}"' in body) == (command in COMMANDS_OF_ROLE[role])
    assert user.get_username() in body
    assert user.get_role_display() in body
    assert "Casino LA" in body


@pytest.mark.parametrize(
    ("role", "start"),
    [(C, "/tables/"), (F, "/tables/"), (S, "/rounds/"), (M, "/reports/performance/")],
)
def test_each_role_starts_where_it_works(
    floor: Floor, signed_in: SignedIn, role: Role, start: str
) -> None:
    user = User.objects.get(memberships__role=role)
    answer = signed_in(user).get("/", follow=True)
    assert answer.redirect_chain == [(start, 302)]
    assert answer.status_code == 200


def sign_in(client: Client, username: str, password: str, **more: str) -> Any:
    return client.post("/sign-in/", {"username": username, "password": password, **more})


def test_signing_in_leads_back_to_the_page_asked_for(floor: Floor) -> None:
    answer = sign_in(Client(), "la-clerk", "password", next="/tables/BP-01/entry/")
    assert answer.headers["Location"] == "/tables/BP-01/entry/"
    assert sign_in(Client(), "la-clerk", "password").headers["Location"] == "/"


def test_signing_in_leads_to_no_other_site(floor: Floor) -> None:
    answer = sign_in(Client(), "la-clerk", "password", next="https://example.com/")
    assert answer.headers["Location"] == "/"


def test_an_unknown_user_and_a_wrong_password_look_alike(floor: Floor) -> None:
    unknown = sign_in(Client(), "nobody", "password")
    wrong = sign_in(Client(), "la-clerk", "wrong")
    User.objects.filter(username="la-clerk").update(is_active=False)
    dismissed = sign_in(Client(), "la-clerk", "password")
    for answer in (unknown, wrong, dismissed):
        assert answer.status_code == 400
        assert answer.context["form"].non_field_errors() == [
            "This user name and password do not belong together."
        ]


@pytest.mark.parametrize("name", ["", "\x00", "a" * 5000, "<script>x</script>"])
def test_x20_nonsense_at_sign_in_is_refused(floor: Floor, name: str) -> None:
    answer = sign_in(Client(raise_request_exception=False), name, name)
    assert answer.status_code == 400
    assert b"<script>x" not in answer.content


def test_signing_out_is_a_post(page: Client) -> None:
    assert page.get("/sign-out/").status_code == 405
    assert page.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert page.get("/tables/").status_code == 302


def test_a_form_needs_its_csrf_token(floor: Floor) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(floor.clerk)
    answer = record(client, typed_round(1, round_id="forged"))
    assert answer.status_code == 403
    assert "this form is out of date" in answer.content.decode()


def test_an_unknown_address_is_a_page(page: Client) -> None:
    for path in ("/nowhere/", "/tables/bp-01/entry/", "/tables/BP-01/rounds/0/"):
        answer = page.get(path)
        assert answer.status_code == 404
        assert "there is nothing at this address" in answer.content.decode()


def test_a_page_lets_in_nothing_from_elsewhere(page: Client) -> None:
    for path, row in PAGES.values():
        if "get" in row:
            body = page.get(path).content.decode()
            assert "Content-Security-Policy\" content=\"default-src 'self'" in body
            assert "//" not in body.replace("<!doctype html>", "").replace("http://testserver", "")


def test_x13_a_name_cannot_turn_its_row_round(floor: Floor, signed_in: SignedIn) -> None:
    User.objects.filter(pk=floor.clerk.pk).update(username="clerk\u202eevil")
    floor.casino.name = "<script>alert(1)</script>"
    floor.casino.save()
    for path in ("/tables/", "/rounds/", "/tables/BP-01/rounds/1/", "/tables/BP-01/entry/"):
        body = signed_in(floor.clerk).get(path).content.decode()
        assert "\u202e" not in body
        assert "clerk[U+202E]evil" in body
        assert "<script>alert" not in body


def test_a_refused_command_leaves_a_line_in_the_trail(floor: Floor, signed_in: SignedIn) -> None:
    client = signed_in(floor.clerk)
    assert client.post("/tables/BP-01/rounds/1/void/").status_code == 403
    assert client.get("/reports/performance/").status_code == 403

    line = RefusedCommand.objects.get()
    assert (line.actor, line.command, line.subject, line.code) == (
        floor.clerk,
        "round_void",
        "BP-01/1",
        "permission_denied",
    )
