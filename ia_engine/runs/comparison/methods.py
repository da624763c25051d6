"""The catalogue of methods: a new one is a function here and a title in the config."""

from typing import Final

from ia_engine.runs.comparison.attention import attend_by_pixels, attend_up_to
from ia_engine.runs.comparison.plain import (
    solve_gmm,
    solve_kmeans,
    solve_mean_shift,
    solve_spectral,
)
from ia_engine.runs.comparison.prototypes import learn
from ia_engine.runs.comparison.task import Method
from ia_engine.transforms import GROUPS

METHODS: Final[dict[str, Method]] = {
    "kmeans": solve_kmeans,
    "gmm": solve_gmm,
    "mean-shift": solve_mean_shift,
    "spectral": solve_spectral,
    "ka": attend_by_pixels,
    **{f"ia-{group}": attend_up_to(group) for group in GROUPS},
    "ti": learn("ti"),
    "dti-kmeans": learn("dti-kmeans"),
    "dti-gmm": learn("dti-gmm"),
}
