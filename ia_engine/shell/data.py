"""`data`: describes a data set and exports it as arrays."""

import json
from collections.abc import Sequence

from ia_engine.datasets.data import Data, PointSet, to_arrays
from ia_engine.shell.lines import Row
from ia_engine.shell.loading import count_classes, load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.options import make_parser, read_common
from ia_engine.shell.output_files import keep


def run(argv: Sequence[str]) -> None:
    """Run the command: print a summary of the data, and write the images and, if known, the labels
    and true poses."""
    common = read_common(make_parser("data", COMMANDS["data"]).parse_args(argv))
    data = load(common)
    keep(common.out, to_arrays(data))
    common.printer.only(_describe(data))


def _describe(data: Data) -> Row:
    shape = (None, None, None) if isinstance(data, PointSet) else tuple(data.images.shape[1:])
    channels, height, width = shape
    return {
        "n": len(data.points) if isinstance(data, PointSet) else len(data.images),
        "channels": channels,
        "height": height,
        "width": width,
        "classes": count_classes(data.labels),
        "digest": data.digest,
        "recipe": json.loads(data.recipe.to_json()),
    }
