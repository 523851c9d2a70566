"""Chromium, with and without scripts, on a server that really listens."""

import datetime as dt
import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.handlers.base import BaseHandler
from django.db import connection
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.test import Client
from django.utils import timezone
from playwright.sync_api import Browser, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

from tests.builders import Floor, build_floor

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """The browser of this machine; in CI it has to be there.

    Its driver runs an event loop in this thread for as long as it lives, so it lives for one module
    only, and Django is told meanwhile that what the test reads is the test's own.
    """
    if not CHROMIUM.exists() and os.environ.get("CI", "").lower() not in {"1", "true"}:
        pytest.skip(f"there is no browser at {CHROMIUM}")
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(autouse=True)
def _one_request_at_a_time_on_a_shared_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite in memory is one connection for all threads of the test server.

    Two requests at once would then stand in one another's transaction, which no database that the
    product runs on can do. On PostgreSQL requests run side by side, as they do in life.
    """
    if connection.vendor != "sqlite":
        return
    alone = threading.Lock()
    get_response = BaseHandler.get_response

    def get_response_alone(self: BaseHandler, request: HttpRequest) -> HttpResponseBase:
        with alone:
            return get_response(self, request)

    monkeypatch.setattr(BaseHandler, "get_response", get_response_alone)


@pytest.fixture
def working_floor(chromium: Browser, live_server: LiveServer) -> Floor:
    """A floor whose tables have been open since yesterday by the real clock."""
    return build_floor(opened_at=timezone.now() - dt.timedelta(days=1))


@pytest.fixture(params=[True, False], ids=["scripts", "no-scripts"])
def has_scripts(request: pytest.FixtureRequest) -> bool:
    """Once as a browser is, once with scripts switched off."""
    return bool(request.param)


@pytest.fixture
def browser_page(
    chromium: Browser, working_floor: Floor, live_server: LiveServer, has_scripts: bool
) -> Iterator[Page]:
    """A page of a fresh browser; a script that fails or is refused fails the test."""
    context = chromium.new_context(base_url=live_server.url, java_script_enabled=has_scripts)
    page = context.new_page()
    page.set_default_timeout(15_000)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda message: (
            complaints.append(message.text)
            if message.type == "error" and "the server responded" not in message.text
            else None
        ),
    )
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def clerk_page(browser_page: Page, working_floor: Floor, live_server: LiveServer) -> Page:
    """A page of a clerk who signed in some time ago."""
    client = Client()
    client.force_login(working_floor.clerk)
    session = client.cookies["sessionid"].value
    browser_page.context.add_cookies(
        [{"name": "sessionid", "value": session, "url": live_server.url}]
    )
    return browser_page
