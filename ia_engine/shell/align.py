"""`align`: computes the distance between each pair of images, and the pose at which it is
smallest."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray
from torch import Tensor

from ia_engine.attention.clusters.measures import mean_distances
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.distances.shared import share
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import PointSet
from ia_engine.devices import cpu_seconds
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.shell.loading import load_vectors
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import VALUES_GLOBAL_SEARCH, VALUES_WITH_POSES, check_memory
from ia_engine.shell.options import add_config, make_parser, read_common, read_config
from ia_engine.shell.output_files import keep, list_names, to_array
from ia_engine.shell.torchrun import add_blocks, open_workshop, sweep

OPTIONS = ("group", "solver", "sigma", "schedule", "rate", "updates", "pairs", "nearest")


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Align all pairs once. In the output, `seconds` is the CPU time summed over all processors.

    Here, `--pairs needed` skips no pair, because weights cannot be estimated without β.
    """
    parser = make_parser("align", COMMANDS["align"])
    add_config(parser, AttentionConfig, OPTIONS)
    add_blocks(parser)
    values = parser.parse_args(argv)
    common, config = read_common(values, ranks), read_config(values, AttentionConfig)
    data, v, labels = load_vectors(common)
    if isinstance(data, PointSet):
        raise EngineError(
            "the data for 'align' must be images; got points, which have no poses: choose images"
        )
    numbers = VALUES_GLOBAL_SEARCH if config.solver == "global" else VALUES_WITH_POSES
    check_memory(len(v), 1, numbers, ranks.here)
    started = cpu_seconds()
    workshop = open_workshop(ranks, values.blocks, values.out)
    found = share(config.build().distance, workshop).align(v)
    seconds = ranks.total(cpu_seconds() - started)
    within, between = mean_distances(found.d2, labels)
    keep(common.out, _arrays(found) | list_names(data))
    sweep(workshop, values.blocks)
    common.printer.only(
        {
            "n": len(v),
            "pairs": len(v) * (len(v) - 1) // 2,
            "seconds": seconds,
            "d2_within": within,
            "d2_between": between,
            "compared": 1.0 if found.rough is None else 1 - _share(found.rough),
        }
    )


def _arrays(found: Alignment) -> dict[str, NDArray[Any]]:
    known = {"d2": found.d2, "tau": found.tau, "rough": found.rough}
    return {name: to_array(x) for name, x in known.items() if x is not None}


def _share(rough: Tensor) -> float:
    """Return the fraction of the pairs of different images whose distances are approximate."""
    n = len(rough)
    return int(rough.sum()) / (n * (n - 1))
