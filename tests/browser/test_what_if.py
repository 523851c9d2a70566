"""Asking what if in a browser: faults beside their fields, progress, and the comparison."""

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from reporting.what_if.models import WhatIf
from reporting.what_if.work import take_next, work_off
from tests.builders import Floor

MINUTE = dt.timedelta(minutes=1)

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def manager_page(browser_page: Page, working_floor: Floor, live_server: LiveServer) -> Page:
    """A page of a manager who signed in some time ago."""
    client = Client()
    client.force_login(working_floor.manager)
    session = client.cookies["sessionid"].value
    browser_page.context.add_cookies(
        [{"name": "sessionid", "value": session, "url": live_server.url}]
    )
    return browser_page


def test_a_manager_asks_waits_and_compares(manager_page: Page) -> None:
    page = manager_page
    page.goto("/reports/what-if/")
    page.get_by_label("Dealer qualifies with at least").fill("A-3-2")
    page.get_by_label("Trips pays").fill("7 to 1")
    page.get_by_role("button", name="Work it out").click()

    fault = page.locator("[id='qualifier_fault']")
    expect(fault).to_contain_text("these cards are A-2-3, a straight")
    expect(page.get_by_label("Dealer qualifies with at least")).to_be_focused()
    expect(page.get_by_label("Trips pays")).to_have_value("7 to 1")
    page.get_by_role("alert").get_by_role("link").click()

    page.get_by_label("Dealer qualifies with at least").fill("K-3-2")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What if: Break Bonus trips 7 to 1")
    expect(page.get_by_role("status")).to_contain_text("Waiting for a worker, 0 %")
    taken = take_next(at=timezone.now() - 2 * MINUTE)
    assert taken is not None
    WhatIf.objects.update(progress=40)
    # The page loads itself again, with scripts and without.
    expect(page.get_by_role("status")).to_contain_text("Running, 40 %")
    assert page.get_by_role("progressbar").get_attribute("value") == "40"

    # That worker has given no sign of life for two minutes; the next one answers.
    assert work_off() == 1
    expect(page.locator(".comparison")).to_be_visible()
    row = page.get_by_role("region", name="Break Bonus", exact=True).first
    expect(row.get_by_role("row", name="House edge")).to_contain_text("7.2379 %")
    expect(row.get_by_role("row", name="House edge")).to_contain_text("3.0971 %")
    page.get_by_role("link", name="Ask another").click()
    expect(page.get_by_role("row", name="Break Bonus trips 7 to 1")).to_contain_text("Done")


@pytest.mark.parametrize("width", [1280, 820, 390])
def test_pages_fit_their_width(manager_page: Page, width: int) -> None:
    page = manager_page
    page.set_viewport_size({"width": width, "height": 900})
    page.goto("/reports/what-if/")
    page.get_by_label("A-K-Q pays").fill("nothing")
    page.get_by_role("button", name="Work it out").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert work_off() == 1
    expect(page.locator(".comparison")).to_be_visible()
    for path in (page.url, "/reports/what-if/"):
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
