"""Iterated attention: one loop for both kernel attention and invariant attention.

A method combines a distance and a mean: (Euclidean, arithmetic) is kernel attention, (between
manifolds, invariant) is invariant attention. The kernel and the rule for its bandwidth are the same
for both. Each iteration computes distances, weights and means; the means then replace the images.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

from torch import Tensor

from ia_engine.attention.bandwidth import Bandwidth, Rule
from ia_engine.attention.distances.alignment import Alignment, Distance, Euclidean, GlobalSearch
from ia_engine.attention.distances.descent import Descent
from ia_engine.attention.distances.nearest import NearestSearch
from ia_engine.attention.distances.refinement import MANY, Pruning
from ia_engine.attention.distances.schedules import SCHEDULES
from ia_engine.attention.distances.shared import share
from ia_engine.attention.kernels import KERNELS, Kernel
from ia_engine.attention.means.mean import Arithmetic, Invariant, Mean
from ia_engine.attention.rules import RULES
from ia_engine.attention.weights import weigh
from ia_engine.devices import cpu_seconds
from ia_engine.distributed.ranks import Workshop
from ia_engine.errors import EngineError
from ia_engine.images import Images, Matrix, blur
from ia_engine.params import Choice, Config, Range
from ia_engine.transforms import GROUPS

KERNEL_BETA = 2.0
"""Default β of kernel attention. It is small because Euclidean distances between transformed images
are several times larger than those between manifolds."""


@dataclass(frozen=True)
class Weighting:
    """Computes weights from distances."""

    kernel: Kernel
    bandwidth: Bandwidth
    most: int | None = None
    """Maximum number of weights per column; None for no limit."""

    def weigh(
        self, d2: Matrix, square: Tensor, apart: Matrix | None = None
    ) -> tuple[Matrix, Tensor]:
        """Return W and the β that was used. `square` holds the square norms of the images.

        The pairs masked by `apart` [n n] get a weight of 0.
        """
        x = self.kernel.exponent(d2, square, square)
        # A term that is constant in a column cancels.
        beta = self.bandwidth.beta(x - x.amin(0))
        return weigh(d2, beta, self.kernel, square, self.most, apart=apart), beta


@dataclass(frozen=True)
class Method:
    """A method of attention: its distance, weighting and mean."""

    distance: Distance
    weighting: Weighting
    mean: Mean


SOLVERS = ("global", "descent")
PAIRS = ("needed", "all", "nearest")


@dataclass(frozen=True)
class AttentionConfig(Config):
    """Settings of kernel and invariant attention."""

    method: Annotated[
        str,
        Choice(
            "method", ("ia", "ka"), "ia: invariant attention; ka: kernel attention, for comparison"
        ),
    ] = "ia"
    group: Annotated[
        str, Choice("𝕋", tuple(GROUPS), "group of transformations that the distance ignores")
    ] = "se2"
    beta: Annotated[
        float,
        Range(
            "β",
            0.1,
            200,
            "bandwidth of the kernel κ, such as exp(-β d²); larger values are more selective",
            log=True,
        ),
    ] = 15.0
    sigma: Annotated[
        float,
        Range(
            "σ",
            0,
            8,
            "standard deviation of the Gaussian smoothing of images before their comparison",
            "px",
        ),
    ] = 0.0
    steps: Annotated[
        int,
        Range(
            "P", 1, 20, "number of iterations, each of which computes distances, weights and means"
        ),
    ] = 4
    solver: Annotated[
        str,
        Choice(
            "solver",
            SOLVERS,
            "how poses are found; global: exhaustive search; descent: the paper's gradient descent",
        ),
    ] = "global"
    schedule: Annotated[
        str,
        Choice(
            "schedule",
            tuple(SCHEDULES),
            "smoothing of the descent; constant: none; annealed: decreasing; greedy: the best "
            "level at every step, as in the paper",
        ),
    ] = "annealed"
    rate: Annotated[
        float,
        Range("t", 0.05, 4, "step size of the descent; it does not overshoot for values up to 1"),
    ] = 1.0
    updates: Annotated[int, Range("N", 1, 1000, "number of steps of the descent")] = 100
    kernel: Annotated[
        str,
        Choice(
            "κ",
            tuple(KERNELS),
            "; ".join(["kernel", *(f"{name}: {one.formula}" for name, one in KERNELS.items())]),
        ),
    ] = "rbf"
    bandwidth: Annotated[
        str,
        Choice(
            "rule for β",
            tuple(RULES),
            "how β is set: a fixed value, or a rule that computes it from the distances",
        ),
    ] = "fixed"
    neighbours: Annotated[
        int,
        Range(
            "k",
            1,
            100,
            "local: β is set from the distance to the k-th neighbour; topk: number of weights "
            "kept per column",
        ),
    ] = 5
    quantile: Annotated[
        float,
        Range(
            "q",
            0,
            1,
            "quantile: β = 1/d² for the distance d below which this share of all pairs lies",
        ),
    ] = 0.1
    constant: Annotated[
        float,
        Range(
            "c′",
            0.1,
            200,
            "theorem: constant in β = c′/R², where R is the largest distance",
            log=True,
        ),
    ] = 20.0
    pairs: Annotated[
        str,
        Choice(
            "pairs",
            PAIRS,
            "pairs whose distances are exact; needed: all pairs with a significant weight (for "
            f"{MANY} images or more, the other pairs have at most 0.001 of the weight of a column "
            "in total); all: all pairs; nearest: each image and its m nearest images (all other "
            "weights are 0)",
        ),
    ] = "needed"
    nearest: Annotated[
        int, Range("m", 1, 200, "pairs nearest: number of images with which each image is compared")
    ] = 20

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.pairs == "nearest":
            self._check_nearest()

    @property
    def most(self) -> int | None:
        """Maximum number of weights per column; None for no limit."""
        most = self._rule.most
        limits = [most(self)] if most else []
        if self.method == "ia" and self.pairs == "nearest":
            limits.append(self.nearest + 1)  # the image itself
        return min(limits, default=None)

    def is_exact(self, n: int) -> bool:
        """Return True if the distances between all pairs of n images are exact."""
        if self.method == "ka" or self.solver != "global":
            return True
        return self.pairs != "nearest" and self._pruning(n) is None

    def build(self, n: int = 0) -> Method:
        """Build the method for n images."""
        if self.method == "ka":
            return Method(Euclidean(self.sigma), self._weighting(), Arithmetic())
        mean = Invariant(GROUPS[self.group], self.sigma)
        return Method(self._distance(n), self._weighting(), mean)

    def _check_nearest(self) -> None:
        if self.solver != "global":
            raise EngineError(f"solver must be 'global' if pairs is 'nearest'; got {self.solver!r}")
        if self._rule.needs_all_pairs:
            others = [repr(name) for name, rule in RULES.items() if not rule.needs_all_pairs]
            raise EngineError(
                f"bandwidth must be {', '.join(others[:-1])} or {others[-1]} if pairs is "
                f"'nearest'; got {self.bandwidth!r}, which needs the distances between all pairs"
            )
        ranks = not self._rule.is_fixed and "neighbours" in self._rule.settings
        if ranks and self.neighbours > self.nearest:
            raise EngineError(
                f"nearest must be at least neighbours ({self.neighbours}); got {self.nearest}"
            )

    def _distance(self, n: int) -> Distance:
        group = GROUPS[self.group]
        if self.solver == "global" and self.pairs == "nearest":
            return NearestSearch(group, self.sigma, self.nearest)
        if self.solver == "global":
            return GlobalSearch(group, self.sigma, pruning=self._pruning(n))
        schedule = SCHEDULES[self.schedule]
        return Descent(group, self.sigma, schedule, rate=self.rate, steps=self.updates)

    def _pruning(self, n: int) -> Pruning | None:
        """Return the pruning to use, or None if it would be slower or unsafe: its margin was
        measured for rigid groups and requires the Gaussian kernel and a known β."""
        has_one_beta = KERNELS[self.kernel].is_gaussian and self._rule.is_fixed
        if self.pairs == "needed" and n >= MANY and has_one_beta and GROUPS[self.group].rigid:
            return Pruning(self.beta)
        return None

    @property
    def _rule(self) -> Rule:
        return RULES[self.bandwidth]

    def _weighting(self) -> Weighting:
        return Weighting(KERNELS[self.kernel], self._rule.bandwidth(self), self.most)


@dataclass(frozen=True, eq=False)
class Step:
    """One iteration: the distances and weights of the images v, and the means mu that replace
    them."""

    k: int
    """The number of the step. In step 1, v is the data; in later steps, it is the mu of the
    previous step."""
    v: Images
    d2: Matrix
    tau: Tensor | None
    """[n n p]: tau[i, j] warps v_i onto v_j; None if the distance has no poses."""
    W: Matrix
    beta: Tensor
    """The β that was used: one for all columns of W, or one per column."""
    mu: Images
    seconds: float
    """CPU time of this step."""
    rough: Tensor | None = None
    """[n n]: True for pairs with rough distances, whose weight is 0; None if all are exact."""

    @property
    def compared(self) -> float:
        """Fraction of the pairs whose distances are exact."""
        n = len(self.d2)
        spared = 0 if self.rough is None else int(self.rough.sum())
        return 1 - spared / max(1, n * (n - 1))


def normalise(v: Images) -> Images:
    """Return v̂ = v/‖v‖. It is applied once before the loop, so that β does not depend on the scale
    of the images. Blank images stay blank."""
    norm = v.flatten(1).norm(dim=1).clamp_min(1e-12)
    return v / norm.view(-1, *(1 for _ in v.shape[1:]))


def iterate(
    config: AttentionConfig,
    v: Tensor,
    known: Alignment | None = None,
    done: int = 0,
    workshop: Workshop | None = None,
) -> Iterator[Step]:
    """Run the loop on images of unit norm [n c h w] or on points [n d], and yield every step.

    `known` can hold the distances of the first step, if they are known from a run with different
    weights; `done` is the number of previous steps. The processes in `workshop`, if there is one,
    share the pairs.
    """
    method = config.build(len(v))
    distance = share(method.distance, workshop) if workshop else method.distance
    for k in range(done + 1, done + config.steps + 1):
        started = cpu_seconds()
        found = known or distance.align(v)
        W, beta = weigh_images(config, v, found.d2, found.rough)
        mu = method.mean.average(v, W, found.tau)
        seconds = cpu_seconds() - started
        if workshop:
            seconds = workshop.ranks.total(seconds)
        yield Step(k, v, found.d2, found.tau, W, beta, mu, seconds, found.rough)
        v, known = mu, None


def weigh_images(
    config: AttentionConfig, v: Tensor, d2: Matrix, rough: Tensor | None
) -> tuple[Matrix, Tensor]:
    """Return W and the β that was used. `d2` holds the distances of the images v; `rough` masks
    those that are not exact."""
    apart = rough if config.pairs == "nearest" else None
    return config.build(len(v)).weighting.weigh(d2, square_norms(v, config.sigma), apart)


def square_norms(v: Tensor, sigma: float) -> Tensor:
    """Return the square norms of the images after smoothing, because smoothed images are
    compared."""
    smooth = blur(v, sigma) if v.ndim == 4 else v
    return smooth.flatten(1).square().sum(1)
