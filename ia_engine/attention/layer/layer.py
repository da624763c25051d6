"""Invariant attention as a layer for other networks (section 2, with learned maps).

A token is a patch in t rotations. Tokens have the axes [b n t c]: b sets of n patches with t views,
each of which has c features. When a patch is rotated by 1/t of a circle, its views are shifted by
one. Maps that treat all views equally, such as nn.Linear, nn.LayerNorm and an MLP over the last
axis, commute with this shift, and so does this layer.
"""

import math
from typing import Annotated, Final

import torch
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from ia_engine.errors import EngineError
from ia_engine.images import check_axes

Views = Annotated[Tensor, "b n t c"]

LARGEST: Final = 2**24
"""Maximum number of similarities in memory. If there are more, the queries are processed in blocks,
and their similarities are recomputed for the gradient."""


class InvariantAttention(nn.Module):
    """y_j = Σ_i W_ij v_i∘τ_ij with κ = exp(-β d²) and d² = 2 - 2 max_τ ⟨k_i∘τ, q_j⟩, where τ_ij
    attains the maximum.

    Queries and keys have unit norm. Every head learns its own β, starting from the given value. By
    Danskin's theorem, the gradient of the maximum is that at the best rotation. Rotating patch j
    rotates y_j in the same way, and rotating other patches does not change y_j. The features
    y.amax(2) are therefore invariant. `PatchViews` makes such tokens from patches of images.

    >>> import torch
    >>> from ia_engine import InvariantAttention
    >>> attend = InvariantAttention(features=8, heads=2, device="cpu")
    >>> tokens = torch.rand(1, 5, 4, 8, device="cpu")  # one set of 5 patches in 4 views
    >>> turned = tokens.clone()
    >>> turned[:, 0] = tokens[:, 0].roll(1, 0)  # patch 0, rotated by 90°
    >>> torch.allclose(attend(turned).amax(2), attend(tokens).amax(2), atol=1e-5)
    True
    """

    def __init__(
        self,
        features: int,
        heads: int = 1,
        beta: float = 10.0,
        *,
        device: torch.device | str | None = None,
        dtype: torch.dtype | None = None,
    ) -> None:
        super().__init__()
        if heads < 1 or features < 1 or features % heads or not 0 < beta < math.inf:
            raise EngineError(
                "heads must be positive, features a positive multiple of heads, and beta "
                f"positive and finite; got heads {heads}, features {features} and beta {beta:g}"
            )
        self.heads = heads
        self.query = nn.Linear(features, features, device=device, dtype=dtype)
        self.key = nn.Linear(features, features, device=device, dtype=dtype)
        self.value = nn.Linear(features, features, device=device, dtype=dtype)
        self.output = nn.Linear(features, features, device=device, dtype=dtype)
        start = torch.full((heads,), math.log(beta), device=device, dtype=dtype)
        self.log_beta = nn.Parameter(start)

    def forward(self, x: Views) -> Views:
        check_axes(x, f"b n t {self.output.in_features}", "x")
        q, k, v = (self._split(part(x)) for part in (self.query, self.key, self.value))
        beta = self.log_beta.exp().repeat(len(x))
        mean = attend_turned(unit(q), unit(k), v, beta)
        return self.output(mean.unflatten(0, (len(x), self.heads)).movedim(1, -2).flatten(-2))

    def _split(self, x: Views) -> Views:
        """Treat each head as a separate set: [b·heads n t c/heads]."""
        b, n, t, c = x.shape
        return x.view(b, n, t, self.heads, c // self.heads).movedim(3, 1).flatten(0, 1)


def attend_turned(q: Views, k: Views, v: Views, beta: Tensor) -> Views:
    """Return for every query j the weighted mean of the values, each rotated such that its key
    matches q_j best."""
    check_axes(q, "b n t c", "q")
    sets, n, turns, _ = k.shape
    keys, values = _all_turns(k), _all_turns(v)
    blocks = q.flatten(2).split(max(1, LARGEST // (sets * n * turns)), 1)
    if len(blocks) == 1:
        mean = _average(blocks[0], keys, values, beta)
    else:
        mean = torch.cat([_average_again(block, keys, values, beta) for block in blocks], 1)
    return mean.unflatten(2, (turns, v.shape[3]))


def unit(x: Views) -> Views:
    """Scale tokens to unit norm over all views; blank patches stay blank."""
    return functional.normalize(x.flatten(2), dim=-1).view(x.shape)


def _all_turns(x: Views) -> Tensor:
    """Return x∘τ for every rotation τ, [b t n t·c]: view s of x∘τ is view s + τ of x."""
    turn = torch.arange(x.shape[2], device=x.device)
    order = (turn[:, None] + turn) % len(turn)
    return x[:, :, order].transpose(1, 2).flatten(3)


def _average(q: Tensor, keys: Tensor, values: Tensor, beta: Tensor) -> Tensor:
    """Compute the weighted means for queries [b m t·c] and all rotated keys, by two matrix products
    instead of a loop over pairs."""
    similarity = torch.einsum("bjc,bsic->bjsi", q, keys)
    best, tau = similarity.max(2, keepdim=True)
    # A term that is constant in a column cancels.
    W = (2 * beta[:, None, None, None] * best).softmax(-1)
    placed = torch.zeros_like(similarity).scatter(2, tau, W)
    return torch.einsum("bjsi,bsic->bjc", placed, values)


def _average_again(q: Tensor, keys: Tensor, values: Tensor, beta: Tensor) -> Tensor:
    """Like `_average`, but recompute the similarities for the gradient instead of storing them."""
    return checkpoint(
        _average, q, keys, values, beta, use_reentrant=False, preserve_rng_state=False
    )
