"""The pages of what-ifs: the form with its faults, progress, failure, and the list."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from games.engine.rulesets import PUBLISHED_ANALYSIS
from reporting.what_if.models import WhatIf
from tables.models import AuditEntry, Role, User
from tests.builders import Floor, build_user
from tests.pages.conftest import faults_of
from tests.reporting.what_ifs import ask

URL = "/reports/what-if/"


@pytest.fixture
def manager(floor: Floor) -> Client:
    """A signed-in manager of `floor`; a fault of ours is an answer."""
    client = Client(raise_request_exception=False)
    client.force_login(floor.manager)
    return client


def typed(client: Client, **changes: str) -> dict[str, str]:
    """The form as a browser sends it: what stands in its fields, with some typed over."""
    html = client.get(URL).content.decode()
    fields = dict(
        re.findall(r'<input type="(?:text|hidden)"[^>]* name="([^"]+)" value="([^"]*)"', html)
    )
    fields.pop("csrfmiddlewaretoken", None)
    return {**fields, **{name.replace("__", "."): text for name, text in changes.items()}}


def words_of(answer: Any) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", answer.content.decode())).split())


def test_form_holds_todays_rules(floor: Floor, manager: Client) -> None:
    fields = typed(manager)
    assert re.fullmatch(r"[0-9a-f-]{36}", fields.pop("id"))
    assert fields == {
        "qualifier": "K-3-2",
        "house_way": "1 2 3 4 5 6 7",
        "main": "1 to 1",
        "dealer_break_bonus.both": "4 to 1",
        "dealer_break_bonus.dealer_only": "1 to 1",
        "break_bonus.five_aces": "200 to 1",
        "break_bonus.five_of_a_kind": "100 to 1",
        "break_bonus.trips": "6 to 1",
        "break_bonus.akq": "3 to 1",
        "break_bonus.straight": "1 to 1",
        "last_rounds": "1000",
    }
    floor.casino.ruleset_id = PUBLISHED_ANALYSIS.id
    floor.casino.save()
    assert typed(manager)["qualifier"] == "A-4-2"


def test_every_field_has_its_label(manager: Client) -> None:
    html = manager.get(URL).content.decode()
    for name in typed(manager):
        if name != "id":
            assert html.count(f'<label for="{name}">') == 1
            assert html.count(f'id="{name}"') == 1


def test_only_what_was_changed_is_a_change(manager: Client) -> None:
    fields = typed(
        manager,
        qualifier="a-high",
        house_way=" 1, 2,5 3 4 6 7 ",
        break_bonus__trips="7 to 1",
        break_bonus__akq=" Nothing ",
        main=" 1  to 1",
        last_rounds=" 250 ",
    )
    answer = manager.post(URL, fields)

    row = WhatIf.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, f"{URL}{row.what_if_id}/")
    assert row.what_if_id == fields["id"]
    assert row.last_rounds == 250
    assert row.changes == {
        "qualifier": "A-4-2",
        "house_way": [1, 2, 5, 3, 4, 6, 7],
        "break_bonus": {"trips": "7 to 1", "akq": None},
    }


def test_form_sent_twice_asks_once_and_changed_it_is_told(manager: Client) -> None:
    fields = typed(manager, qualifier="A-high")
    first, second = (manager.post(URL, fields) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert WhatIf.objects.count() == 1

    answer = manager.post(URL, {**fields, "last_rounds": "1"})
    assert answer.status_code == 409
    assert faults_of(answer).keys() == {"last_rounds"}
    assert WhatIf.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("qualifier", "A-3-2", "these cards are A-2-3, a straight"),
        ("qualifier", "", "expected none, a top card"),
        ("qualifier", "<script>x</script>", "expected none, a top card"),
        ("house_way", "1 2 3 3 4 6 7", "without 5"),
        ("house_way", "1 2 3 4 5 6 7 7", "more than seven"),
        ("house_way", "eins zwei", "expected each of the steps"),
        ("house_way", "", "expected each of the steps"),
        ("house_way", "١ 2 3 4 5 6 7", "expected each of the steps"),
        ("main", "0 to 1", "expected odds"),
        ("main", "nothing", "expected odds"),
        ("dealer_break_bonus.both", "4:1", "expected odds"),
        ("break_bonus.five_aces", "1000000 to 1", "with numbers up to 100000"),
        ("break_bonus.straight", "", "expected odds"),
        ("last_rounds", "20001", "expected a whole number from 0 to 20000"),
        ("last_rounds", "-1", "expected a whole number"),
        ("last_rounds", "", "expected a whole number"),
        ("last_rounds", "1e3", "expected a whole number"),
        ("last_rounds", "9" * 5000, "expected a whole number"),
    ],
)
def test_fault_stands_beside_its_field_and_what_was_typed_stays(
    manager: Client, name: str, text: str, says: str
) -> None:
    fields = {**typed(manager, main="3 to 2"), name: text}
    answer = manager.post(URL, fields)

    assert answer.status_code == 400
    assert faults_of(answer).keys() == {name}
    assert says in faults_of(answer)[name][0]
    html = answer.content.decode()
    assert f'aria-describedby="{name}_fault' in html
    assert "<script>x" not in html
    shown = {bound.html_name: bound.value() for bound in answer.context["form"].visible_fields()}
    assert shown == {key: value for key, value in fields.items() if key != "id"}
    assert f'name="id" value="{fields["id"]}"' in html
    assert (WhatIf.objects.count(), AuditEntry.objects.filter(command="what_if").count()) == (0, 0)


def test_all_faults_are_told_at_once(manager: Client) -> None:
    answer = manager.post(URL, typed(manager, qualifier="?", main="?", break_bonus__akq="?"))
    assert list(faults_of(answer)) == ["qualifier", "main", "break_bonus.akq"]


@pytest.mark.parametrize("what_if_id", ["", "../x", "x" * 65, "<b>"])
def test_forged_id_is_a_fault_of_the_form(manager: Client, what_if_id: str) -> None:
    answer = manager.post(URL, {**typed(manager), "id": what_if_id})
    assert answer.status_code == 400
    [told] = answer.context["form"].non_field_errors()
    assert told.startswith("expected 1 to 64 letters, digits, dots")
    assert "<b>" not in answer.content.decode().replace("<bdi>", "")
    assert not WhatIf.objects.exists()


def test_empty_form_changes_nothing_and_is_refused_for_its_id(manager: Client) -> None:
    assert manager.post(URL, {}).status_code == 400
    assert not WhatIf.objects.exists()


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({}, "Waiting for a worker, 0 %"),
        ({"state": "running", "progress": 40}, "Running, 40 %"),
    ],
)
def test_page_loads_itself_again_until_it_is_over(
    floor: Floor, manager: Client, fields: dict[str, Any], says: str
) -> None:
    row = ask(floor)
    WhatIf.objects.filter(pk=row.pk).update(**fields)
    answer = manager.get(f"{URL}w1/")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert says in words_of(answer)
    assert '<meta http-equiv="refresh" content="2; url=/reports/what-if/w1/">' in html
    assert f'<progress id="progress" max="100" value="{fields.get("progress", 0)}">' in html
    assert "What if: qualifier A-4-2" in words_of(answer)


def test_failure_says_why_and_the_page_rests(floor: Floor, manager: Client) -> None:
    row = ask(floor)
    WhatIf.objects.filter(pk=row.pk).update(state="failed", error="it took <too> long")
    answer = manager.get(f"{URL}w1/")
    assert 'http-equiv="refresh"' not in answer.content.decode()
    assert "This could not be answered it took <too> long" in words_of(answer)


def test_latest_are_listed_with_how_far_they_are(floor: Floor, manager: Client) -> None:
    assert "Nothing has been asked yet." in words_of(manager.get(URL))
    ask(floor, "first", changes={})
    ask(floor, "second", changes={"break_bonus": {"five_of_a_kind": "50 to 1"}})
    WhatIf.objects.filter(what_if_id="second").update(state="running", progress=12)
    text = words_of(manager.get(URL))
    second = text.index("Break Bonus five of a kind 50 to 1 100 Running 12 %")
    assert second < text.index("nothing changed 100 Waiting for a worker")


def test_name_cannot_turn_its_row_round(floor: Floor, manager: Client) -> None:
    ask(floor)
    User.objects.filter(pk=floor.manager.pk).update(username="boss\u202eevil")
    for path in (URL, f"{URL}w1/"):
        html = manager.get(path).content.decode()
        assert "\u202e" not in html
        assert "boss[U+202E]evil" in html


def test_only_managers_may_see_the_pages(floor: Floor, client: Client) -> None:
    ask(floor)
    for user in (*floor.users, build_user(None, Role.MANAGER)):
        client.force_login(user)
        expected = 200 if user == floor.manager else 403
        assert client.get(URL).status_code == expected
        assert client.get(f"{URL}w1/").status_code == expected
        if user != floor.manager:
            assert client.post(URL, {"id": "w2"}).status_code == 403
    client.logout()
    assert client.get(URL)["Location"] == f"/sign-in/?next={URL}"
    assert WhatIf.objects.count() == 1


def test_page_answers_no_other_method(floor: Floor, manager: Client) -> None:
    ask(floor)
    assert manager.put(URL).status_code == 405
    assert manager.post(f"{URL}w1/").status_code == 405
    assert manager.get(f"{URL}w2/").status_code == 404
    enforcing = Client(enforce_csrf_checks=True)
    enforcing.force_login(floor.manager)
    assert enforcing.post(URL, {"id": "w2"}).status_code == 403
