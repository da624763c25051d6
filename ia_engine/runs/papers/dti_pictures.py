"""DTI clustering's figures: alignments, prototypes and photographs."""

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import Euclidean, GlobalSearch
from ia_engine.attention.iteration import normalise
from ia_engine.attention.means.mean import sharpness
from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.reading import Reading, read, unfold
from ia_engine.clustering.recipes import PHOTO
from ia_engine.clustering.state import State
from ia_engine.clustering.training import Step, train
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.handwriting import DigitsConfig, WrittenConfig, load_plain
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.datasets.recipes import DATASETS
from ia_engine.datasets.subset import NamedConfig, load_named
from ia_engine.equivariant.digits import draw_digit
from ia_engine.figures.papers.panels import show
from ia_engine.images import resize
from ia_engine.runs.papers.entry import Claim, Effort, Number, Outcome, Progress
from ia_engine.runs.papers.needs import load_images
from ia_engine.transforms import GROUPS

QUICK: Final = ClusterConfig(batch=32, period=40)
"""Small batches give many steps within a short budget."""
ALIGN: Final = "affine,morphology,tps"
TINT: Final = "color,affine,tps"
EACH: Final = 12.0
"""Minimum CPU seconds for a set of Figure 2a."""
PHOTO_SIDE: Final = 64
REPORTS: Final = 16


def choose_aligned(effort: Effort) -> Iterator[Progress]:
    """Figure 1a: a rotated digit, two prototypes, and the one that it is assigned to."""
    prototypes = torch.cat([draw_digit(4), draw_digit(7)])
    yield Progress("distances")
    angles = torch.arange(0, 360, 30, device="cpu") * (math.pi / 180)
    sample, plain, found, pose = _hardest(prototypes, angles)
    aligned = GROUPS["rotation"].act(prototypes, pose)
    yield Progress("done", Outcome(
        numbers=(
            Number("unaligned: distance to its own prototype", plain[0]),
            Number("unaligned: distance to the other one", plain[1]),
            Number("aligned: distance to its own prototype", found[0]),
            Number("aligned: distance to the other one", found[1]),
        ),
        claims=(
            Claim("pixel by pixel the sample belongs to the wrong prototype", plain[1] < plain[0]),
            Claim("aligned first, it belongs to the right one", found[0] < found[1]),
        ),
        panels=(show(
            "A sample and two prototypes, unaligned and aligned with it",
            torch.cat([sample, prototypes, aligned]),
            ("sample", f"c₁\nd² = {plain[0]:.2f}", f"c₂\nd² = {plain[1]:.2f}",
             f"c₁ rotated\nd² = {found[0]:.2f}", f"c₂ rotated\nd² = {found[1]:.2f}"),
            5, bounds=(0.0, 1.0), framed=(2, 3),
        ),),
        data="Digits in our own handwriting; the paper does not name its sample. Framed: the "
        "nearest prototype, before and after alignment. Images of unit norm.",
    ))  # fmt: skip


def _hardest(prototypes: Tensor, angles: Tensor) -> tuple[Tensor, list[float], list[float], Tensor]:
    """The first prototype, rotated to the angle that plain distances get most wrong.

    Also its distances to both prototypes, plain and aligned, and the aligning angles.
    """
    turned = GROUPS["rotation"].act(prototypes[:1].expand(len(angles), -1, -1, -1), angles[:, None])
    known = normalise(prototypes)
    d2 = Euclidean().align(torch.cat([known, normalise(turned)])).d2[:2, 2:]
    sample = turned[int((d2[0] - d2[1]).argmax())][None]
    pair = torch.cat([known, normalise(sample)])
    plain = Euclidean().align(pair).d2[:2, 2].tolist()
    found = GlobalSearch(GROUPS["rotation"]).align(pair)
    assert found.tau is not None
    return sample, plain, found.d2[:2, 2].tolist(), found.tau[:2, 2]


def align_one(effort: Effort) -> Iterator[Progress]:
    """Figure 1b: one prototype, aligned with an image module by module."""
    data, stand_in = _digits(1000, effort.seed)
    state, last = yield from _learn(QUICK, data.images, effort, 0.8)
    rows, reading = _best_of_clusters(state, data.images, 1, offset=0.5)
    steps = unfold(state, data.images[rows], rows)
    own = [v[0, int(reading.assignments[rows[0]])] for _, v in steps]
    errors = [float((v - data.images[rows[0]]).square().mean()) for v in own]
    yield Progress("done", Outcome(
        numbers=tuple(
            Number(f"squared error per pixel, {name}", error)
            for (name, _), error in zip(steps, errors, strict=True)
        ),
        claims=(
            Claim("the whole sequence brings the prototype closer to the image",
                  errors[-1] < errors[0]),
            Claim("affine, morphological and thin plate spline modules all take part",
                  len(steps) == 4),
        ),
        panels=(
            show("A prototype, aligned with an image module by module", torch.stack(own),
                 [name for name, _ in steps], 5, bounds=(0.0, 1.0)),
            show("The image", data.images[rows], columns=5, bounds=(0.0, 1.0),
                 foreign=not stand_in),
        ),
        data=_about(data, stand_in, last),
        stand_in=stand_in,
    ))  # fmt: skip


def compare_prototypes(effort: Effort) -> Iterator[Progress]:
    """Figure 2a: prototypes of a Gaussian mixture and of DTI GMM, set by set."""
    panels, numbers, held = [], [], []
    sets, stand_in = _sets(effort)
    for name, data in sets.items():
        grey = data.images.shape[1] == 1
        deep = replace(QUICK, model="dti-gmm", sequence=ALIGN if grey else TINT)
        both = []
        for config, share in ((replace(deep, model="gmm"), 0.2), (deep, 0.8)):
            state, _ = yield from _learn(config, data.images, effort, share / len(sets))
            both.append(state.prototypes.clamp(0, 1))
        if grey:  # averaging colours creates edges
            edges = [float(sharpness(v, data.images).mean()) for v in both]
            numbers += [
                Number(f"{name}: sharpness of GMM's prototypes", edges[0]),
                Number(f"{name}: sharpness of DTI GMM's", edges[1]),
            ]
            held.append(edges[1] > edges[0])
        for title, v in zip(("GMM", "DTI GMM"), both, strict=True):
            small = resize(v, 28, 28) if v.shape[-1] > 28 else v
            panels.append(show(f"{name}: {title}", small, columns=10, bounds=(0.0, 1.0)))
    yield Progress("done", Outcome(
        numbers=tuple(numbers),
        claims=(Claim("DTI's prototypes are sharper than the mixture's", all(held)),),
        panels=tuple(panels),
        data=f"1,000 images of each set, CPU seconds instead of GPU hours; {', '.join(sets)}.",
        stand_in=stand_in,
    ))  # fmt: skip


def transform_all(effort: Effort) -> Iterator[Progress]:
    """Figure 2b: every prototype aligned with four queries, the nearest framed."""
    data, stand_in = _digits(1000, effort.seed)
    state, last = yield from _learn(QUICK, data.images, effort, 0.8)
    rows, reading = _best_of_clusters(state, data.images, 4)
    reached = unfold(state, data.images[rows], rows)[-1][1]
    start = state.prototypes.expand_as(reached)
    queries = data.images[rows][:, None]
    errors = (reached - queries).square().mean((2, 3, 4))
    before = (start - queries).square().mean((2, 3, 4))
    winners = errors.argmin(1)
    yield Progress("done", Outcome(
        numbers=(
            Number("mean error of the nearest prototype, unaligned", float(before.amin(1).mean())),
            Number("mean error of the nearest prototype, aligned", float(errors.amin(1).mean())),
        ),
        claims=(
            Claim("transformed prototypes are nearer to the queries than plain ones",
                  bool((errors.amin(1) < before.amin(1)).all())),
            Claim("the nearest prototype is the assigned one",
                  bool((winners == reading.assignments[rows]).all())),
        ),
        panels=(
            show("Four queries", data.images[rows], columns=10, bounds=(0.0, 1.0),
                 foreign=not stand_in),
            show("All ten prototypes aligned with each query, row by row; the nearest is framed",
                 reached.flatten(0, 1), columns=10, bounds=(0.0, 1.0),
                 framed=[k * 10 + int(w) for k, w in enumerate(winners)]),
        ),
        data=_about(data, stand_in, last),
        stand_in=stand_in,
    ))  # fmt: skip


@dataclass(frozen=True)
class Photographs:
    """Figure 3: mixtures of photographs, plain and with colour and perspective."""

    files: tuple[str, ...]

    def __call__(self, effort: Effort) -> Iterator[Progress]:
        panels, numbers = [], []
        for file, data in self._collections(effort):
            k = max(2, min(20, len(data.images) // 10))
            config = replace(
                QUICK, model="dti-gmm", k=k, batch=min(64, len(data.images)),
                sequence=PHOTO.sequence,
            )  # fmt: skip
            share = 1 / len(self.files)
            plain, _ = yield from _learn(
                replace(config, model="gmm"), data.images, effort, 0.2 * share
            )
            deep, _ = yield from _learn(config, data.images, effort, 0.8 * share)
            rows, reading = _best_of_clusters(deep, data.images, min(8, k))
            both = [state.prototypes.clamp(0, 1) for state in (plain, deep)]
            edges = [float(sharpness(v, data.images).mean()) for v in both]
            numbers += [Number(f"{file}: sharpness, GMM", edges[0]),
                        Number(f"{file}: sharpness, DTI GMM", edges[1])]  # fmt: skip
            panels += [
                show(f"{file}: GMM", both[0], columns=10),
                show(f"{file}: DTI GMM", both[1], columns=10),
                show(f"{file}: images above, aligned prototypes below",
                     torch.cat([data.images[rows], reading.aligned[rows].clamp(0, 1)]),
                     columns=len(rows), foreign=True),
            ]  # fmt: skip
        sharper = all(b.ours > a.ours for a, b in zip(numbers[::2], numbers[1::2], strict=True)
                      if a.ours is not None and b.ours is not None)  # fmt: skip
        yield Progress("done", Outcome(
            numbers=tuple(numbers),
            claims=(Claim("DTI's prototypes are sharper than the mixture's", sharper),),
            panels=tuple(panels),
            data=f"At {PHOTO_SIDE} px and within the budget; the paper uses 128 px and hours.",
        ))  # fmt: skip

    def _collections(self, effort: Effort) -> Iterator[tuple[str, ImageSet]]:
        if effort.given is not None:
            v = effort.given.images.expand(-1, 3, -1, -1)
            yield "your images", replace(effort.given, images=resize(v, PHOTO_SIDE, PHOTO_SIDE))
            return
        for file in self.files:
            yield file, load_images(file, PHOTO_SIDE, 3000)


def _learn(
    config: ClusterConfig, images: Tensor, effort: Effort, share: float
) -> Generator[Progress, None, tuple[State, Step]]:
    """Train for a share of the budget, reporting as it goes."""
    budget = effort.part(share)
    last: Step | None = None
    for step in train(config, images, effort.seed, budget, max(0.02, effort.budget / REPORTS)):
        last = step
        yield Progress(f"{config.model}, iteration {step.progress.iteration}")
    assert last is not None
    return last.state, last


def _digits(count: int, seed: int) -> tuple[ImageSet, bool]:
    """MNIST if it is available, otherwise scikit-learn's digits."""
    if is_here(MNIST):
        return load_named(NamedConfig("mnist", count=count, seed=seed)), False
    return load_plain(DigitsConfig(count=count, seed=seed)), True


def _sets(effort: Effort) -> tuple[dict[str, ImageSet], bool]:
    """As many of the paper's sets as the budget allows."""
    data, stand_in = _digits(1000, effort.seed)
    found = {"digits" if stand_in else "MNIST": data}
    names = (("affNIST", "affnist"), ("MNIST-color", "mnist-color"))
    for title, name in names[: round(effort.budget / EACH) - 1 if effort.budget > EACH else 0]:
        made = DATASETS[name].make(WrittenConfig(seed=effort.seed))
        assert isinstance(made, ImageSet)
        found[title] = made
    return found, stand_in


def _best_of_clusters(
    state: State, images: Tensor, count: int, offset: float = 0.0
) -> tuple[Tensor, Reading]:
    """An image of each of the largest clusters: the best aligned, or the one at this offset."""
    reading = read(state, images, state.rows)
    sizes = torch.bincount(reading.assignments, minlength=state.config.k)
    rows = []
    for cluster in sizes.argsort(descending=True)[:count].tolist():
        own = (reading.assignments == cluster).nonzero()[:, 0]
        order = own[reading.error[own].argsort()]
        rows.append(order[int(offset * (len(order) - 1))] if len(order) else own.new_tensor(0))
    return torch.stack(rows), reading


def _about(data: ImageSet, stand_in: bool, last: Step) -> str:
    name = "scikit-learn's digits instead of MNIST's" if stand_in else "digits of MNIST"
    return (
        f"{len(data.images):,} {name}, the quick encoder, {last.progress.iteration} iterations "
        f"in {last.progress.seconds:.0f} CPU s; the paper trains on all of MNIST."
    )
