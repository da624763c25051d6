"""Records Algorithm 1 as an animation: each step is a frame with μ and the aligned images."""

import json
import math
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Generator, Tensor

from ia_engine.attention.manifolds.sample import ImageSample, gather
from ia_engine.attention.manifolds.sample import list_rows as list_sample_rows
from ia_engine.attention.means.algorithm1 import MeanConfig, MeanStep, find_mean
from ia_engine.attention.means.mean import sharpness
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.figures.frames import Frame, make_frame, name_arrays, read_frame
from ia_engine.images import Images, Poses
from ia_engine.transforms import GROUPS

MOST: Final = 40
"""Maximum number of images."""
KEPT: Final = 100
"""Approximate number of steps, evenly spaced, that are stored for a long run."""
SEED: Final = 0

Pose = tuple[float, float, float]
"""The pose of an image at its centre: θ [°] and b = (b_p, b_q) [px]."""


@dataclass(frozen=True)
class MeanPlan:
    """The config of a mean, and what captions need to know about its images."""

    config: MeanConfig
    recipe: str
    of: str
    """The class that is averaged; "" for all images."""
    names: tuple[str, ...]
    total: int
    """Number of images in the data, of which `names` lists those that are averaged."""
    reduced: bool
    """True if the images were resized to fewer pixels than in the data set."""
    rows: tuple[int, ...] = ()
    """The rows that are averaged, such as those of a cluster; empty for a class or all images."""

    @property
    def kept(self) -> tuple[int, ...]:
        """The steps k that are stored: all steps of a short run, and always the last step."""
        last = self.config.steps
        every = math.ceil(last / KEPT)
        return tuple(sorted({*range(0, last + 1, every), last}))


@dataclass(frozen=True, eq=False)
class FilmedMean:
    """A step with its frame and its metrics."""

    k: int
    frame: Frame
    """A frame with μ first, followed by the aligned images."""
    objective: float
    sigma: float
    sharpness: float
    poses: tuple[Pose, ...]


@dataclass(frozen=True, eq=False)
class MeanFilm:
    """The steps so far, and the plain average of the images."""

    plan: MeanPlan
    plain: Frame
    """A frame with the plain average first, followed by the unaligned images."""
    plain_sharpness: float
    steps: tuple[FilmedMean, ...]


def select(data: ImageSet, of: str, rows: Sequence[int] = ()) -> ImageSet:
    """Return the images of one class, the given rows, or all images if there is neither."""
    chosen = _choose(data, of, rows)
    if chosen is None:
        return data
    return replace(
        data,
        images=data.images[chosen],
        names=tuple(data.names[row] for row in chosen),
        placements=tuple(data.placements[row] for row in chosen if data.placements),
        labels=None,
        classes=(),
        poses=None,
    )


def list_rows(plan: MeanPlan, data: ImageSet) -> tuple[int, ...]:
    """Return the rows of the planned images in `data`; empty if the plan is for other data."""
    if plan.recipe != data.recipe.to_json():
        return ()
    rows = list_sample_rows(select(data, plan.of, plan.rows), MOST)
    chosen = _choose(data, plan.of, plan.rows)
    return rows if chosen is None else tuple(chosen[row] for row in rows)


def plan_mean(
    config: MeanConfig, data: ImageSet, of: str = "", rows: Sequence[int] = ()
) -> tuple[MeanPlan, ImageSample]:
    """Return the plan of a run on a class, on the given rows or on all images, and its images."""
    part = select(data, of, rows)
    if not part.names:
        raise EngineError(
            "A mean needs at least one image. Choose different data or a different class."
        )
    sample = gather(part, MOST)
    plan = MeanPlan(
        config=config,
        recipe=data.recipe.to_json(),
        of=of,
        names=sample.names,
        total=sample.total,
        reduced=sample.reduced,
        rows=tuple(rows),
    )
    return plan, sample


def film_mean(plan: MeanPlan, sample: ImageSample) -> Iterator[MeanFilm]:
    """Yield the animation after each stored step."""
    v, white = sample.v, max(float(sample.v.max()), 1e-12)
    average = v.mean(0)
    plain = _make_frame(0, average, v, white)
    film = MeanFilm(plan, plain, float(sharpness(average[None], v)[0]), ())
    weights = torch.ones_like(v[:, 0, 0, 0])
    generator = Generator(device="cpu").manual_seed(SEED)
    for step in find_mean(plan.config, v, weights, generator):
        if step.k in plan.kept:
            film = replace(film, steps=(*film.steps, _film_step(plan, step, v, white)))
            yield film


def pack_film(film: MeanFilm) -> dict[str, NDArray[Any]]:
    """Return the arrays in which an animation is saved."""
    steps = [
        {name: value for name, value in vars(step).items() if name != "frame"}
        for step in film.steps
    ]
    known = {"plan": asdict(film.plan), "sharpness": film.plain_sharpness, "steps": steps}
    text = json.dumps(known, ensure_ascii=False).encode()
    arrays = {"known": np.frombuffer(text, np.uint8), **name_arrays("plain", film.plain)}
    for at, step in enumerate(film.steps):
        arrays |= name_arrays(f"frame {at}", step.frame)
    return arrays


def unpack_film(arrays: Mapping[str, NDArray[Any]]) -> MeanFilm:
    """Read an animation from the arrays that `pack_film` returned."""
    if "plain" in arrays:  # a file of an earlier version
        arrays = {name: _decompress(array) for name, array in arrays.items()}
    known = json.loads(arrays["known"].tobytes())
    values = known["plan"]
    config = MeanConfig.from_values(values.pop("config"))
    lists = {"names": tuple(values["names"]), "rows": tuple(values.get("rows", ()))}
    plan = MeanPlan(config=config, **values | lists)
    steps = tuple(
        FilmedMean(
            frame=read_frame(f"frame {at}", plan.kept.index(step["k"]), arrays),
            poses=tuple((theta, p, q) for theta, p, q in step.pop("poses")),
            **step,
        )
        for at, step in enumerate(known["steps"])
    )
    return MeanFilm(plan, read_frame("plain", 0, arrays), known["sharpness"], steps)


def _decompress(array: NDArray[Any]) -> NDArray[np.uint8]:
    return np.frombuffer(zlib.decompress(array.tobytes()), np.uint8)


def _choose(data: ImageSet, of: str, rows: Sequence[int]) -> list[int] | None:
    """Return the rows of a class or the given rows; None for all images."""
    if rows:
        n = len(data.names)
        if of or not all(0 <= row < n for row in rows):
            raise EngineError(
                f"the rows of a mean must be from 0 to {n - 1}, and no class may be given; got "
                f"{min(rows)} to {max(rows)}" + (f" and the class {of}" if of else "")
            )
        return list(rows)
    if not of:
        return None
    if data.labels is None or of not in data.classes:
        raise EngineError(
            f"{of} is not a class of this data set. Choose one of its classes, or all images."
        )
    found: list[int] = (data.labels == data.classes.index(of)).nonzero()[:, 0].tolist()
    return found


def _film_step(plan: MeanPlan, step: MeanStep, v: Images, white: float) -> FilmedMean:
    return FilmedMean(
        k=step.k,
        frame=_make_frame(plan.kept.index(step.k), step.mu, step.aligned, white),
        objective=step.objective,
        sigma=step.sigma,
        sharpness=float(sharpness(step.mu[None], v)[0]),
        poses=_read_poses(plan.config.group, step.tau),
    )


def _make_frame(at: int, mu: Tensor, aligned: Images, white: float) -> Frame:
    """Return a frame of μ and the aligned images, with the distances between all of them."""
    images = torch.cat([mu[None], aligned])
    return make_frame(
        at, torch.cdist(images.flatten(1), images.flatten(1)).square(), images, white=white
    )


def _read_poses(group: str, tau: Poses) -> tuple[Pose, ...]:
    """Return the closest rotation and the translation of each pose at the centre."""
    matrix = GROUPS[group].matrix(tau).double()
    matrix = matrix / matrix[:, 2:, 2:]
    shift = matrix[:, :2, 2]
    linear = matrix[:, :2, :2] - shift[:, :, None] * matrix[:, 2:, :2]
    theta = torch.atan2(linear[:, 0, 1] - linear[:, 1, 0], linear[:, 0, 0] + linear[:, 1, 1])
    rows = torch.cat([theta.rad2deg()[:, None], shift], 1).tolist()
    return tuple((round(t, 3), round(p, 3), round(q, 3)) for t, p, q in rows)
