"""No click or key is lost, however late the messages between browser and server arrive."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.places import at_rest, until
from tests.browser.player_page import STATE, press, state, wait_for_player

APP = Path(__file__).parents[2] / "app.py"


class Line:
    """The connection between a page and its server; messages can be held back in each direction."""

    def __init__(self, page):
        self.held = {"to the server": None, "to the browser": None}
        self.awaited = {}
        page.route_web_socket(re.compile("_stcore/stream"), self._connect)

    def _connect(self, browser):
        server = browser.connect_to_server()
        self.ends = {"to the server": server, "to the browser": browser}
        browser.on_message(lambda message: self._send("to the server", message))
        server.on_message(lambda message: self._send("to the browser", message))

    def _send(self, way, message):
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
        """Wait until this number of messages is held back."""
        until(page, lambda: len(self.held[way] or ()) >= count)


@pytest.fixture
def line(open_page):
    """A tab whose connection can be held back; it is not used again."""
    page = open_page("about:blank", reduced_motion="reduce")
    page.line = Line(page)
    yield page
    page.close()


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
def test_a_caption_that_was_asked_for_stays_open_while_the_browser_has_not_heard_of_it(
    lesson, key, at
):
    lesson.line.hold("to the browser")
    press(lesson, key)
    lesson.line.await_held(lesson, "to the browser", 20)
    lesson.line.hold("to the server")
    lesson.locator(".player").focus()
    press(lesson, "End", "ArrowLeft")  # the player tells its step, with the old address
    lesson.line.await_held(lesson, "to the server")
    lesson.line.release("to the server")
    lesson.line.await_held(lesson, "to the browser", 60)
    lesson.line.release("to the browser")
    expect_caption(lesson, at)


def test_a_key_is_not_lost_when_another_request_follows_it_at_once(lesson):
    lesson.line.hold("to the server")
    press(lesson, "PageDown")
    lesson.line.await_held(lesson, "to the server")
    lesson.locator(".player").focus()
    press(lesson, "End", "ArrowLeft")
    lesson.line.await_held(lesson, "to the server", 2)
    lesson.line.release("to the server")
    expect_caption(lesson, 3)


def test_a_lesson_that_was_left_stays_left_while_the_browser_has_not_heard_of_it(lesson):
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


def test_a_beta_let_go_in_the_player_stays_in_the_address(address_of_run, line):
    """The player tells its step while the browser has not heard of the new β."""
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
    press(line, "Home")  # tells its step, with the old address
    line.line.await_held(line, "to the server")
    known = len(line.line.held["to the browser"])
    line.line.release("to the server")
    line.line.await_held(line, "to the browser", known + 20)
    line.line.release("to the browser")
    at_rest(line)
    line.wait_for_url(re.compile(rf"[?&]beta={beta:g}(&|$)"))
    assert state(line)["given"]["betas"][0] == beta
