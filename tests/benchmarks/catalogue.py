"""All benchmarks, each with the packages that it measures."""

from collections.abc import Iterable, Iterator

from tests.benchmarks.advice import ADVICE
from tests.benchmarks.dti_clustering import DTI
from tests.benchmarks.dti_costs import Costs
from tests.benchmarks.equivariant_training import EQUIVARIANT
from tests.benchmarks.experiments import EXPERIMENTS
from tests.benchmarks.impostors import IMPOSTORS
from tests.benchmarks.means import MEANS
from tests.benchmarks.poses import CORNERS, RECOVERIES
from tests.benchmarks.releases import RELEASES
from tests.benchmarks.results import Benchmark, Experiment
from tests.benchmarks.rotated_digits import VISION
from tests.benchmarks.scale import SCALES
from tests.benchmarks.sharing import SHARINGS
from tests.benchmarks.speeds import SPEEDS
from tests.benchmarks.tables import TABLES
from tests.benchmarks.theorems import THEOREMS
from tests.benchmarks.truth import TRUTHS
from tests.benchmarks.waits import WAITS

_MADE = ("bases", "distortions", "experiments", "generated", "handwriting", "subset")
"""Modules that generate the images; for images read from files, checksums of the pixels are used
instead.
"""
_IMAGES = (
    *("ia_engine.images", "ia_engine.transforms"),
    *(f"ia_engine.datasets.{module}" for module in _MADE),
)
ATTENTION = ("ia_engine.attention", *_IMAGES)
SORTING = (*ATTENTION, "ia_engine.metrics")
CLUSTERING = ("ia_engine.clustering", *_IMAGES)
NETWORKS = ("ia_engine.equivariant", *_IMAGES)
APP = ("app", "pages/", "assets/bundles/", "ia_engine.runs", "ia_engine.figures")


def _measuring(packages: tuple[str, ...], experiments: Iterable[Experiment]) -> Iterator[Benchmark]:
    return (Benchmark(experiment, packages) for experiment in experiments)


CATALOGUE: tuple[Benchmark, ...] = (
    *_measuring(ATTENTION, (*SPEEDS, *TRUTHS, *RECOVERIES, *CORNERS, *IMPOSTORS, *MEANS)),
    *_measuring(ATTENTION, (*THEOREMS, *SCALES, *VISION)),
    *_measuring((*ATTENTION, "ia_engine.distributed"), SHARINGS),
    *_measuring(SORTING, (*TABLES, *EXPERIMENTS, *ADVICE)),
    *_measuring(CLUSTERING, (Costs(), *DTI)),
    *_measuring(NETWORKS, EQUIVARIANT),
    *_measuring(APP, WAITS),
    *_measuring(APP, RELEASES),
)
