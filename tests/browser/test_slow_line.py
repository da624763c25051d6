"""No click or key press is lost if messages between browser and server are delayed."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import clean, new_tab
from tests.browser.places import at_rest, until
from tests.browser.player_page import STATE, press, state, wait_for_player

APP = Path(__file__).parents[2] / "app.py"


class Line:
    """The connection between a page and its server, on which messages can be held back in either
    direction.
    """

    def __init__(self, page):
        self.reset()
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def reset(self):
        """Hold back nothing, and forget the previous page's connection."""
        self.held = {"to the server": None, "to the browser": None}
        self.awaited = {}
        self.ends = {}

    def _connect(self, browser):
        server = browser.connect_to_server()
        self.ends = ends = {"to the server": server, "to the browser": browser}
        browser.on_message(lambda message: self._send("to the server", message, ends))
        server.on_message(lambda message: self._send("to the browser", message, ends))

    def _send(self, way, message, ends):
        if ends is not self.ends:  # the message belongs to a page that has been left
            return
        if self.awaited.get(way, b"\0none") in message:
            del self.awaited[way]
            self.hold(way)
        if self.held[way] is None:
            self.ends[way].send(message)
        else:
            self.held[way].append(message)

    def hold(self, way):
        self.held[way] = []

    def hold_from(self, way, text):
        """Hold back messages, starting with the first one that contains this text."""
        self.awaited[way] = text.encode()

    def release(self, way):
        messages, self.held[way] = self.held[way], None
        for message in messages:
            self.ends[way].send(message)

    def await_held(self, page, way, count=1):
        """Wait until at least this number of messages is held back."""
        until(page, lambda: len(self.held[way] or ()) >= count)


@pytest.fixture(scope="module")
def tab(browser):
    """A tab in which messages can be held back."""
    page = new_tab(browser)
    page.emulate_media(reduced_motion="reduce")
    page.line = Line(page)
    yield page
    page.context.close()


@pytest.fixture
def line(tab):
    """The tab, without cookies or storage; the errors of its pages fail the test."""
    errors = []

    def note(error):
        errors.append(str(error))

    tab.on("pageerror", note)
    yield tab
    tab.line.reset()
    clean(tab)
    tab.remove_listener("pageerror", note)
    assert not errors


@pytest.fixture
def lesson(serve, line):
    line.goto(f"{serve(APP)}/iterations?lesson=beta.2")
    wait_for_player(line)
    expect(line.get_by_text("caption 2 of 4")).to_be_visible()
    at_rest(line)
    return line


def expect_caption(page, at):
    expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
    page.wait_for_url(re.compile(rf"lesson=beta\.{at}(&|$)"))
    at_rest(page)
    expect(page.get_by_text(f"caption {at} of 4")).to_be_visible()
    assert f"lesson=beta.{at}" in page.url


@pytest.mark.parametrize(("key", "at"), [("PageDown", 3), ("PageUp", 1)])
def test_a_requested_caption_stays_open_until_the_browser_is_notified(lesson, key, at):
    lesson.line.hold("to the browser")
    press(lesson, key)
    lesson.line.await_held(lesson, "to the browser", 20)
    lesson.line.hold("to the server")
    lesson.locator(".player").focus()
    press(lesson, "End", "ArrowLeft")  # the player reports its step with the old address
    lesson.line.await_held(lesson, "to the server")
    lesson.line.release("to the server")
    lesson.line.await_held(lesson, "to the browser", 60)
    lesson.line.release("to the browser")
    expect_caption(lesson, at)


def test_a_key_press_is_not_lost_when_another_request_follows_at_once(lesson):
    lesson.line.hold("to the server")
    press(lesson, "PageDown")
    lesson.line.await_held(lesson, "to the server")
    lesson.locator(".player").focus()
    press(lesson, "End", "ArrowLeft")
    lesson.line.await_held(lesson, "to the server", 2)
    lesson.line.release("to the server")
    expect_caption(lesson, 3)


def test_a_closed_lesson_stays_closed_until_the_browser_is_notified(lesson):
    lesson.line.hold("to the browser")
    lesson.get_by_role("button", name="Leave").click()
    lesson.line.await_held(lesson, "to the browser", 20)
    lesson.line.hold("to the server")
    lesson.locator(".player").focus()
    press(lesson, "End", "ArrowLeft")
    lesson.line.await_held(lesson, "to the server")
    lesson.line.release("to the server")
    lesson.line.await_held(lesson, "to the browser", 60)
    lesson.line.release("to the browser")
    expect(lesson.get_by_text("caption 2 of 4")).to_have_count(0)
    at_rest(lesson)
    expect(lesson.get_by_text("caption 2 of 4")).to_have_count(0)
    assert "lesson=" not in lesson.url


def test_a_slider_moved_quickly_leaves_its_last_value_in_the_address(serve, line):
    line.goto(f"{serve(APP)}/iterations")
    wait_for_player(line)
    at_rest(line)
    slider = line.get_by_role("slider", name="Iterations P")
    slider.focus()
    line.line.hold("to the browser")
    line.line.hold("to the server")
    for count in range(1, 7):
        press(line, "ArrowRight")
        line.line.await_held(line, "to the server", count)
    line.line.release("to the server")
    line.line.await_held(line, "to the browser", 20)
    line.line.release("to the browser")
    at_rest(line)
    line.wait_for_url(re.compile("[?&]steps=10(&|$)"))
    expect(slider).to_have_attribute("aria-valuetext", "10")


def test_a_beta_released_in_the_player_stays_in_the_address(address_of_run, line):
    """The player reports its step before the browser has received the new address."""
    line.goto(f"{address_of_run}&step=2")
    line.wait_for_function(f"{STATE}?.paints > 0 && {STATE}?.last === 2 && {STATE}.step === 2")
    at_rest(line)
    line.locator("input.beta").first.focus()
    line.line.hold_from("to the browser", "beta=")
    press(line, "ArrowLeft")
    beta = state(line)["betas"][0]
    line.line.await_held(line, "to the browser", 1)
    line.line.hold("to the server")
    line.locator(".player").focus()
    press(line, "Home")  # this reports the step with the old address
    line.line.await_held(line, "to the server")
    known = len(line.line.held["to the browser"])
    line.line.release("to the server")
    line.line.await_held(line, "to the browser", known + 20)
    line.line.release("to the browser")
    at_rest(line)
    line.wait_for_url(re.compile(rf"[?&]beta={beta:g}(&|$)"))
    assert state(line)["given"]["betas"][0] == beta
