"""Measures waiting times in a real browser with its own server, on a machine shared with others."""

import os
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.results import Found, Missing

ROOT = Path(__file__).parents[2]
APP = ROOT / "app.py"
BUSY_SECONDS = 0.1
ROUNDS = 3


@dataclass
class Session:
    """A browser, the servers that were started for it, and the addresses of their scripts."""

    browser: Any
    stack: ExitStack
    urls: dict[Path, str] = field(default_factory=dict)

    def serve(self, script: Path = APP) -> str:
        """The address of the server that all callers with this script share."""
        if script not in self.urls:
            self.urls[script] = self.start(script)
        return self.urls[script]

    def start(self, script: Path = APP) -> str:
        """The address of a new server."""
        from tests.browser.conftest import start_server

        server, url = start_server(script)
        self.stack.callback(_end, server)
        return url

    def open(self, url: str, motion: str = "reduce", height: int = 720) -> Any:
        """A page in a new context."""
        context = self.browser.new_context(
            viewport={"width": 1280, "height": height}, reduced_motion=motion
        )
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.goto(url)
        return page


def _end(server: "subprocess.Popen[bytes]") -> None:
    server.terminate()
    server.wait(timeout=20)


@contextmanager
def open_session() -> Iterator[Session]:
    """A browser, and a temporary folder for runs."""
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import BROWSERS, FLAGS

    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise Missing(f"no browser was found: install one of {', '.join(BROWSERS)}")
    with ExitStack() as stack:
        before = os.environ.get("IA_RUNS")
        os.environ["IA_RUNS"] = stack.enter_context(tempfile.TemporaryDirectory())
        stack.callback(_set_folder_of_runs, before)
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        stack.callback(browser.close)
        yield Session(browser, stack)


def _set_folder_of_runs(folder: str | None) -> None:
    if folder is None:
        del os.environ["IA_RUNS"]
    else:
        os.environ["IA_RUNS"] = folder


@dataclass(frozen=True)
class Wait:
    """A waiting time and its claimed limit; `measure_all` returns one time per case."""

    title: str
    unit: str
    limit: float
    measure_all: Callable[[Session, float], dict[str, float]]

    @property
    def name(self) -> str:
        return f"waiting: {self.title}"

    def measure(self) -> Found:
        started = crowding()
        with open_session() as session:
            waits = self.measure_all(session, self.limit)
        figures: dict[str, object] = {
            f"{case} [{self.unit}]": round(wait, 3) for case, wait in waits.items()
        }
        figures["load of the machine"] = round(max(started, crowding()), 2)
        claim = f"at most {self.limit:g} {self.unit}"
        return Found(figures, {claim: max(waits.values()) <= self.limit}, "none")


def find_least(measure: Callable[[], float], limit: float) -> float:
    """The minimum of several rounds; the first round within the limit is the last. Each time is
    divided by the load of the machine, to estimate the time on a free core.
    """
    found: list[float] = []
    while len(found) < ROUNDS and (not found or min(found) > limit):
        before = crowding()
        measured = measure()
        found.append(measured / min(before, crowding()))
    return min(found)


def crowding() -> float:
    """Ratio of the wall time of a busy loop to its CPU time: 1 on an idle machine."""
    started, cpu = time.perf_counter(), time.thread_time()
    while time.thread_time() - cpu < BUSY_SECONDS:
        pass
    return (time.perf_counter() - started) / (time.thread_time() - cpu)


def find_median(measure: Callable[[int], float], times: int) -> float:
    return statistics.median(measure(at) for at in range(times))


def find_p95(waits: list[float]) -> float:
    return sorted(waits)[round(0.95 * len(waits)) - 1]
