"""The server refuses foreign hosts and shows a reference number instead of a traceback."""

import http.client
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, start_server

UPGRADE = {
    "Connection": "Upgrade",
    "Upgrade": "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
}
SOCKET = "/_stcore/stream"
FAILING = """
import streamlit as st

st.title("A page that fails")

def fail():
    raise ValueError("a secret")

@st.fragment
def part():
    if st.button("In a fragment"):
        fail()

part()
st.button("In a callback", on_click=fail)
if st.button("In the script"):
    fail()
"""
SERVER = """
import streamlit as st
from pages._ui.page import report

app = st.App("failing.py", on_script_error=report)
"""


def ask(url, host, path):
    """The status of the response; 101 means that a WebSocket was opened."""
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    headers = {"Host": host, **(UPGRADE if path == SOCKET else {})}
    connection.request("GET", path, headers=headers)
    status = connection.getresponse().status
    connection.close()
    return status


@pytest.mark.parametrize("path", ["/", "/_stcore/health", "/_stcore/host-config", SOCKET])
def test_requests_for_foreign_hosts_are_refused_and_those_for_loopback_addresses_are_granted(
    serve, path
):
    url = serve(ROOT / "server.py")
    granted = 101 if path == SOCKET else 200
    for host in ("localhost", "localhost:8501", "127.0.0.1:9", "[::1]:8501"):
        assert ask(url, host, path) == granted, host
    for host in (
        "foreign.example",
        "localhost.foreign.example",
        "192.0.2.1:8501",
        "",
        "a@localhost",
    ):
        assert ask(url, host, path) in (400, 403), host


def test_the_app_opens_through_the_server_script(serve, open_page):
    page = open_page(f"{serve(ROOT / 'server.py')}/runs")
    expect(page.get_by_role("heading", name="Runs", exact=True).first).to_be_visible()


def test_an_unexpected_error_shows_only_a_reference_number(tmp_path, open_page):
    (tmp_path / "failing.py").write_text(FAILING)
    (tmp_path / "server.py").write_text(SERVER)
    process, url = start_server(tmp_path / "server.py")
    try:
        page = open_page(url)
        for place in ("In a fragment", "In a callback", "In the script"):
            page.get_by_role("button", name=place).click()
            alert = page.get_by_role("alert").filter(has_text="reference")
            expect(alert.first).to_contain_text(re.compile("reference [0-9a-f]{8}"))
            expect(page.locator("body")).not_to_contain_text("a secret")
            expect(page.locator("body")).not_to_contain_text("Traceback")
            page.reload()
            expect(page.get_by_role("heading", name="A page that fails")).to_be_visible()
    finally:
        process.terminate()
        process.wait(timeout=20)
