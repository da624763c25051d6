"""The catalogue of Compare's methods: to add one, create a file in this folder and an entry."""

from typing import Final

from ia_engine.runs.comparison.methods import (
    Method,
    attend_by_pixels,
    attend_up_to,
    learn,
    solve_gmm,
    solve_kmeans,
    solve_mean_shift,
    solve_spectral,
)
from ia_engine.transforms import GROUPS

ATTENTION: Final = ("beta", "sigma")


def _name_group(group: str) -> str:
    return f"Invariant attention, {group.replace('se2', 'SE(2)')}"


METHODS: Final[dict[str, Method]] = {
    "kmeans": Method("K-means", solve_kmeans),
    "gmm": Method("GMM", solve_gmm),
    "mean-shift": Method("Mean shift", solve_mean_shift),
    "spectral": Method("Spectral clustering", solve_spectral),
    "ka": Method("Kernel attention", attend_by_pixels, ATTENTION),
    **{
        f"ia-{group}": Method(_name_group(group), attend_up_to(group), ATTENTION)
        for group in GROUPS
    },
    "ti": Method("TI K-means", learn("ti")),
    "dti-kmeans": Method("DTI K-means", learn("dti-kmeans")),
    "dti-gmm": Method("DTI GMM", learn("dti-gmm")),
}
"""The methods by name, in the order in which they run."""
