"""`cluster`: runs K-means, mixtures and transformation-invariant clustering, seed by seed."""

import argparse
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from ia_engine.attention.clusters.detection import cluster as detect
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig, iterate, normalise
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import Reading, read
from ia_engine.clustering.recipes import (
    PUBLISHED,
    SMALL_DATA,
    find_recipe,
    list_differences,
    quicken,
)
from ia_engine.clustering.seeds import SeedStep, train_seeds
from ia_engine.datasets.data import ImageSet, PointSet
from ia_engine.datasets.uploads import PHOTOGRAPHS
from ia_engine.distributed.ranks import ALONE, Ranks
from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels
from ia_engine.metrics import agree, score_clusters
from ia_engine.runs.clustering.run import plan_clusters
from ia_engine.runs.comparison.methods import SIGMA, average, pose_in_clusters
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from ia_engine.shell.lines import Printer, Value, say
from ia_engine.shell.loading import load
from ia_engine.shell.main import COMMANDS
from ia_engine.shell.memory import VALUES_GLOBAL_SEARCH, VALUES_WITHOUT_POSES, check_memory
from ia_engine.shell.options import Common, add_config, make_parser, read_common, read_config
from ia_engine.shell.output_files import keep, list_names, regret, to_array
from ia_engine.shell.runs import add_keep, compute_saved
from ia_engine.transforms import GROUPS

OPTIONS = (
    "model", "k", "encoder", "iterations", "batch", "rate", "curriculum", "reassign", "exchange",
    "period", "start", "focus", "outside", "colors", "predictors",
)  # fmt: skip
RECIPE_DATA = "of the recipe"
"""Value of --data that stands for the data of the recipe, if --recipe is given without --data."""
ATTENTION = ("ia", "ka")
MODELS_HELP = (
    "--model: ia, invariant attention (as ia_engine.cluster: a graph of the distances up to "
    "rotation and translation; --k is estimated by default), or ka, the same without poses; "
    "dti-kmeans and dti-gmm, prototypes with learned transformations; ti, with optimised ones; "
    "kmeans and gmm, on pixels. The options of training do not apply to ia and ka."
)
LINES = 10
"""Number of progress lines per seed, not counting the first."""
SEED_MOST = 1000


def run(argv: Sequence[str], ranks: Ranks = ALONE) -> None:
    """Run the command: print the progress of each seed, and write the best result even if an error
    occurs."""
    values = _parse(argv)
    common = read_common(values, ranks)
    if values.model in ATTENTION:
        _attend(values, common)
        return
    config = replace(read_config(values, ClusterConfig), sequence=values.sequence)
    data = _load(values, common)
    config = _follow_recipe(values, config, len(data.images))
    torch.set_num_threads(1)  # a second thread slows down many small operations
    if values.keep:
        if ranks.size > 1:
            raise EngineError(
                "--keep must be used with a single process: leave out --keep, or leave out torchrun"
            )
        _save(values, config, data, common)
        return
    images = data.images.to(common.device)
    labels = None if data.labels is None else data.labels.to(common.device)
    seed = common.seed or 0
    runs = train_seeds(config, images, values.seeds, seed=seed, budget=values.budget, ranks=ranks)
    table = _Table(common, config.k, data, images, labels)
    try:
        for step in runs:
            table.show(step)
        table.conclude()
    finally:
        table.keep(common.out)


def _save(
    values: argparse.Namespace, config: ClusterConfig, data: ImageSet, common: Common
) -> None:
    """Compute the run and save it in the format of the Clustering page."""
    if values.seeds != 1 or values.budget is None or common.device.type != "cpu":
        raise EngineError("--keep must be used with --seeds 1, --device cpu and --budget SECONDS")
    title = f"cluster, {config.model}, K = {config.k}"
    seed, budget = common.seed or 0, values.budget
    compute_saved(
        CLUSTERINGS,
        lambda images: plan_clusters(config, images, seed, budget),
        title,
        data,
        common,
    )


def _parse(argv: Sequence[str]) -> argparse.Namespace:
    parser = make_parser("cluster", COMMANDS["cluster"])
    add_config(parser, ClusterConfig, OPTIONS)
    add, default = parser.add_argument, ClusterConfig.sequence
    about = f"transformations, separated by commas; identity for none (default {default})"
    add("--sequence", default=default, metavar="A,B,C", help=about)
    add("--budget", type=float, metavar="SECONDS", help="maximum CPU seconds per seed")
    add("--seeds", type=int, default=1, metavar="S", help="number of seeds (default 1)")
    about = "crop each picture of a folder or zip to its central square, 128×128 in colour"
    add("--photographs", action="store_true", help=about)
    about = "a data set of the paper, with settings for short runs"
    add("--recipe", choices=tuple(PUBLISHED), help=f"{about}; --model chooses the model")
    add("--as-published", action="store_true", help="with --recipe: use the settings of the paper")
    add_keep(parser)
    parser.description = f"{COMMANDS['cluster']}. {MODELS_HELP}"
    early = parser.parse_known_args(argv)[0]
    if early.model in ATTENTION:
        parser.set_defaults(k=None)
    if early.recipe:
        published = find_recipe(early.recipe).config
        config = published if early.as_published else quicken(published, early.recipe)
        parser.set_defaults(**asdict(config), data=RECIPE_DATA)
    elif early.as_published:
        raise EngineError("--as-published must be used with --recipe NAME")
    values = parser.parse_args(argv)
    if values.budget is not None and not 0 < values.budget < float("inf"):
        raise EngineError(f"--budget must be above 0 seconds; got {values.budget}")
    if not 1 <= values.seeds <= SEED_MOST:
        raise EngineError(f"--seeds must be between 1 and {SEED_MOST}; got {values.seeds}")
    return values


def _load(values: argparse.Namespace, common: Common) -> ImageSet:
    """Load the data that --data selects or, by default, the data of the recipe."""
    if values.recipe and common.data == RECIPE_DATA:
        recipe = find_recipe(values.recipe)
        if not values.as_published:
            recipe = replace(recipe, data=SMALL_DATA.get(values.recipe))
        whole = recipe.load()
        return whole if common.limit is None else whole.first(common.limit)
    data = load(common, PHOTOGRAPHS if values.photographs else None)
    if isinstance(data, PointSet):
        raise EngineError(
            "the data for 'cluster' must be images; got points: choose image data with --data"
        )
    return data


def _follow_recipe(values: argparse.Namespace, config: ClusterConfig, n: int) -> ClusterConfig:
    """Return the config with the number of epochs of the recipe, for which there is no option.

    With --as-published, only the model may differ from the recipe. Otherwise, all differences are
    printed.
    """
    if not values.recipe:
        return config
    found = find_recipe(values.recipe)
    published = replace(found.schedule(n), model=config.model)
    if not values.as_published:
        own = replace(config, shares=quicken(found.config, values.recipe).shares)
        say(f"not as published: {'; '.join(list_differences(own, published))}")
        return own
    config = replace(config, shares=published.shares)
    if values.iterations == found.config.iterations:
        config = replace(config, iterations=published.iterations)
    if changed := list_differences(config, published):
        raise EngineError(
            f"--as-published takes every setting from the recipe; got {'; '.join(changed)}: leave "
            "out these options, or --as-published"
        )
    if values.budget is not None:
        raise EngineError("--as-published sets the number of epochs: leave out --budget")
    return config


def list_sizes(assignments: Labels, k: int) -> list[int]:
    """Return the number of images in each cluster."""
    sizes: list[int] = torch.bincount(assignments.cpu(), minlength=k).tolist()
    return sizes


def _attend(values: argparse.Namespace, common: Common) -> None:
    """Divide the graph of the distances by attention, as `ia_engine.cluster` does."""
    beta = KERNEL_BETA if values.model == "ka" else AttentionConfig.beta
    config = AttentionConfig(values.model, beta=beta, sigma=SIGMA, steps=1)
    if values.keep or common.ranks.size > 1 or values.recipe:
        raise EngineError(
            f"--model {values.model} takes no --keep and no --recipe, and runs in one process: use "
            f"attend --method {values.model} --k K --keep to save a run"
        )
    data = _load(values, common)
    n = len(data.images)
    if values.k is not None and not 1 <= values.k <= n:
        raise EngineError(f"--k must be between 1 and the number of images, {n}; got {values.k}")
    v = normalise(data.images).to(common.device)
    check_memory(n, 1, VALUES_GLOBAL_SEARCH if values.model == "ia" else VALUES_WITHOUT_POSES, 1)
    (step,) = iterate(config, v)
    found = detect(step.d2, step.v, values.k)
    scores = None if data.labels is None else score_clusters(data.labels, found.cpu())
    aligned = data.images.to(common.device)
    if step.tau is not None:
        tau = pose_in_clusters(found, Alignment(step.d2, step.tau))
        aligned = GROUPS[config.group].act(aligned, tau).clamp(0, 1)
    arrays = {"prototypes": average(aligned, found), "assignments": found, "aligned": aligned}
    keep(common.out, {name: to_array(x) for name, x in arrays.items()} | list_names(data))
    sizes = list_sizes(found, 1)
    common.printer.row(
        {
            "model": values.model,
            "clusters": len(sizes),
            "acc": None if scores is None else scores.acc,
            "nmi": None if scores is None else scores.nmi,
            "ari": None if scores is None else scores.ari,
            "sizes": sizes,
        }
    )


class _Table:
    """Prints the rows of all seeds and keeps the best result."""

    def __init__(
        self, common: Common, k: int, data: ImageSet, images: Images, labels: Labels | None
    ) -> None:
        self.names = list_names(data)
        self.printer, self.as_json = common.printer, common.printer.as_json
        self.k, self.images, self.labels = k, images, labels
        self.seed: int | None = None
        self.next = 0.0
        self.last: SeedStep | None = None
        self.best: tuple[SeedStep, Reading] | None = None

    def show(self, found: SeedStep) -> None:
        """Print a row if one is due."""
        if found.seed != self.seed:
            self.seed, self.next = found.seed, 0.0
        self.last, progress = found, found.step.progress
        if found.final is None and progress.share < self.next:
            return
        self.next = (int(progress.share * LINES) + 1) / LINES
        state = found.step.state
        reading = found.final or read(state, self.images, state.rows)
        if found.best:
            self.best = found, reading
        self.printer.row(
            {
                "seed": found.seed,
                "iteration": progress.iteration,
                "seconds": progress.seconds,
                "loss": reading.loss,
                **self._measures(reading),
                "stage": ",".join(progress.stage) or "identity",
            }
        )

    def conclude(self) -> None:
        """Print the best seed and its scores."""
        if self.best is None:
            raise EngineError("no seed ended with a finite loss: choose a smaller --rate")
        found, reading = self.best
        measures = self._measures(reading)
        Printer(self.as_json).row(
            {
                "best_seed": found.seed,
                "loss": reading.loss,
                **measures,
                "rule": self._rule(reading),
                "sizes": list_sizes(reading.assignments, self.k),
            }
        )

    def keep(self, path: Path | None) -> None:
        """Write the best finished result or, if no seed has finished, the last state."""
        if self.last is None:
            regret("step")
            return
        if path is None:
            return
        state = self.last.step.state
        found, reading = self.best or (self.last, read(state, self.images, state.rows))
        arrays = {
            "prototypes": found.step.state.prototypes,
            "assignments": reading.assignments,
            "aligned": reading.aligned,
        }
        keep(path, {name: to_array(x) for name, x in arrays.items()} | self.names)

    def _measures(self, reading: Reading) -> dict[str, Value]:
        if self.labels is None:
            return {"acc": None, "nmi": None, "ari": None}
        found = agree(self.labels, reading.assignments, self.k)
        return {"acc": found.acc, "nmi": found.nmi, "ari": found.ari}

    def _rule(self, reading: Reading) -> str | None:
        """Return the rule by which the accuracy is computed, or None if there are no labels."""
        if self.labels is None:
            return None
        return agree(self.labels, reading.assignments, self.k).rule
