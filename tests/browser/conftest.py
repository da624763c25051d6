"""Fixtures for a real Streamlit server and a real browser: `serve` starts a script, and `open_page`
opens it.
"""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partialmethod
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from tests.browser.places import at_rest, until
from tests.browser.player_page import APP, wait_for_player
from tests.waits import read_local

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
UNOPTIMISED = "--js-flags=--no-opt,--no-maglev"
"""In a test, a page lives for seconds: optimising its scripts takes more time than it saves."""
POLLING = 50
"""Time between two evaluations of a condition [ms]; by default, the browser evaluates it in every
frame, which takes a tenth of a core.
"""
START_SECONDS = 300
TEST_SECONDS = 1_200
Scheme = Literal["light", "dark"]
Motion = Literal["no-preference", "reduce"]
Shown = tuple[str, int, int, Scheme, Motion]
"""How a page was opened: its address and size, and the preferences of the browser."""
LIMIT = 120_000
"""Time limit for a state to be reached [ms]; the machine may be ten times slower than usual."""
expect.set_options(timeout=LIMIT)
CANCEL_ALL = """() => {
  const buttons = document.querySelectorAll("[class*='st-key-cancel-'] button");
  buttons.forEach((button) => button.click());
  return buttons.length;
}"""
"""Presses all buttons that cancel a run, and returns the number of unfinished runs.
"""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Raise the time limit of browser tests, which consist of many long waits."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.timeout(TEST_SECONDS))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. If it is not installed, the tests are skipped, except on CI, where they fail."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        absent = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        absent(f"no browser: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=[*FLAGS, UNOPTIMISED])
        with pytest.MonkeyPatch.context() as patch:
            wait = partialmethod(Page.wait_for_function, polling=POLLING)
            patch.setattr(Page, "wait_for_function", wait)
            yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Return a function that serves a script on a free port, once per session, and returns its
    address.
    """
    servers: dict[Path, tuple[subprocess.Popen[bytes], str]] = {}

    def start(script: Path) -> str:
        if script not in servers:
            servers[script] = start_server(script)
        return servers[script][1]

    yield start
    for server, _ in servers.values():
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture(scope="session")
def tabs() -> Iterator[list[Page]]:
    """Unused tabs, each in its own context.

    A page takes twice as long to load in a new tab, because its scripts are compiled again.
    """
    unused: list[Page] = []
    yield unused
    for page in unused:
        page.context.close()


@pytest.fixture(scope="session")
def shown(tabs: list[Page]) -> Iterator[dict[Shown, Page]]:
    """The page that a test left open with `keep`, if any."""
    pages: dict[Shown, Page] = {}
    yield pages
    for page in pages.values():
        page.context.close()


@pytest.fixture
def open_page(
    browser: Browser, tabs: list[Page], shown: dict[Shown, Page]
) -> Iterator[Callable[..., Page]]:
    """Return a function that opens an address without cookies or storage; errors of the page fail
    the test.

    With `keep`, the page stays open, and the next test reuses it if it opens the same address in
    the same way and with `keep`. A test that uses `keep` must not change the page.
    """
    used: list[Page] = []
    errors: list[str] = []

    def note(error: Error) -> None:
        errors.append(str(error))

    def release_shown() -> None:
        page = shown.popitem()[1]
        if page not in used:
            clean(page)
            tabs.append(page)

    def open_(
        url: str,
        width: int = 1280,
        height: int = 720,
        scheme: Scheme = "light",
        reduced_motion: Motion = "no-preference",
        *,
        keep: bool = False,
    ) -> Page:
        key = (url, width, height, scheme, reduced_motion)
        if shown and not (keep and key in shown):
            release_shown()
        page = shown.get(key) or (tabs.pop() if tabs else new_tab(browser))
        if page not in used:
            used.append(page)
            page.on("pageerror", note)
        if key not in shown:
            page.set_viewport_size({"width": width, "height": height})
            page.emulate_media(color_scheme=scheme, reduced_motion=reduced_motion)
            page.goto(url)
        if keep:
            shown[key] = page
        return page

    yield open_
    if errors:
        shown.clear()
    for page in used:
        if page.is_closed():
            page.context.close()
            continue
        if page not in shown.values():
            clean(page)
            tabs.append(page)
        page.remove_listener("pageerror", note)
    assert not errors


def new_tab(browser: Browser) -> Page:
    context = browser.new_context()
    context.set_default_timeout(LIMIT)
    return context.new_page()


def stop_runs(page: Page) -> None:
    """Cancel the runs that a test leaves behind; they would slow down all later tests."""
    until(page, lambda: page.evaluate(CANCEL_ALL) == 0)


def clean(page: Page) -> None:
    """Leave the page and clear its storage, so that another test can use its tab."""
    stop_runs(page)
    for other in page.context.pages:
        if other is not page:
            other.close()
    address = urlsplit(page.url)
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.context.clear_cookies()
    if address.scheme == "http":
        devtools = page.context.new_cdp_session(page)
        origin = f"{address.scheme}://{address.netloc}"
        devtools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})
        devtools.detach()


@pytest.fixture(scope="session")
def address_of_run(serve: Callable[[Path], str], browser: Browser) -> str:
    """The address of a run of two iterations on Experiment 1, which is computed once for all
    tests.
    """
    page = new_tab(browser)
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve(ROOT / 'app.py')}/iterations?steps=2")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_text("Done: 2 iterations").wait_for()
    page.wait_for_url(re.compile("[?&]job="))
    at_rest(page)
    address = page.url
    page.context.close()
    return address


@pytest.fixture
def ran(open_page, address_of_run):
    """A page with this run, in a window that is high enough for all views."""
    page = open_page(address_of_run, height=1400, reduced_motion="reduce")
    expect(page.get_by_test_id("stDataFrame").first).to_be_visible()
    wait_for_player(page, last=2)
    return page


@pytest.fixture
def player(serve, open_page):
    """Return a function that opens the test app with a query and waits until the player has all
    frames.
    """

    def open_(query="case=two", ready=True, **options):
        page = open_page(f"{serve(APP)}/?{query}", **options)
        page.locator(".player").wait_for(state="attached")
        if ready:
            wait_for_player(page)
        return page

    return open_


def start_server(script: Path) -> tuple[subprocess.Popen[bytes], str]:
    """Start a server in a separate process; return it and its address. The caller ends it."""
    port = _free_port()
    options = [f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
    # Test workers and their browsers occupy the cores, so a run with low priority would never end.
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "IA_NICENESS": "0"}
    server = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/_stcore/health", server)
    except BaseException:
        server.kill()
        server.wait()
        raise
    return server, url


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def _wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and server.poll() is None:
        if read_local(url):
            return
        time.sleep(0.1)
    raise RuntimeError(f"{url} did not answer (exit code {server.poll()})")
