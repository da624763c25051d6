"""Helpers that read and control the player."""

from pathlib import Path

from playwright.sync_api import expect

from tests.browser.places import at_rest, painted

APP = Path(__file__).with_name("player_app.py")
HOSTS = "[...document.querySelectorAll('[data-testid=stBidiComponentIsolated]')]"
ELEMENT = f"{HOSTS}.map(host => host.shadowRoot?.querySelector('.player')).find(Boolean)"
PLAYER = f"{ELEMENT}?.__player"
STATE = f"{PLAYER}?.state()"


def wait_for_player(page, last=1):
    """Wait until the player has received all frames, at least up to `last`, and shows one. Frames
    arrive one by one, so without this wait a key such as End could be pressed between two of them.
    """
    ready = f"{STATE}.complete && {STATE}.last >= {last} && {STATE}.paints > 0"
    page.wait_for_function(f"{STATE} && {ready}")


def state(page):
    return page.evaluate(STATE)


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def expect_python(page, text):
    expect(page.get_by_test_id("stCode")).to_contain_text(text)


def run_again(page):
    page.get_by_role("button", name="Run the script again").click()
    at_rest(page)


def click_cell(page, row, column, n=18, edge=10):
    matrix = page.locator("canvas.matrix").first
    cell = (matrix.bounding_box()["width"] - edge) / n
    matrix.click(position={"x": edge + (column + 0.5) * cell, "y": edge + (row + 0.5) * cell})


def pixel(page, selector, x, y):
    """The colour of a canvas at the given fractions of its width and height."""
    return page.locator(selector).first.evaluate(
        "(c, [x, y]) => [...c.getContext('2d').getImageData(x * c.width, y * c.height, 1, 1).data]",
        [x, y],
    )


def set_beta(page, value, lane=0):
    page.locator("input.beta").nth(lane).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input', { bubbles: true })); }", value
    )


def choose_poses(page, poses):
    """Choose the poses, and wait until every image has moved to its pose."""
    page.locator("select.poses").select_option(poses)
    page.wait_for_function(f"{STATE}?.swing === {int(poses == 'common')}")
    painted(page)


def unlikeness(page, lane, images=6):
    """How much the first row of the gallery differs from its first image, relative to its sum."""
    return (
        page.locator("canvas.gallery")
        .nth(lane)
        .evaluate(
            """(canvas, images) => {
          const pitch = Math.floor(canvas.width / images);
          const size = pitch - Math.max(1, Math.round(pitch * 0.06));
          const context = canvas.getContext('2d');
          const tile = at => context.getImageData(at * pitch, 0, size, size).data;
          const first = tile(0);
          let [difference, light] = [0, 0];
          for (let at = 1; at < images; at++) tile(at).forEach((value, place) => {
            if (place % 4) return;
            difference += Math.abs(value - first[place]);
            light += first[place];
          });
          return difference / light;
        }""",
            images,
        )
    )
