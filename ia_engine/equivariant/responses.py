"""Statistics of all responses R [n i h~ o h y x] before pooling (eq. 16), computed without storing
R.

For the maxima, every response is computed once, in chunks that fit into the processor's cache. A
chunk is a batch of matrix products of filters [oh kk] with patches [kk yx]. The backward pass
computes each chunk again. If several positions attain the maximum, the first one gets the gradient;
if several channels attain it, they share the gradient.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import torch
from torch import Tensor
from torch.autograd import Function
from torch.nn import functional

CHUNK: Final = 1_000_000
"""Maximum number of responses per chunk, which take 4 MB in single precision."""


class _Context(Protocol):
    """The context in which a forward pass stores values for its backward pass."""

    window: "Window"
    needs_input_grad: tuple[bool, ...]
    saved_tensors: tuple[Tensor, ...]

    def save_for_backward(self, *tensors: Tensor) -> None: ...


@dataclass(frozen=True)
class Window:
    """The geometry of a filter that moves over a picture."""

    kernel: int
    stride: int
    padding: int

    def side(self, length: int) -> int:
        return (length + 2 * self.padding - self.kernel) // self.stride + 1

    def unfold(self, f: Tensor) -> Tensor:
        """Return the patches [n i h~ kk yx] of f [n i h~ y x]. Copying row by row is faster than
        im2col."""
        padded = functional.pad(f, (self.padding,) * 4).contiguous()
        height, width = (self.side(length) for length in f.shape[-2:])
        rows, columns = padded.stride()[-2:]
        shape = (*f.shape[:3], self.kernel, self.kernel, height, width)
        moves = (rows, columns, rows * self.stride, columns * self.stride)
        views = padded.as_strided(shape, (*padded.stride()[:3], *moves))
        return views.reshape(*f.shape[:3], self.kernel**2, height * width)

    def fold(self, patches: Tensor, like: Tensor) -> Tensor:
        """Add patches to the pixels from which `unfold` reads them; this is its transpose."""
        plane = tuple(self.side(length) for length in like.shape[-2:])
        return self.spread(patches.unflatten(4, plane), like)

    def spread(self, parts: Tensor, like: Tensor) -> Tensor:
        """Add the parts [n i h~ kk y x] of each pixel of the filter to the pixels of the picture
        that it reads."""
        sides = [length + 2 * self.padding for length in like.shape[-2:]]
        found = parts.new_zeros(*parts.shape[:3], *sides)
        for k, view in enumerate(self.views(found)):
            view.add_(parts[:, :, :, k])
        inner = slice(self.padding, -self.padding or None)
        return found[..., inner, inner]

    def views(self, padded: Tensor) -> Iterator[Tensor]:
        """Yield, for each pixel of the filter, the pixels of a padded picture that it reads, [... y
        x]."""
        last = [length - self.kernel for length in padded.shape[-2:]]
        for p in range(self.kernel):
            for q in range(self.kernel):
                rows = slice(p, p + last[0] + 1, self.stride)
                yield padded[..., rows, slice(q, q + last[1] + 1, self.stride)]


class MeanPatch(Function):
    """The mean of the patches over all positions of the filter, [n i h~ kk]."""

    @staticmethod
    def forward(ctx: _Context, f: Tensor, window: Window) -> Tensor:
        ctx.save_for_backward(f)
        ctx.window = window
        padded = functional.pad(f, (window.padding,) * 4)
        return torch.stack([view.mean((-2, -1)) for view in window.views(padded)], -1)

    @staticmethod
    def backward(ctx: _Context, gradient: Tensor) -> tuple[Tensor, None]:
        (f,) = ctx.saved_tensors
        window = ctx.window
        places = window.side(f.shape[-2]) * window.side(f.shape[-1])
        return window.spread((gradient / places)[..., None, None], f), None


mean_patch: Callable[[Tensor, Window], Tensor] = MeanPatch.apply


def mean_over_places(f: Tensor, filters: Tensor, window: Window) -> Tensor:
    """Return the mean of the responses over y and x, [n i h~ oh], without computing the
    responses."""
    return torch.einsum("nitk,itok->nito", mean_patch(f, window), filters)


class MaximumOverPlaces(Function):
    """The maximum of the responses over y and x, [n i h~ oh], with its gradient."""

    @staticmethod
    def forward(ctx: _Context, f: Tensor, filters: Tensor, window: Window) -> Tensor:
        found = f.new_empty(len(f), *filters.shape[:3])
        places = torch.empty_like(found, dtype=torch.long)
        for chunk in _chunks(f, filters, window):
            R = chunk.responses(filters[chunk.channels].expand(chunk.count, -1, -1, -1, -1))
            block = (chunk.samples, chunk.channels)
            found[block] = top = R.amax(-1)
            if any(ctx.needs_input_grad):
                places[block] = _first_place(R, top)
        ctx.save_for_backward(f, filters, places)
        ctx.window = window
        return found

    @staticmethod
    def backward(ctx: _Context, gradient: Tensor) -> tuple[Tensor, Tensor, None]:
        f, filters, places = ctx.saved_tensors
        window = ctx.window
        to_f, to_filters = torch.empty_like(f), torch.zeros_like(filters)
        step = _samples(filters, window, f)
        for part in (slice(k, k + step) for k in range(0, len(f), step)):
            patches = window.unfold(f[part])
            index = places[part][..., None, :].expand(-1, -1, -1, patches.shape[3], -1)
            best = patches.gather(-1, index).transpose(-1, -2)
            g = gradient[part][..., None]
            to_filters += (g * best).sum(0)
            spread = (g * filters).transpose(-1, -2)
            to_f[part] = window.fold(torch.zeros_like(patches).scatter_add(-1, index, spread), f)
        return to_f, to_filters, None


class PoolOverChannels(Function):
    """The sum and the maximum, over the channels i, of the responses weighted by α, [n h~ oh yx]
    each."""

    @staticmethod
    def forward(
        ctx: _Context, f: Tensor, filters: Tensor, alpha: Tensor, window: Window
    ) -> tuple[Tensor, Tensor]:
        places = window.side(f.shape[-2]) * window.side(f.shape[-1])
        shape = (len(f), *filters.shape[1:3], places)
        total, top = f.new_empty(shape), f.new_empty(shape)
        for chunk in _chunks(f, filters, window):
            R = chunk.responses(chunk.weigh(filters, alpha))
            if chunk.channels.start == 0:
                total[chunk.samples], top[chunk.samples] = R.sum(1), R.amax(1)
            else:
                total[chunk.samples] += R.sum(1)
                torch.maximum(top[chunk.samples], R.amax(1), out=top[chunk.samples])
        ctx.save_for_backward(f, filters, alpha, top)
        ctx.window = window
        return total, top

    @staticmethod
    def backward(
        ctx: _Context, g_total: Tensor, g_top: Tensor
    ) -> tuple[Tensor, Tensor, Tensor, None]:
        f, filters, alpha, top = ctx.saved_tensors
        to_f, to_filters = torch.empty_like(f), torch.zeros_like(filters)
        to_alpha = torch.empty_like(alpha)
        tied = _count_winners(f, filters, alpha, top, ctx.window)
        for chunk in _chunks(f, filters, ctx.window):
            weighed = chunk.weigh(filters, alpha)
            R = chunk.responses(weighed)
            rows = chunk.samples
            wins = torch.ge(R, top[rows, None], out=R)  # 1 or 0, faster than a mask
            shared = g_top[rows] / (wins.sum(1) if tied is None else tied[rows]).clamp_min(1)
            g = torch.addcmul(g_total[rows, None], wins, shared[:, None], out=R)
            g_weighed = g @ chunk.patches.transpose(-1, -2)
            block = (rows, chunk.channels)
            to_filters[chunk.channels] += (alpha[block][..., None] * g_weighed).sum(0)
            to_alpha[block] = (filters[chunk.channels] * g_weighed).sum(-1)
            g_patches = weighed.transpose(-1, -2) @ g
            to_f[block] = ctx.window.fold(g_patches, f[:, chunk.channels])
        return to_f, to_filters, to_alpha, None


maximum_over_places: Callable[[Tensor, Tensor, Window], Tensor] = MaximumOverPlaces.apply
pool_over_channels: Callable[[Tensor, Tensor, Tensor, Window], tuple[Tensor, Tensor]] = (
    PoolOverChannels.apply
)


class SubtractGated(Function):
    """plain - Σ_h~ σ(z)·total, computed sample by sample, so that the factors fit into the
    cache."""

    @staticmethod
    def forward(ctx: _Context, plain: Tensor, total: Tensor, z: Tensor) -> Tensor:
        ctx.save_for_backward(total, z)
        pairs = zip(plain, total, z, strict=True)
        return torch.stack([p - (x * gate.sigmoid()).sum(0) for p, x, gate in pairs])

    @staticmethod
    def backward(ctx: _Context, gradient: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        total, z = ctx.saved_tensors
        to_total, to_z = torch.empty_like(total), torch.empty_like(z)
        for k, g in enumerate(gradient):
            gate = z[k].sigmoid()
            torch.mul(gate, -g, out=to_total[k])
            torch.mul(to_total[k], total[k] * (1 - gate), out=to_z[k])
        return gradient, to_total, to_z


subtract_gated: Callable[[Tensor, Tensor, Tensor], Tensor] = SubtractGated.apply


@dataclass(frozen=True, eq=False)
class _Chunk:
    """Some samples and channels, their patches, and a buffer for the responses."""

    samples: slice
    channels: slice
    patches: Tensor
    buffer: Tensor

    @property
    def count(self) -> int:
        return len(self.patches)

    def weigh(self, filters: Tensor, alpha: Tensor) -> Tensor:
        """Multiply the filters by α, which weights the responses because they are linear in the
        filters: [n i h~ oh kk]."""
        return filters[self.channels] * alpha[self.samples, self.channels, ..., None]

    def responses(self, filters: Tensor) -> Tensor:
        """Return the responses [n i h~ oh yx], in a buffer that all chunks share."""
        shape = (*filters.shape[:4], self.patches.shape[-1])
        left = filters.reshape(-1, *filters.shape[-2:])
        right = self.patches.reshape(-1, *self.patches.shape[-2:])
        buffer = self.buffer[: len(left) * shape[3] * shape[4]].view(-1, *shape[3:])
        return torch.bmm(left, right, out=buffer).view(shape)


def _chunks(f: Tensor, filters: Tensor, window: Window) -> Iterator[_Chunk]:
    """Yield chunks of several samples with all channels if they fit into the cache, otherwise of
    one sample and some of its channels."""
    places = window.side(f.shape[-2]) * window.side(f.shape[-1])
    one = filters[0, ..., 0].numel() * places
    samples, channels = _samples(filters, window, f), _channels(filters, window, f)
    buffer = f.new_empty(samples * channels * one)
    for n in range(0, len(f), samples):
        for i in range(0, len(filters), channels):
            rows, columns = slice(n, n + samples), slice(i, i + channels)
            yield _Chunk(rows, columns, window.unfold(f[rows, columns]), buffer)


def _count_winners(
    f: Tensor, filters: Tensor, alpha: Tensor, top: Tensor, window: Window
) -> Tensor | None:
    """Return the number of channels that attain each maximum; None if each chunk contains all
    channels."""
    if _channels(filters, window, f) == len(filters):
        return None
    found = torch.zeros_like(top)
    for chunk in _chunks(f, filters, window):
        R = chunk.responses(chunk.weigh(filters, alpha))
        found[chunk.samples] += torch.ge(R, top[chunk.samples, None], out=R).sum(1)
    return found


def _first_place(R: Tensor, top: Tensor) -> Tensor:
    """Return the index of the first maximum. This is three times faster than max(-1), and
    overwrites R."""
    length = R.shape[-1]
    countdown = torch.arange(length, 0, -1, device=R.device, dtype=R.dtype)
    return length - R.ge_(top[..., None]).mul_(countdown).amax(-1).long()


def _samples(filters: Tensor, window: Window, f: Tensor) -> int:
    places = window.side(f.shape[-2]) * window.side(f.shape[-1])
    return max(1, min(len(f), CHUNK // (filters[..., 0].numel() * places)))


def _channels(filters: Tensor, window: Window, f: Tensor) -> int:
    places = window.side(f.shape[-2]) * window.side(f.shape[-1])
    return max(1, min(len(filters), CHUNK // (filters[0, ..., 0].numel() * places)))
