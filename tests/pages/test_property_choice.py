"""People who work at more than one casino choose at which, and a form stays at its own."""

import pytest
from django.test import Client

from tables.models import Membership, Role, Round, User
from tests.builders import Floor, build_floor, build_member, build_user
from tests.pages.conftest import SignedIn, record, typed_round


@pytest.fixture
def two_houses(floor: Floor) -> User:
    """A clerk in Los Angeles and in Macau; both have a table BP-01."""
    macau = build_floor(code="MO", zone="Asia/Macau")
    user = build_user(floor.casino, Role.CLERK, "both")
    build_member(user, macau.casino, Role.CLERK)
    return user


def _choose(client: Client, code: str) -> None:
    assert client.post("/property/", {"property": code}).headers["Location"] == "/"


def test_without_a_choice_every_page_leads_to_it(two_houses: User, signed_in: SignedIn) -> None:
    client = signed_in(two_houses)
    for path in ("/", "/tables/", "/tables/BP-01/entry/", "/rounds/"):
        assert client.get(path).headers["Location"] == "/property/"
    assert record(client, typed_round(0)).headers["Location"] == "/property/"
    assert Round.objects.count() == 0

    body = client.get("/property/").content.decode()
    assert "Casino LA" in body
    assert "Casino MO" in body


def test_the_choice_holds_until_it_is_changed(two_houses: User, signed_in: SignedIn) -> None:
    client = signed_in(two_houses)
    _choose(client, "MO")
    assert "Casino MO" in client.get("/tables/").content.decode()
    assert 'href="/property/"' in client.get("/tables/").content.decode()
    _choose(client, "LA")
    record(client, typed_round(0))
    assert Round.objects.get().table.property.code == "LA"


def test_a_property_that_is_not_ones_own_is_not_chosen(
    two_houses: User, signed_in: SignedIn
) -> None:
    build_floor(code="NV")
    client = signed_in(two_houses)
    for code in ("NV", "", "nowhere"):
        assert client.post("/property/", {"property": code}).status_code == 404
    assert client.get("/tables/").headers["Location"] == "/property/"


def test_who_works_at_one_property_has_nothing_to_change(page: Client) -> None:
    assert 'href="/property/"' not in page.get("/tables/").content.decode()


def test_a_form_of_before_the_change_is_refused(two_houses: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(two_houses)

    def token(path: str) -> str:
        return str(client.get(path).context["csrf_token"])

    def choose(code: str) -> None:
        form = {"property": code, "csrfmiddlewaretoken": token("/property/")}
        assert client.post("/property/", form).status_code == 302

    choose("LA")
    opened_at_la = {**typed_round(0), "csrfmiddlewaretoken": token("/tables/BP-01/entry/")}
    choose("MO")

    answer = record(client, opened_at_la)

    assert answer.status_code == 403
    assert Round.objects.count() == 0


def test_a_form_is_not_carried_out_where_its_user_works_meanwhile(
    floor: Floor, signed_in: SignedIn
) -> None:
    client = signed_in(floor.clerk)
    client.get("/tables/BP-01/entry/")
    Membership.objects.filter(user=floor.clerk).update(is_active=False)
    build_member(floor.clerk, build_floor(code="MO").casino, Role.CLERK)

    assert record(client, typed_round(0)).headers["Location"] == "/property/"
    assert Round.objects.count() == 0
