"""Takes screenshots of every page in both themes, and records the README's animation: `make
shots`.
"""

import argparse
import io
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.conftest import BROWSERS, FLAGS, ROOT, start_server
from tests.browser.player_page import STATE

PAGES = {
    "overview": "",
    "data": "data",
    "iterations": "iterations",
    "mean": "mean",
    "manifolds": "manifolds",
    "clustering": "clustering?budget=15",
    "equivariance": "equivariance",
    "runs": "runs",
    "quiz": "quiz?seed=5",
    "equivariance-answers": "equivariance?view=Answers",
    "equivariance-strides": "equivariance?view=Stride%20and%20parity",
    "compare": "compare?budget=1",
    "papers": "papers",
    "papers-layer": "papers?entry=gcnn-figure-6",
    "papers-table": "papers?entry=gcnn-table-1",
    "equivariance-inside": "equivariance?view=Inside%20a%20convolution",
}
WIDTH, HEIGHT = 1280, 900
FRAMES, PAUSE = 28, 0.2
TOUR = ROOT / "assets" / "tour.gif"


def main() -> None:
    """Write shots/*.png and, with --tour, the README's animation."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tour", action="store_true", help=f"make {TOUR.name} again")
    arguments = parser.parse_args()
    server, url = start_server(ROOT / "app.py")
    try:
        with _chromium() as browser:
            shoot(browser, url, ROOT / "shots")
            if arguments.tour:
                film(browser, url)
    finally:
        server.terminate()
        server.wait(timeout=20)


def shoot(browser: Browser, url: str, folder: Path) -> None:
    """Save every page as it appears when it is opened, and Iterations after a run, in both
    themes.
    """
    folder.mkdir(exist_ok=True)
    for scheme in ("light", "dark"):
        for name, path in PAGES.items():
            page = _open(browser, f"{url}/{path}", scheme)
            _snap(page, folder / f"{name}-{scheme}.png")
            if name == "iterations":
                page.get_by_role("button", name="Run").click()
                _snap(page, folder / f"{name}-running-{scheme}.png")
                expect(page.get_by_text("Done: ").first).to_be_visible(timeout=120_000)
                _snap(page, folder / f"{name}-done-{scheme}.png")
            if name == "clustering":
                page.get_by_role("button", name="Run", exact=True).click()
                pause = page.get_by_role("button", name="Pause")
                expect(pause).to_be_enabled(timeout=60_000)
                _snap(page, folder / f"{name}-running-{scheme}.png")
                expect(page.get_by_text("Done: ").first).to_be_visible(timeout=240_000)
                _snap(page, folder / f"{name}-done-{scheme}.png")
            page.context.close()


def film(browser: Browser, url: str) -> None:
    """Record one pass of the player on the first page."""
    page = _open(browser, url, "light")
    page.wait_for_function(f"{STATE}?.paints > 0", timeout=60_000)
    player = page.locator(".player").first
    player.focus()
    page.keyboard.press("Home")
    page.keyboard.press("Space")
    frames = []
    for _ in range(FRAMES):
        picture = Image.open(io.BytesIO(player.screenshot())).convert("RGB")
        frames.append(picture.resize((picture.width * 3 // 4, picture.height * 3 // 4)))
        time.sleep(PAUSE)
    palette = frames[-1].quantize(96)
    reduced = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    reduced[0].save(TOUR, save_all=True, append_images=reduced[1:], duration=220, loop=0)
    page.context.close()


def _open(browser: Browser, address: str, scheme: str) -> Page:
    size = {"width": WIDTH, "height": HEIGHT}
    page = browser.new_context(viewport=size, color_scheme=scheme).new_page()
    page.goto(address)
    page.locator("h1").wait_for(timeout=60_000)
    time.sleep(4)
    return page


def _snap(page: Page, path: Path) -> None:
    """Save the full page. Only an inner part of it scrolls, so the window is made as high as its
    content.
    """
    time.sleep(1)
    height = page.get_by_test_id("stMain").evaluate("main => main.scrollHeight")
    page.set_viewport_size({"width": WIDTH, "height": int(height)})
    page.screenshot(path=path)
    page.set_viewport_size({"width": WIDTH, "height": HEIGHT})


@contextmanager
def _chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = next(filter(None, map(shutil.which, BROWSERS)))
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


if __name__ == "__main__":
    main()
