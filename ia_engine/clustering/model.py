"""DTI clustering (section 3): prototypes, and predictors of the transformation onto each image.

The winner of every image is found without a graph; only winners are then computed with one. This is
exact for K-means (4), and exact up to pairs of negligible responsibility for mixtures (5).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.losses import (
    LEAST_VARIANCE,
    NEGLIGIBLE,
    START_VARIANCE,
    even_density,
    fit_colors,
    forget_colors,
    log_density,
    log_joint,
    pixel_weights,
    responsibilities,
    squared_error,
)
from ia_engine.clustering.modules import Modules
from ia_engine.clustering.predictors import Head, SparsePairs, build_encoder
from ia_engine.clustering.state import Batch
from ia_engine.errors import EngineError
from ia_engine.shapes import Images, Matrix, Poses

CHUNK = 2**18
"""Number of values of transformed prototypes compared at once; they fit into the cache."""

RENEWAL = 0.03
"""Weight of a new batch in the running common variance of all pixels."""

LARGEST = 1e3
"""Largest absolute value of a parameter; 1 is already a large change."""

Params = list[Poses]
"""One tensor per active module: [k n p] for a table of all pairs, or [m p] for some pairs."""


@dataclass(frozen=True, eq=False)
class Loss:
    """The mean loss of a batch with its graph, and the use of each cluster."""

    value: Tensor
    usage: Batch


class Comparison(nn.Module):
    """Prototypes and their comparison with images, for given parameters."""

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
        """The transformed prototypes of these pairs."""
        return self.modules_on.transform(self.prototypes[columns], params)

    def align(self, images: Images, columns: Tensor, params: Params) -> Images:
        """The transformed prototypes of these pairs, with colours fitted to the images if
        enabled."""
        return self.color(images, self.transform(columns, params))

    def color(self, images: Images, found: Images) -> Images:
        """`found` with fitted colours if the config asks for them."""
        fitted = self.config.colors == "fitted"
        return fit_colors(images, found, self.weights) if fitted else found

    def score(self, images: Images, columns: Tensor, params: Params) -> Tensor:
        """Per pixel, [m]: the squared error, or -log G for a mixture."""
        return self._score(images, self.align(images, columns, params), columns, params)

    def compare(self, images: Images, params: Params) -> Matrix:
        """The scores of all pairs [n k]."""
        return self.compare_twice(images, params)[0]

    def compare_twice(self, images: Images, params: Params) -> tuple[Matrix, Matrix]:
        """Scores and squared errors [n k], in blocks of prototypes that fit into the cache."""
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
        """log π_k G(x_i) for a mixture [nats]; minus the squared error otherwise."""
        if self.eta is None:
            return -scores
        return log_joint(-scores, self.eta, self.prototypes[0].numel())

    def choose(self, scores: Matrix) -> tuple[Tensor, Tensor, Tensor]:
        """Rows, columns and weights of the pairs in the loss: winners, or responsibilities."""
        if self.eta is None:
            winner = scores.argmin(1)
            rows = torch.arange(len(scores), device=scores.device)
            return rows, winner, torch.ones_like(scores[:, 0])
        gamma = responsibilities(self.joint(scores))
        rows, columns = (gamma > NEGLIGIBLE).nonzero(as_tuple=True)
        return rows, columns, gamma[rows, columns]

    def even_out(self, error: Tensor) -> None:
        """Update the common variance of all pixels: a running mean of the errors, above σ²_min.

        If variances were learned per pixel before all modules are active, the cluster whose
        variances fall fastest would win all images: a tenth of the variance in 784 pixels outweighs
        any error.
        """
        if self.variances is not None:
            beyond = (error - LEAST_VARIANCE).clamp_min(0)
            self.variances.data.lerp_(beyond.expand_as(self.variances), RENEWAL)

    def _even(self, params: Params) -> bool:
        """True if all pixels share one variance: in K-means, and in mixtures until all modules are
        on."""
        return self.variances is None or len(params) < len(self.config.modules)

    def _widen(self, errors: Tensor) -> Tensor:
        """Scores from squared errors, if all pixels share one variance."""
        if self.variances is None:
            return errors
        return -even_density(errors, self.variances.detach().mean() + LEAST_VARIANCE)

    def _score(self, images: Images, mean: Images, columns: Tensor, params: Params) -> Tensor:
        if self.variances is None or self._even(params):
            return self._widen(squared_error(images, mean, self.weights))
        variance = self.modules_on.move(self.variances[columns], params) + LEAST_VARIANCE
        return -log_density(images, mean, variance, self.weights)

    def weigh(self, scores: Tensor, columns: Tensor, weights: Tensor, n: int) -> Tensor:
        """The mean over n images of the scores of their pairs: (4), or the expected -log of (5)."""
        if self.eta is not None:
            prior = self.eta.log_softmax(0) / self.prototypes[0].numel()
            scores = scores - prior[columns]
        return (weights * scores).sum() / n

    def _chunks(self, images: Images) -> Iterator[Tensor]:
        each = max(1, CHUNK // max(1, images.numel()))
        return iter(torch.arange(self.config.k, device=images.device).split(each))


def _check_size(params: Params) -> None:
    """Check for coordinates far outside every canvas, from which nothing can be learned."""
    for values in params:
        if values.numel() and not values.detach().abs().amax() < LARGEST:
            raise EngineError(
                "the training diverged, transformations grew beyond all bounds: choose a smaller "
                "rate, or fewer modules"
            )


class Dti(nn.Module):
    """Encoder, heads and prototypes."""

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
        """The parameters of every pair, for the active modules."""
        return self._predict(self._see(images), stage) if stage else []

    def _see(self, images: Images) -> Tensor:
        """Features [n d]; of the shape alone if colours are fitted."""
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
        """The loss of the batch; its gradient is that of the loss over all pairs."""
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
