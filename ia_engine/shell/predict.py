"""`predict`: assigns new images to the clusters of a saved run, and prints one line per image."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from ia_engine.datasets.data import PointSet
from ia_engine.datasets.scaling import SCALE
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.predict import Prediction
from ia_engine.runs.folder import SavedRun, read_run
from ia_engine.runs.kinds.kind import read_data
from ia_engine.runs.library import Library
from ia_engine.shell.lines import Printer, say
from ia_engine.shell.loading import load_like
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import make_parser, read_common
from ia_engine.shell.output_files import keep, list_names, to_array
from ia_engine.shell.runs import METHODS, find_kind


def run(argv: Sequence[str]) -> None:
    """Run the command. The cluster of an image is numbered as in the `assignments` of the run."""
    parser = make_parser("predict", COMMANDS["predict"])
    parser.add_argument(
        "--run",
        required=True,
        metavar="ID|PATH",
        help="ID of a saved run with clusters, or its first characters; or the folder of a run",
    )
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="method of a run from the Iterations page (default: its first method)",
    )
    values = parser.parse_args(argv)
    common, kept = read_common(values), _open(values.run)
    if common.device.type != "cpu":
        raise EngineError("predict computes on the CPU: leave out --device")
    if common.scale != SCALE.options[0]:
        raise EngineError("predict scales arrays like those of the run: leave out --scale")
    if not kept.steps:
        raise EngineError(f"run {kept.id} has no finished step, so it has no clusters: resume it")
    model = find_kind(kept).model(kept, values.method or "")
    data = load_like(common, _read_images(kept), kept.record.recipe)
    if isinstance(data, PointSet):
        raise EngineError("the data for 'predict' must be images; got points: choose images")
    found = model.predict(data.images)
    names = list_names(data)
    _print(common.printer, found, names["names"].tolist() if names else [])
    keep(common.out, _arrays(found) | names)
    say(
        f"{int(found.far.sum())} of {len(found.far)} images are far from every cluster of the run "
        f"(distance above {model.limit:.4g})"
    )


def _open(name: str) -> SavedRun:
    """Open the run in a folder, or the run with an ID."""
    path = Path(name)
    if name and path.is_dir():
        return read_run(path.resolve())
    return Library().open(name)


def _read_images(kept: SavedRun) -> Images:
    data = read_data(kept)
    if isinstance(data, PointSet):
        raise EngineError(f"run {kept.id} must be a run of images; got points")
    return data.images


def _print(printer: Printer, found: Prediction, names: Sequence[str]) -> None:
    for row in range(len(found.assignments)):
        printer.row(
            {
                "image": row,
                "cluster": int(found.assignments[row]),
                "distance": float(found.distance[row]),
                "weight": None if found.weight is None else float(found.weight[row]),
                "far": bool(found.far[row]),
                **({"name": names[row]} if names else {}),
            }
        )


def _arrays(found: Prediction) -> dict[str, NDArray[Any]]:
    arrays = {
        "assignments": found.assignments,
        "d2": found.distances,
        "distance": found.distance,
        "far": found.far,
        "aligned": found.aligned,
        "tau": found.tau,
    }
    if found.weight is not None:
        arrays["weight"] = found.weight
    return {name: to_array(x) for name, x in arrays.items()}
