"""Counts the project files that an action of a visitor enters: `python -m tests.trace_files`.

Three actions are traced, each in its own process under Streamlit's AppTest: Run on Iterations (two
iterations of Experiment 1), an upload of a zip of six images on Data, and Run on Clustering (one
CPU second). Each action is performed twice, on different data, and the second time counts, because
everything has then been imported. A file is entered if one of its functions is called; a crossing
is a call from one project file into another. The page waits for the first iteration as long as
necessary, so that the count does not depend on the load of the machine. `--root FOLDER` traces
another copy of the project.
"""

import argparse
import io
import json
import os
import subprocess
import sys
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, Final
from unittest.mock import patch

from PIL import Image, ImageDraw
from streamlit.testing.v1 import AppTest

ROOT: Final = Path(__file__).resolve().parents[1]
CORE: Final = ("ia_engine/attention/", "ia_engine/transforms/", "ia_engine/images.py")
"""The solver's files, which are counted separately."""
PARTS: Final = (
    *("app.py", "pages/_ui/", "pages/", "ia_engine/runs/", "ia_engine/figures/"),
    *("ia_engine/datasets/", "ia_engine/clustering/", *CORE, "ia_engine/"),
)
MAX_WAIT_S: Final = 600

Act = Callable[[], None]


class Tracer:
    """Records calls between project files, in this thread and in threads that start later."""

    def __init__(self, root: Path) -> None:
        self.entered: Counter[str] = Counter()
        self.crossings: Counter[tuple[str, str]] = Counter()
        self.counting = False
        self._root = f"{root}/"
        self._known: dict[str, str] = {}

    def start(self) -> None:
        threading.setprofile(self._note)
        sys.setprofile(self._note)

    def stop(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or not self.counting:
            return
        name = self._find_name(frame)
        if not name:
            return
        self.entered[name] += 1
        before, caller = "", frame.f_back
        while caller is not None and not before:
            before, caller = self._find_name(caller), caller.f_back
        if before and before != name:
            self.crossings[before, name] += 1

    def _find_name(self, frame: FrameType) -> str:
        """The path of the file relative to the project, or "" for other files."""
        path = frame.f_code.co_filename
        if path not in self._known:
            name = path.removeprefix(self._root)
            ours = name != path and name.startswith(("app.py", "pages/", "ia_engine/"))
            self._known[path] = name if ours else ""
        return self._known[path]


def press_run_on_iterations() -> Act:
    """Run two iterations, first of Experiment 2, so that nothing of Experiment 1 is cached."""
    from pages._ui.iterations import actions

    vars(actions)["MAX_FIRST_WAIT_S"] = MAX_WAIT_S
    return _press_runs(
        _open_page("iterations", steps="2", data=data) for data in ("experiment-2", "experiment-1")
    )


def press_run_on_clustering() -> Act:
    """Cluster the page's default data for one CPU second."""
    return _press_runs(_open_page("clustering", budget="1", seed=seed) for seed in "12")


def upload_a_zip() -> Act:
    """Upload a zip of six images in two folders."""
    app = _open_page("data")
    app.button_group(key="way").set_value("Upload")
    app.run()
    zips = [_zip_pictures(0), _zip_pictures(1)]

    def act() -> None:
        files = [("pictures.zip", zips.pop(), "application/zip")]
        app.file_uploader(key="files").set_value(files)
        app.run()
        assert not app.exception, app.exception

    return act


ACTIONS: Final[dict[str, Callable[[], Act]]] = {
    "Run on Iterations": press_run_on_iterations,
    "a zip on Data": upload_a_zip,
    "a second of clustering": press_run_on_clustering,
}


def _open_page(name: str, **address: str) -> AppTest:
    app = AppTest.from_file(str(Path("app.py").resolve()), default_timeout=MAX_WAIT_S)
    app.switch_page(f"pages/{name}.py")
    for key, value in address.items():
        app.query_params[key] = value
    return app.run()


def _press_runs(apps: Iterator[AppTest]) -> Act:
    """Press Run on the next page, wait for the end of the run, and draw the page again."""
    from ia_engine.runs.job import Jobs

    opened = iter(list(apps))
    jobs: list[Any] = []
    submit = Jobs.submit

    def submit_and_note(*args: Any, **options: Any) -> Any:
        jobs.append(submit(*args, **options))
        return jobs[-1]

    def act() -> None:
        app = next(opened)
        with patch.object(Jobs, "submit", submit_and_note):
            next(button for button in app.button if button.label == "Run").click()
            app.run()
        assert jobs[-1].wait(MAX_WAIT_S), "the run did not end in time"
        app.run()
        assert not app.exception, app.exception

    return act


def _zip_pictures(seed: int) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for at in range(6):
            picture = Image.new("L", (40, 40), 255)
            ImageDraw.Draw(picture).ellipse((5, 5, 20 + 3 * at, 20 + 2 * at + seed), fill=0)
            file = io.BytesIO()
            picture.save(file, "PNG")
            archive.writestr(f"class {at % 2}/{at}.png", file.getvalue())
    return content.getvalue()


def count_action(name: str, root: Path) -> dict[str, Any]:
    """The files that an action enters and the number of crossings, in this process."""
    tracer = Tracer(root)
    tracer.start()
    act = ACTIONS[name]()
    act()
    tracer.counting = True
    act()
    tracer.counting = False
    tracer.stop()
    return {"files": sorted(tracer.entered), "crossings": sum(tracer.crossings.values())}


def describe(name: str, found: dict[str, Any]) -> str:
    """One line with the totals, and one for each part of the project."""
    files = found["files"]
    core = [file for file in files if file.startswith(CORE)]
    lines = [
        f"{name}: {len(files)} files, {len(files) - len(core)} of them outside the solver, "
        f"{found['crossings']:,} crossings"
    ]
    left = list(files)
    for part in PARTS:
        own = [file for file in left if file.startswith(part)]
        left = [file for file in left if file not in own]
        if own:
            names = ", ".join(file.removeprefix(part) or file for file in own)
            lines.append(f"  {len(own):3} {part}: {names}")
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.trace_files", description=__doc__)
    parser.add_argument("--root", type=Path, default=ROOT, help="folder of the project to trace")
    parser.add_argument(
        "--action", choices=tuple(ACTIONS), help="trace only this action, and print JSON"
    )
    options = parser.parse_args()
    root = options.root.resolve()
    if options.action:
        print(json.dumps(count_action(options.action, root)))
        return 0
    for name in ACTIONS:
        command = [sys.executable, __file__, "--root", str(root), "--action", name]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        done = subprocess.run(
            command, cwd=root, env=environment, stdout=subprocess.PIPE, text=True, check=True
        )
        print(describe(name, json.loads(done.stdout.splitlines()[-1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
