"""Experiments that answer questions from the published reviews of Invariant Attention."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import torch
from sklearn.cluster import KMeans, SpectralClustering

from ia_engine.attention.clusters.detection import cluster
from ia_engine.attention.distances.alignment import Distance, Euclidean, GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.attention.layer.rotated_digits import (
    SIDE,
    TRAINING,
    DigitTrainingConfig,
    draw_digits,
    measure_error,
    train,
)
from ia_engine.attention.layer.vision import VisionConfig, build_invariant, build_plain
from ia_engine.datasets.bases import load_digits
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.distortions import Distortion
from ia_engine.datasets.experiments import EXPERIMENT_1
from ia_engine.datasets.generated import GeneratedConfig, generate, resolve
from ia_engine.devices import cpu_seconds
from ia_engine.figures.papers.panels import Curves, show
from ia_engine.images import Images, Labels
from ia_engine.metrics import score_clusters
from ia_engine.runs.papers.entry import (
    DIRECTION,
    ILLUSTRATED,
    Claim,
    Effort,
    Entry,
    Outcome,
    Progress,
    exceeds,
    summarise,
)
from ia_engine.runs.papers.repeats import choose_seeds
from ia_engine.transforms import GROUPS

IMAGES: Final = 40
METHODS: Final = ("invariant attention", "kernel attention", "K-means", "spectral clustering")
POSES: Final = GlobalSearch(GROUPS["se2"])
SIZES: Final = (10, 20, 50, 200, 500)
"""Numbers of images; with a small budget, only the first three."""
LARGE_BUDGET: Final = 20.0
"""Budget from which all sizes are measured [CPU s]."""
MEASUREMENTS: Final = 3
GROUP_NAMES: Final = ("translation", "rotation", "se2", "similarity", "affine")
EPOCHS: Final = 3
VISION: Final = VisionConfig()
UPRIGHT: Final = DigitTrainingConfig().turn
NETWORKS: Final = {
    "invariant attention": (build_invariant, UPRIGHT),
    "softmax attention": (build_plain, UPRIGHT),
    "softmax attention and augmentation": (build_plain, 180.0),
}
"""The networks, and the largest rotation of their training digits [°]."""
PLAIN, OWN = (f"{name}, rotated digits" for name in ("softmax attention", "invariant attention"))
TURN: Final = math.radians(5)

FRESH: Final = 20
"""First seed that was not used to choose the data of an experiment, relative to the given seed."""
Values = dict[str, list[float]]
"""One value per seed by the name of a method."""


def compare_baselines(effort: Effort) -> Iterator[Progress]:
    """Compare methods on rotated and translated digits of four classes."""
    runs: Values = {}
    for seed in (seeds := choose_seeds(_after_choice(effort), 4.0)):
        yield Progress(f"seed {seed}")
        _add(runs, score_methods(draw_digit_copies(seed), seed))
    claims = judge_first(runs, "invariant attention", "rotated digits")
    source = "MNIST" if resolve("best") == "mnist" else "scikit-learn's digits"
    yield Progress("done", _summarise_scores(
        runs, claims, f"We use {IMAGES} images of 0, 3, 4 and 7 from {source}, rotated by up to "
        "90° and translated; K = 4 is given. The paper has no such table. Reported on "
        "seeds 20 to 29, because the data were chosen after seeds 0 to 9 had been seen.",
        len(seeds), beyond=_first_exceeds(runs, "invariant attention"),
    ))  # fmt: skip


def draw_digit_copies(seed: int) -> ImageSet:
    """Digits of four classes in random poses: of MNIST, if it is available."""
    return generate(plan_digit_copies(resolve("best"), seed))


def plan_digit_copies(source: str, seed: int) -> GeneratedConfig:
    """Return the config of these digits."""
    bases = tuple(f"{source}:{digit}" for digit in (0, 3, 4, 7))
    pose = Distortion("se2", (-math.pi / 2, -2.0), (math.pi / 2, 2.0))
    return GeneratedConfig(bases, IMAGES // len(bases), 32, 0.7, (pose,), seed)


def score_methods(data: ImageSet, seed: int, distance: Distance = POSES) -> dict[str, float]:
    """ARI of every method with the number of classes given."""
    v, labels = normalise(data.images), data.labels
    assert labels is not None
    k, points = len(labels.unique()), v.flatten(1).double().numpy()
    pixels = Euclidean().align(v).d2
    affinity = (-pixels / pixels.median()).exp().double().numpy()
    spectral = SpectralClustering(k, affinity="precomputed", random_state=seed)
    found = (
        cluster(distance.align(v).d2, v, k),
        cluster(pixels, v, k),
        torch.from_numpy(KMeans(k, n_init=10, random_state=seed).fit_predict(points)).long(),
        torch.from_numpy(spectral.fit_predict(affinity)).long(),
    )
    scores = [score_clusters(labels, one).ari for one in found]
    return dict(zip(METHODS, scores, strict=True))


def judge_first(runs: Values, name: str, data: str) -> tuple[Claim, ...]:
    """One claim per competitor of a method."""
    return tuple(
        Claim(f"on {data}, {name} has a higher ARI than {other}, by more than the spread of "
              "paired seeds", _is_above(runs[name], values), DIRECTION)
        for other, values in runs.items() if other != name
    )  # fmt: skip


def _after_choice(effort: Effort) -> Effort:
    """Return the effort with seeds that were not used to choose the set-up."""
    return replace(effort, seed=effort.seed + FRESH)


def compare_groups(effort: Effort) -> Iterator[Progress]:
    """Compare groups on rotated and translated digits."""
    runs: Values = {}
    for seed in (seeds := choose_seeds(_after_choice(effort), 3.0)):
        yield Progress(f"seed {seed}")
        _add(runs, score_groups(draw_digit_copies(seed), GROUP_NAMES))
    yield Progress("done", _summarise_scores(
        runs, judge_groups(runs), f"We use the {IMAGES} digits of Question 1. The distance ignores "
        "each group in turn; K = 4 is given. The results are from seeds 20 to 29, because the data "
        "and the claim were chosen after seeds 0 to 9 had been seen.",
        len(seeds), beyond=_is_above(runs["se2"], runs["translation"]),
    ))  # fmt: skip


def score_groups(data: ImageSet, groups: Sequence[str]) -> dict[str, float]:
    """ARI of the clusters of d² for every group."""
    v, labels = normalise(data.images), data.labels
    assert labels is not None
    k = len(labels.unique())
    return {
        name: score_clusters(labels, cluster(GlobalSearch(GROUPS[name]).align(v).d2, v, k)).ari
        for name in groups
    }


def judge_groups(runs: Values) -> tuple[Claim, ...]:
    """The claims on groups."""
    return (
        Claim("on rotated digits, ignoring SE(2) gives a higher ARI than ignoring translations, by "
              "more than the spread of paired seeds",
              _is_above(runs["se2"], runs["translation"]), DIRECTION),
    )  # fmt: skip


def harm(effort: Effort) -> Iterator[Progress]:
    """Cluster left-pointing and right-pointing arrows."""
    runs: Values = {}
    effort = _after_choice(effort)
    for seed in (seeds := choose_seeds(effort, 1.0)):
        yield Progress(f"seed {seed}")
        _add(runs, score_groups(draw_arrows(seed), ("se2", "translation")))
    outcome = _summarise_scores(
        runs, judge_harm(runs), "Eight arrows pointing left and eight pointing right are rotated "
        "by up to 5° and translated; K = 2 is given. For SE(2) they are one class. The results are "
        "from seeds 20 to 29, because the arrows were chosen after seeds 0 to 9 had been seen.",
        len(seeds), beyond=_is_above(runs["translation"], runs["se2"]),
    )  # fmt: skip
    picture = show("Arrows", draw_arrows(effort.seed).images, columns=8)
    yield Progress("done", replace(outcome, panels=(picture,)))


def draw_arrows(seed: int, opposite: float = math.pi) -> ImageSet:
    """Arrows in two directions, [16 1 32 32]; the second direction is `opposite` [rad]."""
    generator = torch.Generator(device="cpu").manual_seed(seed)
    arrow = torch.zeros(1, 1, 32, 32, device="cpu")
    arrow[..., 14:18, 14:26] = 1
    for k in range(9):
        arrow[..., 15 - k : 17 + k, 6 + k] = 1
    labels = torch.arange(2, device="cpu").repeat_interleave(8)
    draw = 2 * torch.rand(16, 3, generator=generator, device="cpu") - 1
    pose = draw * draw.new_tensor([TURN, 2, 2])
    pose[:, 0] += opposite * labels
    images = GROUPS["se2"].act(arrow.expand(16, -1, -1, -1), pose).clamp(0, 1)
    names = tuple(f"arrow {k + 1}" for k in range(16))
    recipe = replace(EXPERIMENT_1, seed=seed)
    made = generate(replace(recipe, bases=("crab",), copies=1)).recipe
    return ImageSet(images, names, made, labels, ("left", "right"))


def judge_harm(runs: Values) -> tuple[Claim, ...]:
    """The claims on arrows."""
    return (
        Claim("ignoring rotations confuses the directions: the mean ARI is below 0.2",
              float(np.mean(runs["se2"])) < 0.2, DIRECTION),
        Claim("ignoring only translations separates them: the mean ARI is above 0.8",
              float(np.mean(runs["translation"])) > 0.8, DIRECTION),
    )  # fmt: skip


def learn(effort: Effort) -> Iterator[Progress]:
    """Train small vision transformers with softmax attention and with invariant attention."""
    runs: Values = {}
    for seed in (seeds := choose_seeds(_after_choice(effort), 6.0)):
        yield Progress(f"seed {seed}")
        _add(runs, train_all(seed))
    yield Progress("done", Outcome(
        numbers=tuple(summarise(f"test error, {name}", values, unit="%")
                      for name, values in runs.items()),
        claims=judge_learned(runs),
        data=f"We use scikit-learn's digits. The models are trained for {EPOCHS} epochs on digits "
        f"rotated by at most {UPRIGHT:g}°, with augmentation on digits rotated by arbitrary "
        "angles, and tested on other digits, upright and rotated by arbitrary angles. The paper "
        "announces learned components without results. Reported on seeds 20 to 29, because the "
        "number of epochs was chosen after seeds 0 and 1 had been seen. With so few epochs, "
        "softmax attention with augmentation is hardly trained, so its error does not show what "
        "augmentation can do. In the benchmark \"errors on turned digits\", with 10 epochs and "
        "seeds 0 to 2, invariant attention has errors of 24 to 28 %, and softmax attention to "
        "every rotation of the images, which is absent here, has lower ones, 20 to 23 %.",
        seeds=len(seeds), beyond_spread=_is_above(runs[PLAIN], runs[OWN]),
        schedule=f"{EPOCHS} epochs; the paper gives none",
    ))  # fmt: skip


def train_all(seed: int, epochs: int = EPOCHS) -> dict[str, float]:
    """Test errors [%] of all networks on upright and on rotated digits."""
    found = {}
    for name, (build, turn) in NETWORKS.items():
        generator = torch.Generator(device="cpu").manual_seed(seed)
        digits = draw_digits(generator)
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(seed)
            network = build(VISION)
        *_, last = train(network, digits, DigitTrainingConfig(epochs, turn=turn), generator)
        found[f"{name}, rotated digits"] = 100 * last.error
        found[f"{name}, upright digits"] = 100 * measure_error(network, *_draw_upright(seed))
    return found


def _draw_upright(seed: int) -> tuple[Images, Labels]:
    """The test digits of `draw_digits` before their rotation, each once."""
    images, labels = load_digits(SIDE)
    generator = torch.Generator(device="cpu").manual_seed(seed)
    rows = torch.randperm(len(labels), generator=generator, device="cpu")[TRAINING:]
    return images[rows], labels[rows]


def judge_learned(runs: Values) -> tuple[Claim, ...]:
    """The claim on learned attention; augmentation is reported without a claim."""
    return (
        Claim("on rotated digits, the network with invariant attention has a lower error than the "
              "one with softmax attention trained on the same digits, by more than the spread of "
              "paired seeds", _is_above(runs[PLAIN], runs[OWN]), DIRECTION),
    )  # fmt: skip


def measure_cost(effort: Effort) -> Iterator[Progress]:
    """Measure the CPU time to compute all distances with and without poses."""
    sizes = SIZES if effort.budget >= LARGE_BUDGET else SIZES[:3]
    searches = {
        "with poses, SE(2)": POSES.align,
        "without poses": Euclidean().align,
    }
    times: dict[str, list[list[float]]] = {name: [] for name in searches}
    pose = Distortion("se2", (-math.pi, -2.0), (math.pi, 2.0))
    for n in sizes:
        configs = [GeneratedConfig(("digits:3",), n, 32, 0.7, (pose,), effort.seed + k)
                   for k in range(MEASUREMENTS)]  # fmt: skip
        sets = [normalise(generate(config).images) for config in configs]
        for name, align in searches.items():
            times[name].append([_time(align, v) for v in sets])
        yield Progress(f"{n} images")
    numbers = [
        summarise(f"CPU time to compute all distances {name}, {n} images", row[at], unit="s")
        for name, row in times.items() for at, n in enumerate(sizes)
    ]  # fmt: skip
    means = np.array(list(times.values())).mean(2)
    yield Progress("done", Outcome(
        numbers=tuple(numbers),
        panels=(Curves("CPU time to compute all distances", "images n", "CPU time [s]",
                       tuple(times), np.array(sizes), means, "log"),),
        data=f"We use scikit-learn's 3s on 32×32 pixels, one thread and {MEASUREMENTS} "
        "measurements. The number of pairs grows as n².",
        seeds=MEASUREMENTS,
    ))  # fmt: skip


def _time(align: Callable[[Images], object], v: Images) -> float:
    align(v[:2])  # warm-up: computes the cached values
    started = cpu_seconds()
    align(v)
    return max(cpu_seconds() - started, 1e-6)


def _add(runs: Values, found: Mapping[str, float]) -> None:
    for name, value in found.items():
        runs.setdefault(name, []).append(value)


def _is_above(larger: Sequence[float], smaller: Sequence[float]) -> bool:
    """True if the order holds by more than the spread; with one seed, if it holds."""
    return larger[0] > smaller[0] if len(larger) == 1 else exceeds(larger, smaller)


def _first_exceeds(runs: Values, first: str) -> bool:
    return all(_is_above(runs[first], values) for name, values in runs.items() if name != first)


def _summarise_scores(
    runs: Values, claims: tuple[Claim, ...], data: str, seeds: int, *, beyond: bool
) -> Outcome:
    numbers = tuple(
        summarise(f"ARI, {TITLES.get(name, name)}", values) for name, values in runs.items()
    )
    return Outcome(numbers, claims, (), data, seeds=seeds, beyond_spread=beyond)


TITLES: Final = {"se2": "rotation + translation"}
"""Titles of groups whose name is an abbreviation."""
NO_TABLE: Final = "the paper has no such experiment"
ENTRIES: Final = (
    Entry(
        id="ia-question-baselines", paper="ia", label="Question 1", title="Digits and baselines",
        says="Reviewers asked for results on MNIST in comparison with other methods. The abstract "
        "states that invariant attention is far more successful than kernel attention on "
        "transformed data.",
        kind=DIRECTION, why=NO_TABLE, compute=compare_baselines, budget=4, thorough=40, steps=3,
    ),
    Entry(
        id="ia-question-groups", paper="ia", label="Question 2", title="Other groups",
        says="Reviewers asked for transformations other than SE(2). The paper states that any "
        "group can be used.",
        kind=DIRECTION, why=NO_TABLE, compute=compare_groups, budget=3, thorough=30, steps=3,
    ),
    Entry(
        id="ia-question-harm", paper="ia", label="Question 3", title="When invariance harms",
        says="A reviewer asked what happens if the pose is the class, as for arrows that point "
        "left and arrows that point right.",
        kind=DIRECTION, why=NO_TABLE, compute=harm, budget=2, thorough=10, steps=4,
    ),
    Entry(
        id="ia-question-learned", paper="ia", label="Question 4", title="Learned attention",
        says="Reviewers asked for learned components. The paper announces them as future work.",
        kind=DIRECTION, why=NO_TABLE, compute=learn, budget=10, thorough=60, steps=12,
    ),
    Entry(
        id="ia-question-cost", paper="ia", label="Question 5", title="Cost of poses",
        says="Reviewers asked what the search for poses costs as the number of images grows.",
        kind=ILLUSTRATED, why="it is a measurement on this machine, without a claim",
        compute=measure_cost, budget=2, thorough=80, steps=7,
    ),
)  # fmt: skip
