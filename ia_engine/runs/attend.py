"""Attention runs: the plan, the iterations, and the data that are stored for each iteration."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Final

import torch
from torch import Tensor

from ia_engine.attention.advice import Known
from ia_engine.attention.beta import exponents, nominal
from ia_engine.attention.clusters.measures import Measured, MergeTree, Numbers, measure, to_numbers
from ia_engine.attention.distances.alignment import Alignment
from ia_engine.attention.iteration import AttentionConfig, Step, iterate, normalise, weigh_images
from ia_engine.attention.kernels import KERNELS, Kernel
from ia_engine.datasets.data import Data, PointSet, keep_rows, thin
from ia_engine.devices import cpu_seconds
from ia_engine.errors import EngineError
from ia_engine.figures.frames import Frame, make_frame
from ia_engine.images import Labels, Matrix
from ia_engine.predict import AttentionModel
from ia_engine.transforms import GROUPS


@dataclass(frozen=True, eq=False)
class Plan:
    """The methods, data and device of a run: enough to repeat the run and to caption it."""

    configs: Mapping[str, AttentionConfig]
    """The config of each method, by the name of the method."""
    recipe: str
    names: Sequence[str]
    labels: Sequence[int]
    classes: Sequence[str]
    total: int
    """Number of rows in the data set, of which `names` lists the ones that are used."""
    device: str = "cpu"
    kept: int = 0
    """Number of iterations that are copied from an earlier run, from which this run branches."""
    origin: str = ""
    """The name of this earlier run; "" if there is none."""

    @property
    def iterations(self) -> int:
        """The number of times the images are replaced with their means."""
        return self.kept + min(config.steps for config in self.configs.values())

    @property
    def moments(self) -> int:
        """Number of states that can be shown: the data, and the result of every iteration."""
        return self.iterations + 1

    @property
    def size(self) -> int:
        """Number of images or points that are used."""
        return len(self.names)


def plan(configs: Sequence[AttentionConfig], data: Data, limit: int, device: str = "cpu") -> Plan:
    """Plan a run on at most `limit` rows. For points, only kernel attention is planned."""
    part = thin(data, limit)
    labels = [] if part.labels is None else part.labels.tolist()
    if isinstance(part, PointSet):
        configs = [config for config in configs if config.method == "ka"]
        names = tuple(f"point {row + 1}" for row in keep_rows(data, limit).tolist())
        classes = tuple(f"blob {k + 1}" for k in range(max(labels) + 1))
    else:
        names, classes = part.names, part.classes
    return Plan(
        configs={config.method: config for config in configs},
        recipe=data.recipe.to_json(),
        names=names,
        labels=labels,
        classes=classes,
        total=len(data.points if isinstance(data, PointSet) else data.images),
        device=device,
    )


WHITE: Final = 255
BRIGHT: Final = 0.75
"""Fraction of the images in which no pixel is brighter than white; the other images are clipped."""


@dataclass(frozen=True, eq=False)
class MethodStep:
    """The result of one method at one iteration."""

    config: AttentionConfig
    """The config with which this step was computed; for a restored step, the config of the earlier
    run."""
    beta: float
    """The β of the weights that the player shows."""
    white: float
    """The pixel value that is shown as white."""
    frame: Frame
    mu: Tensor
    """The means, on the CPU, which become the next images; empty at the end of a run."""
    numbers: Numbers
    rough: Tensor | None = None
    """[n n]: True for pairs whose distances are approximate; None if there are none."""

    @property
    def nbytes(self) -> int:
        rough = 0 if self.rough is None else self.rough.nbytes
        return self.frame.nbytes + self.mu.nbytes + rough


@dataclass(frozen=True, eq=False)
class Iteration:
    """The results of all methods of a run at one iteration."""

    plan: Plan
    shown: Mapping[str, MethodStep]

    @property
    def nbytes(self) -> int:
        return sum(shown.nbytes for shown in self.shown.values())


def find_white(v: Tensor) -> float:
    """Return the pixel value that is shown as white in all frames of a run on the images or points
    v.

    All images have norm 1, so thin shapes are bright. If the brightest pixel were white, a few thin
    shapes would darken all other images.
    """
    if not len(v):
        return 1.0
    return max(float(v.flatten(1).amax(1).quantile(BRIGHT)), 1e-12)


def make_shown(
    measured: Measured, config: AttentionConfig, beta: float, white: float
) -> MethodStep:
    """Return the data of a step that are stored. The player shows its weights with the given β."""
    step = measured.step
    x = exponents(step, config, beta)
    frame = make_frame(
        step.k - 1,
        step.d2.cpu(),
        x=None if x is None else x.cpu(),
        matrices=None if step.tau is None else GROUPS[config.group].matrix(step.tau).cpu(),
        assignments=measured.assignments.cpu(),
        white=white,
        **_picture(step.v),
    )
    rough = None if step.rough is None else step.rough.cpu()
    return MethodStep(
        config, beta, white, frame, step.mu.detach().cpu(), to_numbers(measured), rough
    )


def make_next_frame(shown: MethodStep) -> Frame:
    """Return the next frame, which shows the means. Their distances are not known yet."""
    n = len(shown.mu)
    unknown = torch.full((n, n), torch.nan, device="cpu")
    return make_frame(shown.numbers.p + 1, unknown, white=shown.white, **_picture(shown.mu))


def restore_step(shown: MethodStep, v: Tensor) -> Step:
    """Rebuild a step from its frame and its images v."""
    arrays = shown.frame.arrays
    d2, tau = torch.tensor(arrays["d2"], device=v.device), None
    if "matrices" in arrays:
        matrices = torch.tensor(arrays["matrices"], device=v.device)
        tau = GROUPS[shown.config.group].pose(matrices.unflatten(-1, (3, 3)))
    rough = None if shown.rough is None else shown.rough.to(v.device)
    W, beta = weigh_images(shown.config, v, d2, rough)
    mu, numbers = shown.mu.to(v.device), shown.numbers
    return Step(numbers.p + 1, v, d2, tau, W, beta, mu, numbers.seconds, rough)


def restore_steps(kept: Sequence[MethodStep], v: Tensor) -> Iterator[Step]:
    """Rebuild the steps of one method, which started from the images v."""
    for shown in kept:
        step = restore_step(shown, v)
        yield step
        v = step.mu


def restore_weights(shown: MethodStep, sharper: float = 1.0) -> Matrix:
    """Compute W as the player shows it, with β multiplied by `sharper`."""
    arrays = shown.frame.arrays
    x = torch.tensor(arrays.get("x", arrays["d2"]), device="cpu")
    return KERNELS[shown.config.kernel].weigh(sharper * shown.beta * x)


def known_distances(frame: Frame, config: AttentionConfig) -> Known:
    """Return the distances of a frame, with the weighting of this config."""
    d2 = torch.tensor(frame.arrays["d2"], device="cpu").double()
    square = torch.ones_like(d2[0])
    if "points" in frame.arrays:
        square = torch.tensor(frame.arrays["points"], device="cpu").double().square().sum(1)
    return Known(d2, square, config.build(len(d2)).weighting)


def rebuild_tree(kept: Sequence[MethodStep], lax: float) -> MergeTree:
    """Return the tree of merges for a threshold of `lax` times the usual distance."""
    tree = MergeTree(len(kept[0].frame.arrays["d2"]))
    for shown in kept:
        arrays = shown.frame.arrays
        d2 = torch.tensor(arrays["d2"], device="cpu") / lax
        v = torch.tensor(arrays["points"] if "points" in arrays else arrays["images"], device="cpu")
        v = v if "points" in arrays else v * (shown.white / WHITE)
        W = restore_weights(shown)
        tree = tree.grow(Step(shown.numbers.p + 1, v, d2, None, W, d2, v, 0.0))
    return tree


def list_distances(kept: Sequence[MethodStep]) -> list[Matrix]:
    """Return d² at every iteration."""
    return [torch.tensor(s.frame.arrays["d2"], device="cpu") for s in kept]


def measure_frames(
    config: AttentionConfig,
    frames: Sequence[Frame],
    beta: float,
    white: float,
    labels: Labels | None,
) -> list[MethodStep]:
    """Return the steps of a run of which only the frames are known, with their metrics.

    Their CPU times are unknown (NaN), and they have no means.
    """
    kernel = KERNELS[config.kernel]
    measured = measure((_read_step(frame, kernel, beta, white) for frame in frames), labels)
    return [
        MethodStep(config, beta, white, frame, found.step.mu, to_numbers(found))
        for frame, found in zip(frames, measured, strict=True)
    ]


def _read_step(frame: Frame, kernel: Kernel, beta: float, white: float) -> Step:
    """Rebuild a step, without poses and means, from a frame alone."""
    arrays = frame.arrays
    d2 = torch.tensor(arrays["d2"], device="cpu")
    x = torch.tensor(arrays.get("x", arrays["d2"]), device="cpu")
    v = torch.tensor(arrays["points"] if "points" in arrays else arrays["images"], device="cpu")
    v = v if "points" in arrays else v.movedim(-1, 1) * (white / WHITE)
    W, used = kernel.weigh(beta * x), torch.tensor(beta, device="cpu")
    return Step(frame.k + 1, v, d2, None, W, used, v[:0], math.nan)


def _picture(v: Tensor) -> dict[str, Tensor]:
    """Return the images or points as an array of a frame."""
    return {"points" if v.ndim == 2 else "images": v.detach().cpu()}


@dataclass(frozen=True, eq=False)
class Start:
    """The start of a method: the data, or the last of the stored steps of an earlier run."""

    data: Tensor
    kept: Sequence[MethodStep] = ()
    known: Alignment | None = None
    """The distances of the first new images, if they are known for this config."""

    @property
    def v(self) -> Tensor:
        """The images from which the first new step is computed."""
        return self.kept[-1].mu if self.kept else self.data


Begin = Callable[[Tensor], Mapping[str, Start]]
"""Maps the data [n c h w] or [n d] to the start of each method that does not start at the data."""


def attend(plan: Plan, data: Data, begin: Begin | None = None) -> Iterator[Iteration]:
    """Run the methods from the data, or from the starts that `begin` returns."""
    part = thin(data, plan.size)
    v = part.points if isinstance(part, PointSet) else normalise(part.images)
    v = v.to(plan.device)
    labels = None if part.labels is None else part.labels.to(plan.device)
    starts = begin(v) if begin else {}
    known = [start.kept[0].white for start in starts.values() if start.kept]
    white = known[0] if known else find_white(v)
    streams = [
        _show(plan, config, starts.get(method, Start(v)), labels, white)
        for method, config in plan.configs.items()
    ]
    for moment in zip(*streams, strict=False):
        yield Iteration(plan, dict(zip(plan.configs, moment, strict=True)))


def iterate_to_end(
    config: AttentionConfig, v: Tensor, known: Alignment | None = None, done: int = 0
) -> Iterator[Step]:
    """Yield the steps of the loop, followed by a step that measures the final means but computes no
    new ones."""
    for step in iterate(config, v, known, done):
        yield step
        v = step.mu
    started = cpu_seconds()
    found = config.build(len(v)).distance.align(v)
    W, beta = weigh_images(config, v, found.d2, found.rough)
    seconds = cpu_seconds() - started
    yield Step(step.k + 1, v, found.d2, found.tau, W, beta, v[:0], seconds, found.rough)


def _show(
    plan: Plan, config: AttentionConfig, start: Start, labels: Labels | None, white: float
) -> Iterator[MethodStep]:
    """Yield the stored steps of one method, followed by new ones up to the length of the plan."""
    kept = restore_steps(start.kept, start.data)
    left = replace(config, steps=max(1, plan.moments - 1 - len(start.kept)))
    new = iterate_to_end(left, start.v.to(plan.device), start.known, done=len(start.kept))
    beta: float | None = None
    for at, measured in enumerate(measure(islice(chain(kept, new), plan.moments), labels)):
        old = start.kept[at] if at < len(start.kept) else None
        beta = beta or nominal(measured.step, config)
        if old and old.beta == beta:
            yield old
        else:
            yield make_shown(measured, old.config if old else config, beta, white)


def build_model(history: Sequence[Iteration], data: Data, method: str = "") -> AttentionModel:
    """Return the clusters of the last iteration of a method, which can assign new images.

    By default, the method is the first of the run.
    """
    plan = history[0].plan
    method = method or next(iter(plan.configs))
    if method not in plan.configs:
        raise EngineError(f"the method must be one of {', '.join(plan.configs)}; got {method}")
    part = thin(data, plan.size)
    if isinstance(part, PointSet):
        raise EngineError("new images need a run of images; got a run of points")
    first, last = (history[at].shown[method] for at in (0, -1))
    return AttentionModel(
        config=first.config,
        images=part.images,
        labels=torch.tensor(last.numbers.assignments, device="cpu"),
        d2=torch.tensor(first.frame.arrays["d2"], device="cpu"),
        beta=first.beta,
    )
