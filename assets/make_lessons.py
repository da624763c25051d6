"""Make the runs that the lessons show first: `python -m assets.make_lessons [LESSON]`.

The pages themselves compute the runs. The name of a lesson, such as order, selects its runs.
"""

import os
import sys
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final
from zipfile import ZIP_DEFLATED, ZipFile

import torch
from streamlit.testing.v1 import AppTest

from assets import make_checksums
from ia_engine.clustering.state import State, load_state, save_state
from ia_engine.runs.library import FOLDER, Library, SavedRun
from pages._ui.lessons.catalogue import places_of_runs, run_of
from pages._ui.lessons.lesson import Place
from pages._ui.runs.current import PRECOMPUTED, jobs

ROOT: Final = Path(__file__).parents[1]
LEFT_OUT: Final = ("lock",)
SOON: Final = 600


def main(lesson: str = "") -> None:
    """Make an archive of each run, as its page computes and saves it."""
    PRECOMPUTED.mkdir(exist_ok=True)
    with TemporaryDirectory() as folder:
        os.environ[FOLDER] = folder
        for place in places_of_runs():
            if lesson not in ("", place.lesson.name):
                continue
            (PRECOMPUTED / f"{run_of(place)}.zip").unlink(missing_ok=True)
            make_checksums.main()  # a page computes a run that has neither a file nor a checksum
            compute(place)
            (kept,) = (run for run in Library().runs() if run.steps)
            _forget_moments(kept.folder / "state.safetensors")
            pack(kept, run_of(place))
            kept.folder.rename(Path(folder, f".{kept.id}"))
            make_checksums.main()


def compute(place: Place) -> None:
    """Open a caption whose run does not exist, and wait for the run."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=SOON)
    app.switch_page(f"pages/{place.caption.page}.py")
    app.query_params["lesson"] = place.name
    app.run()
    (job,) = jobs().list(app.session_state["ia_viewer"])
    job.wait(SOON)
    print(f"{run_of(place)}: {job.state}, {len(job.history)} steps")


def pack(kept: SavedRun, name: str) -> None:
    """Write the folder of the run into an archive with its new name."""
    folder = kept.id.removesuffix(kept.name) + name
    with ZipFile(PRECOMPUTED / f"{name}.zip", "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for path in sorted(kept.folder.iterdir()):
            if path.name not in LEFT_OUT:
                archive.write(path, f"{folder}/{path.name}")


def _forget_moments(path: Path) -> None:
    """Remove Adam's moments, two thirds of a state, which a finished run does not need."""
    if path.exists():
        state = load_state(path)
        save_state(path, replace(state, tensors=_without_moments(state)))


def _without_moments(state: State) -> dict[str, torch.Tensor]:
    def still(name: str, x: torch.Tensor) -> torch.Tensor:
        return torch.zeros_like(x) if name.startswith("adam.") else x

    return {name: still(name, x) for name, x in state.tensors.items()}


if __name__ == "__main__":
    main(*sys.argv[1:2])
