"""A clerk's way through the product, by keyboard."""

import datetime as dt
import re
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tables.models import Round
from tests.builders import golden_rounds

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PARTS = ("cards", "low", "high")
WAGERS = ("main", "dealer_break_bonus", "break_bonus")


def sign_in(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_label("Username")).to_be_focused()
    page.keyboard.type("la-clerk")
    page.keyboard.press("Tab")
    page.keyboard.type("password")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/tables/$"))


def open_entry(page: Page) -> None:
    page.goto("/tables/BP-01/entry/")
    expect(page.get_by_label("Dealer: Seven cards")).to_be_focused()


def fill_round(page: Page, golden: dict[str, Any]) -> None:
    """Put a round into the fields at once."""
    for part in PARTS:
        page.fill(f"#dealer_{part}", golden["dealer"][part])
    for seat in golden["seats"]:
        for part in PARTS:
            page.fill(f"#seat_{seat['seat']}_{part}", seat[part])
        for wager, amount_minor in seat["bets"].items():
            page.fill(f"#seat_{seat['seat']}_{wager}", f"{amount_minor / 100:.2f}")


def type_round(page: Page, golden: dict[str, Any]) -> None:
    """Type a round from the first field on; Tab leads through the form in its order."""
    texts = [golden["dealer"].get(part, "") for part in PARTS]
    for seat in golden["seats"]:
        texts += [seat[part] for part in PARTS]
        texts += [f"{seat['bets'][w] / 100:.2f}" if w in seat["bets"] else "" for w in WAGERS]
    for text in texts:
        page.keyboard.type(text)
        page.keyboard.press("Tab")


def golden_with_seats(*seats: int) -> dict[str, Any]:
    """A golden round whose first seats are these, so that typing skips no row."""
    return next(
        golden
        for golden in golden_rounds()
        if tuple(seat["seat"] for seat in golden["seats"]) == seats
        and not golden["expect"]["dealer"]["compliant"]
        and "low" in golden["dealer"]
    )


def test_a_round_is_entered_previewed_and_recorded_by_keyboard(browser_page: Page) -> None:
    page, golden = browser_page, golden_with_seats(1, 2, 3, 4)
    sign_in(page)
    page.get_by_role("link", name="Enter a round at BP-01").press("Enter")
    expect(page.get_by_label("Dealer: Seven cards")).to_be_focused()
    type_round(page, golden)
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="BP-01: check and record")).to_be_visible()
    expect(page.get_by_role("rowheader", name="House net")).to_be_visible()
    expect(page.locator("body")).not_to_contain_text("BP-5")
    assert Round.objects.count() == 0
    expect(page.get_by_role("button", name="Record round")).to_be_focused()
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/tables/BP-01/rounds/1/"))
    played = Round.objects.get()
    assert played.house_net_minor == golden["expect"]["house_net_minor"]
    expect(page.get_by_text("✗ Deviation")).to_be_visible()
    beside = page.locator("table.beside")
    expect(beside.get_by_role("row", name="As set")).to_contain_text(golden["dealer"]["low"])
    required = beside.get_by_role("row", name="House way")
    expect(required).to_contain_text(golden["expect"]["dealer"]["low"])
    expect(required).to_contain_text(golden["expect"]["dealer"]["high"])

    expect(page.get_by_role("link", name="Next round at BP-01")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Dealer: Seven cards")).to_be_focused()


def test_a_fault_stands_beside_its_field_and_has_the_focus(clerk_page: Page) -> None:
    page = clerk_page
    open_entry(page)
    fill_round(page, golden_with_seats(1, 2, 3, 4))
    page.get_by_label("Seat 2: Main bet").fill("10,0")
    page.get_by_label("Seat 2: Main bet").focus()
    page.keyboard.press("Enter")

    field = page.get_by_label("Seat 2: Main bet")
    expect(field).to_be_focused()
    expect(field).to_have_value("10,0")
    expect(field).to_have_attribute("aria-invalid", "true")
    fault = "expected an amount such as 100 or 12.50, got '10,0'"
    expect(page.locator("#seat_2_main_fault")).to_have_text(fault)
    expect(field).to_have_accessible_description(re.compile(re.escape(fault)))
    expect(page.get_by_role("alert")).to_contain_text(f"Seat 2: Main bet: {fault}")

    page.keyboard.press("Control+A")
    page.keyboard.type("10")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Record round").click()
    expect(page).to_have_url(re.compile("/rounds/1/"))
    assert Round.objects.count() == 1


@pytest.mark.parametrize("pause_ms", [0, 80])
def test_f03_a_double_click_stores_one_round(clerk_page: Page, pause_ms: int) -> None:
    page = clerk_page
    open_entry(page)
    fill_round(page, golden_with_seats(1, 2, 3, 4))
    record = page.get_by_role("button", name="Record round")
    record.scroll_into_view_if_needed()
    box = record.bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*middle, click_count=1)
    page.wait_for_timeout(pause_ms)
    page.mouse.click(*middle, click_count=1)

    expect(page).to_have_url(re.compile(r"/rounds/1/\?note=(recorded|replayed)"))
    assert Round.objects.count() == 1


def test_x29_the_back_button_neither_stores_again_nor_leaves_dead_buttons(clerk_page: Page) -> None:
    page = clerk_page
    open_entry(page)
    fill_round(page, golden_with_seats(1, 2, 3, 4))
    page.get_by_role("button", name="Record round").click()
    expect(page).to_have_url(re.compile("/rounds/1/"))
    page.go_back()

    record = page.get_by_role("button", name="Record round")
    expect(record).to_be_enabled()
    assert Round.objects.count() == 1
    if page.get_by_label("Dealer: Seven cards").input_value():
        record.click()
        expect(page).to_have_url(re.compile(r"/rounds/1/\?note=replayed"))
        assert Round.objects.count() == 1


class TestLook:
    """What needs no second look with scripts."""

    @pytest.fixture
    def has_scripts(self) -> bool:
        return False

    def test_x29_targets_are_large_enough_for_a_finger(self, clerk_page: Page) -> None:
        page = clerk_page
        open_entry(page)
        for path in ("/tables/", "/tables/BP-01/entry/", "/rounds/", "/tables/BP-01/misdeal/"):
            page.goto(path)
            for control in page.locator("main").locator("input, select, button, .button").all():
                box = control.bounding_box()
                assert box is None or box["height"] >= 44 or not control.is_visible(), path

    @pytest.mark.parametrize("width", [768, 1280])
    def test_a_page_is_never_wider_than_its_window(self, clerk_page: Page, width: int) -> None:
        page = clerk_page
        page.set_viewport_size({"width": width, "height": 900})
        open_entry(page)
        for path in ("/tables/", "/tables/BP-01/entry/", "/rounds/", "/misdeals/"):
            page.goto(path)
            box = page.locator("main").bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width, path


class TestWithScripts:
    """What the script adds."""

    @pytest.fixture
    def has_scripts(self) -> bool:
        return True

    @pytest.fixture
    def page(self, clerk_page: Page) -> Page:
        open_entry(clerk_page)
        return clerk_page

    def test_cards_are_counted_and_repeats_are_seen_while_typing(self, page: Page) -> None:
        page.get_by_label("Dealer: Seven cards").fill("As 10d Jk")
        expect(page.locator("#dealer_cards_count")).to_have_text("3 of 7")
        expect(page.locator("#duplicates")).to_be_empty()
        page.get_by_label("Seat 1: Seven cards").fill("joker tD 2s a♠")
        expect(page.locator("#seat_1_cards_count")).to_have_text("4 of 7")
        expect(page.locator("#duplicates")).to_have_text("Seen too often: As Td Jk")
        page.get_by_label("Seat 1: Seven cards").fill("2s")
        expect(page.locator("#duplicates")).to_be_empty()

    def test_control_and_enter_record_at_once(self, page: Page) -> None:
        fill_round(page, golden_with_seats(1, 2, 3, 4))
        page.get_by_label("Seat 1: Low").press("Control+Enter")
        expect(page).to_have_url(re.compile("/rounds/1/"))

    def test_arrows_change_the_row(self, page: Page) -> None:
        page.get_by_label("Seat 1: Main bet").press("ArrowDown")
        expect(page.get_by_label("Seat 2: Main bet")).to_be_focused()
        page.keyboard.press("ArrowUp")
        page.keyboard.press("ArrowUp")
        expect(page.get_by_label("Seat 1: Main bet")).to_be_focused()

    def test_a_key_held_down_does_not_record(self, page: Page) -> None:
        fill_round(page, golden_with_seats(1, 2, 3, 4))
        page.get_by_label("Seat 1: Low").focus()
        page.keyboard.down("Enter")
        expect(page.get_by_role("button", name="Record round")).to_be_focused()
        page.keyboard.down("Enter")
        page.keyboard.up("Enter")
        expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
        assert Round.objects.count() == 0

    def test_the_round_is_dated_when_its_entry_begins(self, page: Page) -> None:
        time = page.locator("#occurred_at")
        opened = dt.datetime.fromisoformat(time.input_value())
        page.wait_for_timeout(2_100)
        page.get_by_label("Dealer: Seven cards").type("A")
        begun = dt.datetime.fromisoformat(time.input_value())
        assert dt.timedelta(seconds=2) <= begun - opened <= dt.timedelta(seconds=20)
        page.wait_for_timeout(1_100)
        page.get_by_label("Dealer: Seven cards").type("s")
        assert dt.datetime.fromisoformat(time.input_value()) == begun

    def test_a_round_of_a_full_minute_keeps_its_seconds(self, page: Page) -> None:
        # A browser leaves out seconds that are zero: "17:03:00" is read back as "17:03".
        def at_a_full_minute(route: Route) -> None:
            answer = route.fetch()
            body = re.sub(r'value="(20[0-9T:-]{14}):[0-9]{2}"', r'value="\1:00"', answer.text())
            route.fulfill(response=answer, body=body)

        page.route("**/entry/", at_a_full_minute)
        page.reload()
        time = page.locator("#occurred_at")
        opened = dt.datetime.fromisoformat(time.input_value())
        assert opened.second == 0
        page.wait_for_timeout(1_100)
        page.get_by_label("Dealer: Seven cards").type("A")
        assert dt.datetime.fromisoformat(time.input_value()) > opened

    def test_x29_signing_in_in_another_tab_keeps_the_typed_round(self, page: Page) -> None:
        fill_round(page, golden_with_seats(1, 2, 3, 4))
        other = page.context.new_page()
        other.goto("/tables/")
        expect(other.get_by_role("button", name="Sign out")).to_be_visible()
        other.get_by_role("button", name="Sign out").click()
        sign_in(other)
        page.get_by_role("button", name="Record round").click()
        expect(page).to_have_url(re.compile("/rounds/1/"))
        assert Round.objects.count() == 1
