"""A real Streamlit server and a real browser: `serve` starts a script, `open_page` shows it."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.player_page import APP, STATE

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_SECONDS = 60
expect.set_options(timeout=30_000)  # two browsers share two cores


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium; without one the tests are skipped, except on CI, where that is a failure."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        absent = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        absent(f"no browser: install one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Starts a script on a free port, once per session, and returns its address."""
    servers: dict[Path, tuple[subprocess.Popen[bytes], str]] = {}

    def start(script: Path) -> str:
        if script not in servers:
            servers[script] = start_server(script)
        return servers[script][1]

    yield start
    for server, _ in servers.values():
        server.terminate()
        server.wait(timeout=20)


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Callable[..., Page]]:
    """Opens an address in a context of its own; its errors fail the test at the end."""
    contexts, errors = [], []

    def open_(
        url: str,
        width: int = 1280,
        height: int = 720,
        scheme: str = "light",
        reduced_motion: str = "no-preference",
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,
            reduced_motion=reduced_motion,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(url)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors


@pytest.fixture
def player(serve, open_page):
    """Opens the fixture app with a query and waits until the player has its frames."""

    def open_(query="case=two", ready=True, **options):
        page = open_page(f"{serve(APP)}/?{query}", **options)
        page.locator(".player").wait_for(timeout=30_000, state="attached")
        if ready:
            page.wait_for_function(f"{STATE}?.last > 0", timeout=30_000)
            page.wait_for_function(f"{STATE}?.paints > 0")
        return page

    return open_


def start_server(script: Path) -> tuple[subprocess.Popen[bytes], str]:
    """A server of its own process and its address; the caller ends it."""
    port = _free_port()
    options = [f"--server.port={port}", "--server.headless=true", "--server.fileWatcherType=none"]
    command = [sys.executable, "-m", "streamlit", "run", str(script), *options]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
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
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise RuntimeError(f"{url} did not answer (exit code {server.poll()})")
