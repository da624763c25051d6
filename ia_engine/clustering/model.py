"""DTI clustering (section 3): prototypes, predictors of their transformations onto each image, and
the losses of K-means, eq. (4), and of mixtures, eq. (5).

The winning prototype of every image is found without an autograd graph; only the winners are then
computed again with one. This is exact for K-means (4), and exact up to pairs of negligible
responsibility for mixtures (5). All losses are per pixel, so that sets with different image sizes
can be compared.

Fitted colours: min_{w,b} ‖x - (w T(c) + b)‖² is a linear fit in every channel. The fit commutes
with spatial transformations, so it is applied last, and only poses have to be learned.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import torch
from torch import Generator, Tensor, nn

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.modules import Modules
from ia_engine.clustering.predictors import Head, SparsePairs, build_encoder
from ia_engine.clustering.state import Batch
from ia_engine.errors import EngineError
from ia_engine.images import Images, Matrix, Poses, pixel_grid

LEAST_VARIANCE: Final = 0.25**2
"""σ²_min, which is added to every variance."""
START_VARIANCE: Final = 0.5
NEGLIGIBLE: Final = 1e-6
"""Pairs with a responsibility below this value are omitted from the gradient."""


def pixel_weights(focus: float, height: int, width: int, like: Tensor) -> Tensor:
    """Return pixel weights [h·w] with a mean of 1: a Gaussian around the centre with σ = focus, or
    uniform weights if focus is 0."""
    if focus <= 0:
        return torch.ones(height * width, device=like.device, dtype=like.dtype)
    r2 = pixel_grid(height, width, like).square().sum(-1).flatten()
    weights = (-r2 / (2 * focus**2)).exp()
    return weights / weights.mean()


def mean_over_pixels(x: Images, weights: Tensor) -> Tensor:
    """Return the weighted mean [n] of each image over its pixels and channels."""
    return x.mean(1).flatten(1) @ (weights / len(weights))


def squared_error(images: Images, found: Images, weights: Tensor) -> Tensor:
    """Return ‖x_i - T(c)‖² [n], averaged over pixels."""
    return mean_over_pixels((images - found).square(), weights)


def log_density(images: Images, mean: Images, variance: Images, weights: Tensor) -> Tensor:
    """Return log G(x_i; μ̃, Σ̃) [n], averaged over pixels; `variance` already contains σ²_min."""
    terms = (images - mean).square() / variance + variance.log()
    return -0.5 * (mean_over_pixels(terms, weights) + math.log(2 * math.pi))


def even_density(errors: Tensor, variance: Tensor) -> Tensor:
    """Like `log_density`, but computed from squared errors, with one variance for all pixels."""
    return -0.5 * (errors / variance + (2 * math.pi * variance).log())


def log_joint(density: Matrix, eta: Tensor, pixels: int) -> Matrix:
    """Return log π_k G(x_i) [n k] in nats, where π = softmax(η)."""
    return pixels * density + eta.log_softmax(0)


def responsibilities(joint: Matrix) -> Matrix:
    """Return γ_ki (the E-step), whose rows sum to 1."""
    return joint.softmax(1)


FLAT: Final = 1e-4
"""Channels with a variance below this value are shifted but not scaled."""
LEAST_SPREAD: Final = 1e-2


def fit_colors(images: Images, found: Images, weights: Tensor) -> Images:
    """Scale and shift each channel of `found` to fit the images best.

    The gradient is that of the fitted error: at the optimum, the derivatives with respect to w and
    b are 0.
    """
    share = weights / len(weights)
    x, m = images.detach().flatten(2), found.detach().flatten(2)
    level, own = x @ share, m @ share
    together, spread = (x * m) @ share - level * own, (m * m) @ share - own.square()
    scale = together / (spread + FLAT)
    lift = level - scale * own
    return scale[..., None, None] * found + lift[..., None, None]


def forget_colors(images: Images) -> Images:
    """Normalise every channel to a mean of 0, a standard deviation of 1 and positive skew, which
    removes the colours."""
    v = images - images.mean((2, 3), keepdim=True)
    v = v / (v.square().mean((2, 3), keepdim=True).sqrt() + LEAST_SPREAD)
    return torch.where(v.pow(3).mean((2, 3), keepdim=True) < 0, -v, v)


CHUNK = 2**18
"""Maximum number of pixel values in the transformed prototypes that are compared at once, chosen so
that they fit into the cache."""

RENEWAL = 0.03
"""Weight of a new batch in the running mean of the common variance of all pixels."""

LARGEST = 1e3
"""Largest allowed magnitude of a parameter; 1 is already a large change."""

Params = list[Poses]
"""One tensor per active module: [k n p] for a table of all pairs, or [m p] for some pairs."""


@dataclass(frozen=True, eq=False)
class Loss:
    """The mean loss of a batch, with its autograd graph, and the use of each cluster."""

    value: Tensor
    usage: Batch


class Comparison(nn.Module):
    """Compares prototypes, transformed by given parameters, with images."""

    def __init__(self, config: ClusterConfig, prototypes: Images) -> None:
        super().__init__()
        self.config = config
        self.prototypes = nn.Parameter(prototypes.clone())
        self.variances = self.eta = None
        if config.mixture:
            self.variances = nn.Parameter(torch.full_like(prototypes, START_VARIANCE))
            self.eta = nn.Parameter(prototypes.new_ones(config.k))
        canvas = config.canvas(*prototypes.shape[1:])
        self.modules_on = Modules.build(config.modules, canvas, prototypes)
        self.weights = pixel_weights(config.focus, canvas.height, canvas.width, prototypes)

    def transform(self, columns: Tensor, params: Params) -> Images:
        """Return the transformed prototype of each pair."""
        return self.modules_on.transform(self.prototypes[columns], params)

    def align(self, images: Images, columns: Tensor, params: Params) -> Images:
        """Return the transformed prototype of each pair, with its colours fitted to the image if
        this is enabled."""
        return self.color(images, self.transform(columns, params))

    def color(self, images: Images, found: Images) -> Images:
        """Return `found`, with its colours fitted to the images if this is enabled."""
        fitted = self.config.colors == "fitted"
        return fit_colors(images, found, self.weights) if fitted else found

    def score(self, images: Images, columns: Tensor, params: Params) -> Tensor:
        """Return the score [m] of each pair, averaged over pixels: the squared error, or -log G for
        a mixture."""
        return self._score(images, self.align(images, columns, params), columns, params)

    def compare(self, images: Images, params: Params) -> Matrix:
        """Return the scores of all pairs [n k]."""
        return self.compare_twice(images, params)[0]

    def compare_twice(self, images: Images, params: Params) -> tuple[Matrix, Matrix]:
        """Return the scores and the squared errors of all pairs [n k], computed in blocks of
        prototypes that fit into the cache."""
        _check_size(params)
        densities, errors = [], []
        for columns in self._chunks(images):
            some = [values[columns].flatten(0, 1) for values in params]
            repeated = images.repeat(len(columns), 1, 1, 1)
            pairs = columns.repeat_interleave(len(images))
            mean = self.align(repeated, pairs, some)
            errors.append(squared_error(repeated, mean, self.weights))
            if not self._even(params):
                densities.append(self._score(repeated, mean, pairs, some))
        table = torch.cat(errors).view(self.config.k, len(images)).mT
        if densities:
            return torch.cat(densities).view_as(table.mT).mT, table
        return self._widen(table), table

    def joint(self, scores: Matrix) -> Matrix:
        """Return log π_k G(x_i) [nats] for a mixture, and minus the squared error for K-means."""
        if self.eta is None:
            return -scores
        return log_joint(-scores, self.eta, self.prototypes[0].numel())

    def choose(self, scores: Matrix) -> tuple[Tensor, Tensor, Tensor]:
        """Return the rows, columns and weights of the pairs in the loss: for K-means, the winners
        with weight 1; for a mixture, all pairs with a responsibility that is not negligible."""
        if self.eta is None:
            winner = scores.argmin(1)
            rows = torch.arange(len(scores), device=scores.device)
            return rows, winner, torch.ones_like(scores[:, 0])
        gamma = responsibilities(self.joint(scores))
        rows, columns = (gamma > NEGLIGIBLE).nonzero(as_tuple=True)
        return rows, columns, gamma[rows, columns]

    def even_out(self, error: Tensor) -> None:
        """Update the common variance of all pixels, a running mean of the errors minus σ²_min.

        If each pixel learned its own variance before all modules are active, the cluster whose
        variances decrease fastest would win all images, because a difference of a tenth of the
        variance in 784 pixels outweighs any error.
        """
        if self.variances is not None:
            beyond = (error - LEAST_VARIANCE).clamp_min(0)
            self.variances.data.lerp_(beyond.expand_as(self.variances), RENEWAL)

    def _even(self, params: Params) -> bool:
        """Return True if all pixels share one variance: for K-means, or for a mixture some of whose
        modules are inactive."""
        return self.variances is None or len(params) < len(self.config.modules)

    def _widen(self, errors: Tensor) -> Tensor:
        """Convert squared errors to scores if all pixels share one variance."""
        if self.variances is None:
            return errors
        return -even_density(errors, self.variances.detach().mean() + LEAST_VARIANCE)

    def _score(self, images: Images, mean: Images, columns: Tensor, params: Params) -> Tensor:
        if self.variances is None or self._even(params):
            return self._widen(squared_error(images, mean, self.weights))
        variance = self.modules_on.move(self.variances[columns], params) + LEAST_VARIANCE
        return -log_density(images, mean, variance, self.weights)

    def weigh(self, scores: Tensor, columns: Tensor, weights: Tensor, n: int) -> Tensor:
        """Return the loss per image: (4), or the expected negative logarithm of (5)."""
        if self.eta is not None:
            prior = self.eta.log_softmax(0) / self.prototypes[0].numel()
            scores = scores - prior[columns]
        return (weights * scores).sum() / n

    def _chunks(self, images: Images) -> Iterator[Tensor]:
        each = max(1, CHUNK // max(1, images.numel()))
        return iter(torch.arange(self.config.k, device=images.device).split(each))


def _check_size(params: Params) -> None:
    """Raise an error if training has diverged, i.e. if coordinates are far outside every canvas."""
    for values in params:
        if values.numel() and not values.detach().abs().amax() < LARGEST:
            raise EngineError(
                "training diverged because transformation parameters became too large: choose "
                "a smaller learning rate or fewer modules"
            )


class Dti(nn.Module):
    """DTI K-means or DTI GMM: an encoder, heads and prototypes."""

    def __init__(self, config: ClusterConfig, prototypes: Images, generator: Generator) -> None:
        super().__init__()
        self.comparison = Comparison(config, prototypes)
        _, channels, height, width = prototypes.shape
        self.encoder = build_encoder(
            config.encoder, channels, max(height, width), prototypes, generator
        )
        counts = [part.count for part in self.comparison.modules_on.parts]

        def build(k: int) -> list[Head]:
            return [Head(k, self.encoder.width, p, prototypes, generator) for p in counts]

        self._heads = build(config.k)
        self._common = build(1) if config.predictors == "shared" else []
        self.heads, self.common = nn.ModuleList(self._heads), nn.ModuleList(self._common)

    def predict(self, images: Images, stage: int) -> Params:
        """Return the parameters of all pairs for the active modules."""
        return self._predict(self._see(images), stage) if stage else []

    def _see(self, images: Images) -> Tensor:
        """Return features [n d]. If colours are fitted, they depend on the shape alone."""
        fitted = self.comparison.config.colors == "fitted"
        return self.encoder(forget_colors(images) if fitted else images)

    def _predict(self, features: Tensor, stage: int) -> Params:
        own = [head(features) for head in self._heads[:stage]]
        common = [head(features) for head in self._common[:stage]]
        return [a + b for a, b in zip(own, common, strict=True)] if common else own

    def _predict_pairs(self, features: Tensor, pairs: SparsePairs, stage: int) -> Params:
        own = [pairs.predict(head, features) for head in self._heads[:stage]]
        common = [head(features)[0, pairs.rows] for head in self._common[:stage]]
        return [a + b for a, b in zip(own, common, strict=True)] if common else own

    def loss(self, images: Images, stage: int) -> Loss:
        """Return the loss of a batch; its gradient equals that of the loss over all pairs."""
        features = self._see(images) if stage else None
        with torch.no_grad():
            table = [] if features is None else self._predict(features, stage)
            scores, errors = self.comparison.compare_twice(images, table)
            rows, columns, weights = self.comparison.choose(scores)
            usage = Batch.of(errors, columns, weights)
        pairs, weights = SparsePairs.of(rows, columns, weights, self.comparison.config.k)
        params = [] if features is None else self._predict_pairs(features, pairs, stage)
        found = self.comparison.score(images[pairs.rows], pairs.columns, params)
        value = self.comparison.weigh(found, pairs.columns, weights, len(images))
        return Loss(value, usage)
