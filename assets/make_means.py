"""Make the run that the Mean page shows first: `python -m assets.make_means`."""

from pathlib import Path

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.figures.mean import film_mean, pack_film, plan_mean
from ia_engine.runs.example import save_run
from ia_engine.runs.folder import Record

PATH = Path(__file__).parent / "runs" / "experiment-2-mean.safetensors"


def main() -> None:
    """Compute Experiment 2 as in the paper: 50 steps of descent from the identity."""
    data = make(RECIPES["experiment-2"])
    if not isinstance(data, ImageSet):
        raise TypeError("Experiment 2 must have images; got points")
    config = MeanConfig(start="identity", schedule="greedy", steps=50)
    plan, few = plan_mean(config, data)
    *_, film = film_mean(plan, few)
    title = "Experiment 2 of Invariant Attention: the mean"
    record = Record(plan.recipe, config.to_json(), 0, data.digest, "cpu", title)
    PATH.parent.mkdir(exist_ok=True)
    save_run(PATH, record, pack_film(film))


if __name__ == "__main__":
    main()
