"""Links from entries to the pages where their set-ups can be opened and changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.data import Recipe
from ia_engine.params import Config, parameters
from ia_engine.runs.papers import invariant_manifolds, invariant_questions, invariant_theorems
from ia_engine.runs.papers.invariant import BLOBS, PAPER_BETA
from ia_engine.runs.papers.invariant_iterations import SHOWN, UNFINISHED
from ia_engine.runs.papers.invariant_mean import DESCENT
from pages._ui.state.dataset import ADDRESS
from pages._ui.wording import number


@dataclass(frozen=True)
class Setup:
    """A page, its data and the settings that differ from the defaults."""

    page: str
    data: str
    """"" for a page that shows no data set."""
    settings: Mapping[str, float | str]

    @property
    def address(self) -> dict[str, str]:
        """Return the parameters of the page's address."""
        values = {
            name: value if isinstance(value, str) else number(value)
            for name, value in self.settings.items()
        }
        return {ADDRESS: self.data, **values} if self.data else values


def _find_changes(config: Config) -> dict[str, float | str]:
    """Return the settings in which a config differs from the defaults."""
    return {
        parameter.name: value
        for parameter in parameters(type(config))
        if (value := getattr(config, parameter.name)) != parameter.default
    }


def _write(source: str, config: Config) -> str:
    return Recipe(source, config).to_json()


DIGITS: Final = Setup("clustering", "mnist-1k", {"model": "dti-kmeans"})
LAYERS: Final = Setup("equivariance", "", {"view": "Layer by layer", "network": "alpha-f-p4"})


def _look_inside(network: str) -> Setup:
    """Return the view of one convolution of a network."""
    return Setup("equivariance", "", {"view": "Inside a convolution", "network": network})


def _reduce(way: str) -> Setup:
    """Return the view of a filter on a picture with an even side."""
    settings = {"view": "Stride and parity", "side": "even: 8 px", "way": way}
    return Setup("equivariance", "", settings)


EXPERIMENT: Final = "experiment-1"
BY_THEOREM: Final = AttentionConfig(
    bandwidth="theorem", constant=invariant_theorems.CONSTANT, steps=invariant_theorems.STEPS
)
COPIES: Final = _write("generated", invariant_questions.plan_digit_copies("digits", 0))
SETUPS: Final = {
    "ia-figure-1": Setup(
        "iterations",
        _write("generated", invariant_manifolds.THREES),
        {"beta": invariant_manifolds.BETA, "steps": invariant_manifolds.ITERATIONS},
    ),
    "ia-figure-2": Setup(
        "iterations", _write("blobs", BLOBS), {"points_kernel_beta": PAPER_BETA, "steps": 4}
    ),
    "ia-figure-3": Setup(
        "iterations", EXPERIMENT, {"beta": PAPER_BETA, "kernel_beta": PAPER_BETA, "steps": 1}
    ),
    "ia-figure-4": Setup("iterations", _write(EXPERIMENT, SHOWN), _find_changes(UNFINISHED)),
    "ia-figure-5": Setup("mean", "experiment-2", _find_changes(DESCENT)),
    "ia-theorem-31": Setup("mean", _write("generated", invariant_theorems.FOUR), {"sigma": 1.5}),
    "ia-theorem-41": Setup("iterations", EXPERIMENT, _find_changes(BY_THEOREM)),
    "ia-question-baselines": Setup("iterations", COPIES, {}),
    "ia-question-groups": Setup("iterations", COPIES, {}),
    "dti-figure-1b": DIGITS,
    "dti-figure-2a": Setup("clustering", "mnist-1k", {"model": "dti-gmm"}),
    "dti-figure-2b": DIGITS,
    "dti-table-1": DIGITS,
    "dti-table-2": DIGITS,
    "dti-table-3": DIGITS,
    "gcnn-figure-2": _look_inside("p4"),
    "gcnn-figure-4": _look_inside("p4"),
    "gcnn-figure-5": _look_inside("alpha-p4"),
    "gcnn-figure-6": LAYERS,
    "gcnn-figure-7": LAYERS,
    "gcnn-figure-9": _reduce("stride 2"),
    "gcnn-figure-10": _reduce("stride 2"),
    "gcnn-figure-11": _reduce("stride 1, then 2×2 pooling"),
    "gcnn-table-1": Setup("equivariance", "", {"view": "Train"}),
    "gcnn-theorem-1a": LAYERS,
    "gcnn-theorem-1b": LAYERS,
}
"""Set-ups by entry. On the pages, the data have the seed of the recipe."""
