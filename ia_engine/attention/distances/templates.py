"""Templates: images prepared for alignment, with their derivatives with respect to small motions.

With X_a = w_a·∇ + ½ div w_a, the generators of the unitary action U, and u = U(M) v_i,

    ⟨U(M exp(-ξ)) v_i, v_j⟩ = ⟨u, v_j⟩ + Σ_a ξ_a ⟨u, X_a v_j⟩ + ½ Σ_ab ξ_a ξ_b ⟨u, X_a X_b v_j⟩ + …

Only u depends on the pose. All other factors depend on v_j alone and are computed once per image,
not per pair (inverse composition, Baker and Matthews 2004).

A digit covers a third of its window, and every step of a search samples the other image at each
pixel of the template. `Ink` therefore lists only the pixels of a template that are not blank.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.images import Images, check_axes, keys, pixel_grid
from ia_engine.transforms import Group

INK = 1e-3
"""Pixels below this share of the maximum of an image do not enlarge its window."""
SOME = 128
"""Maximum number of images whose derivatives are in memory."""
FINE = 2
"""Number of values of the dense lattice per pixel; linear interpolation between them approximates
Keys' interpolation."""


@dataclass(frozen=True, eq=False)
class Templates:
    """n images, each on a window around its ink, ready to be sampled and compared."""

    dense: Images
    """[n c 2s+1 2t+1]: Keys' values at the window's pixels and half-way between, with a rim of
    zeros."""
    half: Tensor
    """[2]: position of the last value of `dense` (p, q) [px from the window's centre]."""
    points: Tensor
    """[3 s·t]: the pixels of a window, homogeneous [px from its centre]."""
    origin: Tensor
    """[n 3 3]: the translation from each window to the canvas."""
    jets: Tensor
    """[n c·s k]: v, then X_a v, then X_a X_b v for a ≤ b, at the points of each window."""
    metric: Tensor
    """[p p]: ξᵀ metric ξ is the mean square displacement over the window of a motion ξ [px²]."""

    @property
    def square(self) -> Tensor:
        """[n]: ‖v‖² on the window."""
        return self.jets[..., 0].square().sum(1)

    def take(self, rows: slice | Tensor) -> Self:
        """Select some of the images as templates."""
        return replace(self, origin=self.origin[rows], jets=self.jets[rows])

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and columns of a window."""
        rows, columns = self.dense.shape[-2:]
        return (rows - 3) // FINE + 1, (columns - 3) // FINE + 1


def prepare(v: Images, group: Group) -> Templates:
    """Make the templates of all images for poses in `group`."""
    check_axes(v, "n c h w", "v")
    v = functional.pad(v, (1, 1, 1, 1))  # the largest derivatives of an image may be at its border
    height, width = v.shape[-2:]
    corner, rows, columns = _window(v) if can_shift(group, v) else _whole(v)
    middle = v.new_tensor([(rows - 1) / 2, (columns - 1) / 2])
    points = pixel_grid(rows, columns, v).view(-1, 2)
    basis = v.new_tensor(group.generators)
    velocity, _ = _motion(basis, points)
    origin = corner + middle - v.new_tensor([(height - 1) / 2, (width - 1) / 2])
    around = _crop(functional.pad(v, (1, 1, 1, 1)), corner, rows + 2, columns + 2)
    around = around.unflatten(-1, (rows + 2, columns + 2))
    return Templates(
        dense=functional.pad(densify(around), (1, 1, 1, 1)),
        half=middle + 1 / FINE,
        points=torch.cat([points, torch.ones_like(points[:, :1])], 1).T.contiguous(),
        origin=_shift(origin),
        jets=torch.cat(
            [
                _jets(_crop(_differentiate(part), first, rows, columns), basis, points)
                for part, first in zip(v.split(SOME), corner.split(SOME), strict=True)
            ]
        ),
        metric=torch.einsum("asx,bsx->ab", velocity, velocity) / len(points),
    )


def can_shift(group: Group, like: Tensor) -> bool:
    """True if the group contains translations, so that each image can have its own origin."""
    return group.contains(_shift(like.new_ones(1, 2)))


def _whole(v: Images) -> tuple[Tensor, int, int]:
    return v.new_zeros(len(v), 2), v.shape[-2], v.shape[-1]


def _window(v: Images) -> tuple[Tensor, int, int]:
    """The upper left pixel of each image's window, and the common number of rows and columns."""
    ink = v.abs().amax(1)
    ink = ink > INK * ink.amax((1, 2), keepdim=True)
    ink = functional.max_pool2d(ink[:, None].to(v), 3, 1, 1)[:, 0] > 0  # and their neighbours
    bounds = [_extent(ink.any(2)), _extent(ink.any(1))]
    sides = [int((last - first).max()) + 1 for first, last in bounds]
    corner = [
        ((first + last - side + 1) / 2).floor().clamp(0, whole - side)
        for (first, last), side, whole in zip(bounds, sides, v.shape[-2:], strict=True)
    ]
    return torch.stack(corner, 1).to(v.dtype), sides[0], sides[1]


def _extent(line: Tensor) -> tuple[Tensor, Tensor]:
    """The first and the last true position of each row [n s]; (0, 0) if there is none."""
    place = torch.arange(line.shape[1], device=line.device)
    last = torch.where(line, place, torch.zeros_like(place)).amax(1)
    first = torch.where(line, place, last[:, None]).amin(1)
    return first.float(), last.float()


def _shift(b: Tensor) -> Tensor:
    matrix = torch.eye(3, device=b.device, dtype=b.dtype).repeat(len(b), 1, 1)
    matrix[:, :2, 2] = b
    return matrix


def densify(v: Images) -> Images:
    """FINE values of Keys' interpolation per pixel, without the rim of one pixel.

    On a regular lattice, this is a product with one matrix per axis.
    """
    rows, columns = (size - 2 for size in v.shape[-2:])
    return _refine(rows, v) @ v @ _refine(columns, v).T


def _refine(size: int, like: Tensor) -> Tensor:
    """Interpolate size + 2 values in a row to FINE (size - 1) + 1 between the first and the
    last."""
    every = torch.eye(size + 2, device=like.device, dtype=like.dtype)[None, None]
    lattice = pixel_grid(FINE * (size - 1) + 1, size + 2, like)
    return keys(every, (lattice / lattice.new_tensor([FINE, 1]))[None])[0, 0]


def _differentiate(v: Images) -> Tensor:
    """v, ∂p, ∂q, ∂pp, ∂pq, ∂qq by central differences, [6 n c h w]; ∂ is Keys' slope at a pixel."""
    pad = functional.pad(v, (1, 1, 1, 1))
    up, down = pad[..., :-2, 1:-1], pad[..., 2:, 1:-1]
    left, right = pad[..., 1:-1, :-2], pad[..., 1:-1, 2:]
    cross = pad[..., 2:, 2:] + pad[..., :-2, :-2] - pad[..., 2:, :-2] - pad[..., :-2, 2:]
    return torch.stack(
        [v, (down - up) / 2, (right - left) / 2, up + down - 2 * v, cross / 4, left + right - 2 * v]
    )


def _crop(stack: Tensor, corner: Tensor, rows: int, columns: int) -> Tensor:
    """[... n c h w] → [... n c s], the window of every image."""
    row = corner[:, 0].long()[:, None] + torch.arange(rows, device=corner.device)
    column = corner[:, 1].long()[:, None] + torch.arange(columns, device=corner.device)
    flat = (row[:, :, None] * stack.shape[-1] + column[:, None, :]).flatten(1)
    return stack.flatten(-2).gather(-1, flat[:, None].expand(*stack.shape[:-2], -1))


def _motion(basis: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """The velocity w_a and its stretch (∂p w_p, ∂q w_q) of the generators E_a, both [a s 2].

    A point moves by w(x) = (E x̄)₁₂ - x (E x̄)₃; div w is the sum of the stretch.
    """
    homogeneous = torch.cat([points, torch.ones_like(points[:, :1])], 1)
    moved = torch.einsum("aij,sj->asi", basis, homogeneous)
    velocity = moved[..., :2] - points * moved[..., 2:]
    own = basis[:, :2, :2].diagonal(dim1=1, dim2=2)[:, None]
    return velocity, own - moved[..., 2:] - points * basis[:, None, 2, :2]


def _jets(stack: Tensor, basis: Tensor, points: Tensor) -> Tensor:
    """v, X_a v and the symmetric part of X_a X_b v, a ≤ b: [n c·s 1+p+p(p+1)/2].

    Div w multiplies the mean of the two neighbours, not v itself, so that the discrete X_a are
    skew, like those on the plane. Hence ⟨v, X_a v⟩ = 0, and the score of an image with itself has
    no first derivative.
    """
    v, slope, beside = stack[0], stack[1:3], stack[0] + stack[3::2] / 2
    velocity, stretch = _motion(basis, points)
    first = torch.einsum("asx,xncs->ancs", velocity, slope)
    first = first + torch.einsum("asx,xncs->ancs", stretch / 2, beside)
    second = _second(stack, basis, points)
    a, b = torch.triu_indices(len(basis), len(basis), device=points.device)
    jets = torch.cat([v[None], first, (second[a, b] + second[b, a]) / 2])
    return jets.permute(1, 2, 3, 0).flatten(1, 2)


def _second(stack: Tensor, basis: Tensor, points: Tensor) -> Tensor:
    """All X_a X_b v [a b n c s].

    Each is w_aᵀ(∇∇v)w_b + (w_a·∇w_b + ½ d_b w_a + ½ d_a w_b)·∇v + (½ w_a·∇d_b + ¼ d_a d_b) v.
    """
    v, v_p, v_q, v_pp, v_pq, v_qq = stack
    w, stretch = _motion(basis, points)
    d = stretch.sum(-1)
    linear, perspective = basis[:, :2, :2], basis[:, 2, :2]
    along = torch.einsum("sx,bx->bs", points, perspective) + basis[:, 2, 2:]
    tilt = torch.einsum("asx,bx->abs", w, perspective)
    drift = torch.einsum("asy,bxy->absx", w, linear) - w[:, None] * along[None, ..., None]
    drift = drift - points * tilt[..., None]
    drift = drift + (d[None, ..., None] * w[:, None] + d[:, None, :, None] * w[None]) / 2
    factor = -1.5 * tilt + d[:, None] * d / 4
    bend = w[:, None, :, :, None] * w[None, :, :, None, :]
    terms = (
        (bend[..., 0, 0], v_pp),
        (bend[..., 0, 1] + bend[..., 1, 0], v_pq),
        (bend[..., 1, 1], v_qq),
        (drift[..., 0], v_p),
        (drift[..., 1], v_q),
        (factor, v),
    )
    return sum((torch.einsum("abs,ncs->abncs", x, y) for x, y in terms), torch.zeros_like(v))


FAINT = 1e-3
"""Share of the sum of squares of v and its derivatives that may be omitted."""


@dataclass(frozen=True, eq=False)
class Ink:
    """A set of n templates as lists of s pixels; shorter lists are padded with pixels whose jets
    are 0."""

    points: Tensor
    """[n 3 s]: the homogeneous positions of the pixels [px from the window's centre]."""
    jets: Tensor
    """[n k c s]: v, then X_a v, then X_a X_b v for a ≤ b."""
    count: Tensor
    """[n]: the length of each list."""
    metric: Tensor
    """[p p]: the metric of the templates."""

    @property
    def square(self) -> Tensor:
        """[n]: ‖v‖²."""
        return self.jets[:, 0].square().sum((1, 2))

    @property
    def half(self) -> Tensor:
        """[n 2]: the extent of each list from the window's centre [px]."""
        return self.points[:, :2].abs().amax(2)

    def take(self, rows: slice | Tensor) -> Self:
        """Select some of the templates, with lists as short as possible."""
        count = self.count[rows]
        longest = max(1, int(count.max()))
        return replace(
            self,
            points=self.points[rows, :, :longest],
            jets=self.jets[rows, ..., :longest],
            count=count,
        )


def list_ink(templates: Templates, faint: float = FAINT, sparse: bool = False) -> Ink:
    """The pixels that hold all but a `faint` share of the jets; with `sparse`, every second
    pixel."""
    channels, (rows, columns) = templates.dense.shape[1], templates.shape
    jets = templates.jets.unflatten(1, (channels, -1))
    mask = _mask(jets, len(templates.metric), faint)
    if sparse:
        place = torch.arange(rows * columns, device=mask.device)
        mask = mask & ((place // columns + place % columns) % 2 == 0)
    count = mask.sum(1)
    longest = max(1, int(count.max()))
    order = list_true(mask, longest)
    there = torch.arange(longest, device=mask.device) < count[:, None]
    picked = jets.gather(2, order[:, None, :, None].expand(-1, channels, -1, jets.shape[-1]))
    return Ink(
        points=templates.points[:, order].movedim(0, 1).contiguous(),
        jets=(picked * there[:, None, :, None]).permute(0, 3, 1, 2).contiguous(),
        count=count,
        metric=templates.metric,
    )


def list_true(mask: Tensor, longest: int) -> Tensor:
    """The first `longest` indices of each row [m s] in a stable sort, true values first.

    A stable sort of two values needs only two cumulative sums.
    """
    first, rest = mask.cumsum(1), (~mask).cumsum(1)
    place = torch.where(mask, first, mask.sum(1, keepdim=True) + rest) - 1
    column = torch.arange(mask.shape[1], device=mask.device).expand_as(mask)
    return torch.empty_like(place).scatter(1, place, column)[:, :longest]


def _mask(jets: Tensor, p: int, faint: float) -> Tensor:
    """[n s]: True where v or its derivatives are large."""
    energy = jets[..., : 1 + p].square().sum(1)
    share = (energy / energy.sum(1, keepdim=True).clamp_min(1e-30)).sum(-1)
    share, order = share.sort(1)
    strong = torch.zeros_like(share).scatter(1, order, share.cumsum(1)) > faint * (1 + p)
    if faint > FAINT:
        return strong
    v = jets[..., 0].abs().amax(1)
    return strong | (v > INK * v.amax(1, keepdim=True))
