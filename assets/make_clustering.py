"""Make the run that the Clustering page shows first: `python -m assets.make_clustering`."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.clustering.result import collect_samples, pack_samples
from ia_engine.runs.clustering.run import cluster, plan_clusters
from ia_engine.runs.example import save_run
from ia_engine.runs.folder import Record
from ia_engine.runs.job import use_one_core
from ia_engine.runs.kinds.clusterings import pack_film, summarise

PATH: Final = Path(__file__).parent / "runs" / "clustering-digits.safetensors"
SECONDS: Final = 60.0
SEED: Final = 3
"""With this seed, two prototypes are reassigned in the first second."""
PICTURES: Final = 60
"""Approximate number of pictures of the animation that are kept."""


def main() -> None:
    """Cluster the 1,797 handwritten digits of scikit-learn, for one minute on one core, and keep
    aligned samples of every prototype."""
    use_one_core()
    data = make(RECIPES["digits"])
    if not isinstance(data, ImageSet):
        raise TypeError("the digits must be images; got points")
    config = ClusterConfig()
    plan = plan_clusters(config, data, SEED, SECONDS)
    looks = list(cluster(plan, data))
    marks = [at for at, look in enumerate(looks) if look.picture is not None]
    kept = {*marks[:: max(1, len(marks) // PICTURES)], marks[-1]}
    thinned = [look if at in kept else replace(look, picture=None) for at, look in enumerate(looks)]
    record = Record(plan.recipe, config.to_json(), SEED, data.digest, "cpu", "Digits, clustered")
    newest = looks[-1].newest
    if newest.state is None or newest.result is None:
        raise RuntimeError("the run must end with a state and a result on all images")
    samples = pack_samples(collect_samples(newest.state, data.images, newest.result))
    PATH.parent.mkdir(exist_ok=True)
    save_run(PATH, record, pack_film(summarise(thinned)) | samples)


if __name__ == "__main__":
    main()
