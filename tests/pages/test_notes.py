"""Notes on a round, as pages: the form, what is wrong with it, and where the note is read."""

from django.test import Client

from tables.models import RoundNote
from tests.builders import Floor, record, round_body
from tests.pages.conftest import SignedIn, text_of

NOTE = "/tables/BP-01/rounds/1/note/"
TYPED = {"id": "n1", "text": "two decks\nwere in use", "reason": "found on tape"}


def test_a_note_is_recorded_once_and_read_on_the_round(
    floor: Floor, page: Client, signed_in: SignedIn
) -> None:
    record(floor, round_body(3))
    surveillance = signed_in(floor.surveillance)
    shown = page.get("/tables/BP-01/rounds/1/").content.decode()
    assert 'href="/tables/BP-01/rounds/1/note/"' in shown

    first = surveillance.post(NOTE, TYPED)
    again = surveillance.post(NOTE, TYPED)

    assert first.headers["Location"] == "/tables/BP-01/rounds/1/?note=noted"
    assert again.headers["Location"] == "/tables/BP-01/rounds/1/?note=replayed"
    told = text_of(page.get("/tables/BP-01/rounds/1/"))
    assert "two decks were in use found on tape · la-surveillance" in told
    assert RoundNote.objects.count() == 1


def test_what_is_wrong_with_a_note_stands_beside_its_field(floor: Floor, page: Client) -> None:
    record(floor, round_body(3))

    answer = page.post(NOTE, {"id": "n1", "text": "a\x00b", "reason": " "})

    assert answer.status_code == 400
    assert set(answer.context["form"].errors) == {"text", "reason"}
    assert RoundNote.objects.count() == 0


def test_there_is_no_note_on_a_round_that_is_not_there(page: Client) -> None:
    assert [page.get(NOTE).status_code, page.post(NOTE, TYPED).status_code] == [404, 404]
