"""Compares the global search with brute force.

`python -m tests.benchmarks.truth` recomputes the reference. The search aligns all pairs of 192
images of every source at once. Brute force has searched the pairs within sixteen groups of twelve,
1,056 of every source; truth.json stores the results.
"""

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.descent import Descent
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import BASES, load_base, load_digits
from ia_engine.datasets.distortions import pose_copies
from ia_engine.datasets.named import read_split
from ia_engine.datasets.published import FASHION, MNIST
from ia_engine.images import Images
from ia_engine.transforms import GROUPS
from tests.benchmarks.brute_force import distances
from tests.benchmarks.clock import one_thread
from tests.benchmarks.results import Found, share

SE2 = GROUPS["se2"]
GROUP, GROUPED = 12, 16
COUNT = GROUP * GROUPED
SEED = 0
KEPT = Path(__file__).parent / "truth.json"
RELATIVE, ABSOLUTE = 0.01, 1e-3
"""Relative and absolute tolerance of d² for agreement with brute force."""
AGREE = 0.995
WORSE = 0.01
"""Maximum excess of d² over that of the descent."""


def drawings(count: int, seed: int) -> Images:
    """Drawings and icons in grey on 64×64 pixels, rotated by any angle and translated by up to 6.4
    px.
    """
    generator = torch.Generator().manual_seed(seed)
    names = list(BASES)
    rows = torch.randint(len(names), (count,), generator=generator).tolist()
    v = torch.stack([load_base(names[i], 64, 0.54).mean(0, keepdim=True) for i in rows]).double()
    low = torch.tensor([-math.pi, -6.4, -6.4]).double()
    return pose_copies(
        v, (SE2,), lambda n: low - 2 * low * torch.rand(n, 3, generator=generator).double()
    ).images


def digits(count: int, seed: int) -> Images:
    """scikit-learn's digits of 8×8 pixels, enlarged to 28×28."""
    return _choose(load_digits(28)[0], count, seed)


def mnist(count: int, seed: int) -> Images:
    return _choose(read_split(MNIST, "test")[0] / 255, count, seed)


def garments(count: int, seed: int) -> Images:
    """Images of the sample of Fashion-MNIST that comes with the project."""
    return _choose(read_split(FASHION, "sample")[0] / 255, count, seed)


def _choose(images: Images, count: int, seed: int) -> Images:
    order = torch.randperm(len(images), generator=torch.Generator().manual_seed(seed))
    return images[order[:count]].double()


SOURCES: dict[str, Callable[[int, int], Images]] = {
    "drawings": drawings,
    "digits": digits,
    "MNIST": mnist,
    "Fashion-MNIST": garments,
}


@dataclass(frozen=True, eq=False)
class Reference:
    """Images of unit norm, and brute-force d² of the pairs within their groups."""

    v: Images
    d2: Tensor
    """[groups pairs], in the order of the upper triangle."""


def load(source: str) -> Reference:
    """The stored results of a source. Its images are generated again and must be the same."""
    kept = json.loads(KEPT.read_text("utf-8"))[source]
    pixels = draw(source)
    if digest(pixels) != kept["digest"]:
        raise ValueError(
            f"{source} has images that differ from those of {KEPT.name}; recompute the reference"
        )
    return Reference(unit(pixels), torch.tensor(kept["d2"]).double())


def draw(source: str) -> Tensor:
    """8-bit pixels [n 1 h w], which are the same on every machine."""
    return (255 * SOURCES[source](COUNT, SEED)).round().byte()


def unit(pixels: Tensor) -> Images:
    return normalise(pixels.double())


def digest(pixels: Tensor) -> str:
    return hashlib.sha256(pixels.numpy().tobytes()).hexdigest()


def within(d2: Tensor) -> Tensor:
    """Select the pairs within the groups from all pairs [n n]: [groups pairs]."""
    row, column = torch.triu_indices(GROUP, GROUP, 1)
    first = torch.arange(0, len(d2), GROUP)[:, None]
    return d2[first + row, first + column]


def descend(v: Images) -> Tensor:
    """d² [groups pairs] of the pairs within the groups, by the paper's descent with annealing."""
    return torch.cat([within(Descent(SE2).align(part).d2) for part in v.split(GROUP)])


@dataclass(frozen=True)
class Truth:
    """Agreement of the global search with brute force, and its excess over the descent."""

    source: str
    groups: int = GROUPED
    """Number of groups for the descent, which is the slowest of the three methods."""

    @property
    def name(self) -> str:
        return f"truth of {self.source}"

    def measure(self) -> Found:
        reference = load(self.source)
        v, truth = reference.v.float(), reference.d2
        with one_thread():
            d2 = within(GlobalSearch(SE2).align(v).d2).double()
            descent = descend(v[: self.groups * GROUP]).double()
        excess = d2 - truth
        agree = excess.abs() <= (RELATIVE * truth).clamp_min(ABSOLUTE)
        worse = float((d2[: self.groups] - descent).max())
        missed = (descent - truth[: self.groups]) > (RELATIVE * truth[: self.groups]).clamp_min(
            WORSE
        )
        return Found(
            {
                "pairs": truth.numel(),
                "share that agrees with brute force": share(agree),
                "share above it": share((excess > 0) & ~agree),
                "share below it": share((excess < 0) & ~agree),
                "furthest above": round(float(excess.max()), 5),
                "furthest below": round(float(excess.min()), 5),
                "mean difference": round(float(excess.abs().mean()), 6),
                "pairs of the descent": descent.numel(),
                "furthest above the descent": round(worse, 5),
                "share that the descent misses by more than 0.01": share(missed),
            },
            {
                f"at least {AGREE:.1%} agree": bool(agree.double().mean() >= AGREE),
                f"no pair above the descent by more than {WORSE:g}": worse <= WORSE,
            },
            f"images {SEED}",
        )


TRUTHS = tuple(Truth(source) for source in SOURCES)


def main() -> None:
    """Search every pair of the groups by brute force, and store the results."""
    kept = json.loads(KEPT.read_text("utf-8")) if KEPT.exists() else {}
    for source in SOURCES:
        pixels = draw(source)
        rows = []
        with one_thread():
            for k, part in enumerate(unit(pixels).split(GROUP)):
                rows.append([round(x, 6) for x in distances(part[:, 0].numpy())])
                print(f"{source}: {k + 1} of {GROUPED} groups", flush=True)
        kept[source] = {"digest": digest(pixels), "seed": SEED, "d2": rows}
        KEPT.write_text(json.dumps(kept, separators=(",", ":")).replace("]]", "]]\n"), "utf-8")


if __name__ == "__main__":
    main()
