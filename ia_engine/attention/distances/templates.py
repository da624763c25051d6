"""Templates: images prepared for alignment, with their derivatives with respect to small motions.

With X_a = w_a·∇ + ½ div w_a, the generators of the unitary action U, and u = U(M) v_i,

    ⟨U(M exp(-ξ)) v_i, v_j⟩ = ⟨u, v_j⟩ + Σ_a ξ_a ⟨u, X_a v_j⟩ + ½ Σ_ab ξ_a ξ_b ⟨u, X_a X_b v_j⟩ + …

Only u depends on the pose. All other factors depend on v_j alone and are computed once per image,
not per pair (inverse composition, Baker and Matthews 2004).

Every step of a search samples the other image at each listed pixel of the template. A digit covers
only a third of its window, so `Ink` lists only the pixels that are not blank.
"""

from dataclasses import dataclass, replace
from typing import Self

import torch
from torch import Tensor
from torch.nn import functional

from ia_engine.images import Images, check_axes, keys, pixel_grid
from ia_engine.transforms import Group

INK = 1e-3
"""Pixels below this fraction of the maximum of an image do not enlarge its window."""
SOME = 128
"""Maximum number of images whose derivatives are in memory at a time."""
FINE = 2
"""Number of values per pixel of the dense lattice. Linear interpolation between them approximates
Keys' interpolation."""


@dataclass(frozen=True, eq=False)
class Templates:
    """n images, each on a window around its ink, ready to be sampled and compared."""

    dense: Images
    """[n c 2s+1 2t+1]: Keys' values at the pixels of the window and halfway between them, with a
    rim of zeros."""
    half: Tensor
    """[2]: position of the last value of `dense` (p, q) [px from the window's centre]."""
    points: Tensor
    """[3 s·t]: the pixels of a window, in homogeneous coordinates [px from its centre]."""
    origin: Tensor
    """[n 3 3]: the translation from each window to the canvas."""
    jets: Tensor
    """[n c·s k]: v, then X_a v, then X_a X_b v for a ≤ b, at the pixels of each window."""
    metric: Tensor
    """[p p]: ξᵀ metric ξ is the mean square displacement [px²] that a motion ξ causes over the
    window."""

    @property
    def square(self) -> Tensor:
        """[n]: ‖v‖² on the window."""
        return self.jets[..., 0].square().sum(1)

    def take(self, rows: slice | Tensor) -> Self:
        """Select some of the images as templates."""
        return replace(self, origin=self.origin[rows], jets=self.jets[rows])

    @property
    def shape(self) -> tuple[int, int]:
        """Number of rows and of columns of a window."""
        rows, columns = self.dense.shape[-2:]
        return (rows - 3) // FINE + 1, (columns - 3) // FINE + 1


def prepare(v: Images, group: Group) -> Templates:
    """Create the templates of all images for poses in `group`."""
    check_axes(v, "n c h w", "v")
    v = functional.pad(v, (1, 1, 1, 1))  # large derivatives may occur at the border
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
    """Return True if the group contains translations; each image can then have its own origin."""
    return group.contains(_shift(like.new_ones(1, 2)))


def _whole(v: Images) -> tuple[Tensor, int, int]:
    return v.new_zeros(len(v), 2), v.shape[-2], v.shape[-1]


def _window(v: Images) -> tuple[Tensor, int, int]:
    """Return the upper left pixel of each image's window, and the numbers of rows and columns,
    which are the same for all windows."""
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
    """Return the indices of the first and the last True in each row of [n s]; 0 and 0 if there is
    none."""
    place = torch.arange(line.shape[1], device=line.device)
    last = torch.where(line, place, torch.zeros_like(place)).amax(1)
    first = torch.where(line, place, last[:, None]).amin(1)
    return first.float(), last.float()


def _shift(b: Tensor) -> Tensor:
    matrix = torch.eye(3, device=b.device, dtype=b.dtype).repeat(len(b), 1, 1)
    matrix[:, :2, 2] = b
    return matrix


def densify(v: Images) -> Images:
    """Interpolate to FINE Keys' values per pixel; the result does not include the rim of one pixel.

    On a regular lattice, this is a multiplication by one matrix per axis.
    """
    rows, columns = (size - 2 for size in v.shape[-2:])
    return _refine(rows, v) @ v @ _refine(columns, v).T


def _refine(size: int, like: Tensor) -> Tensor:
    """Return a matrix that interpolates size + 2 values in a row to FINE (size - 1) + 1 values
    between the first and the last."""
    every = torch.eye(size + 2, device=like.device, dtype=like.dtype)[None, None]
    lattice = pixel_grid(FINE * (size - 1) + 1, size + 2, like)
    return keys(every, (lattice / lattice.new_tensor([FINE, 1]))[None])[0, 0]


def _differentiate(v: Images) -> Tensor:
    """Return v, ∂p, ∂q, ∂pp, ∂pq and ∂qq [6 n c h w] by central differences, which equal Keys'
    slopes at the pixels."""
    pad = functional.pad(v, (1, 1, 1, 1))
    up, down = pad[..., :-2, 1:-1], pad[..., 2:, 1:-1]
    left, right = pad[..., 1:-1, :-2], pad[..., 1:-1, 2:]
    cross = pad[..., 2:, 2:] + pad[..., :-2, :-2] - pad[..., 2:, :-2] - pad[..., :-2, 2:]
    return torch.stack(
        [v, (down - up) / 2, (right - left) / 2, up + down - 2 * v, cross / 4, left + right - 2 * v]
    )


def _crop(stack: Tensor, corner: Tensor, rows: int, columns: int) -> Tensor:
    """Crop [... n c h w] to the window of every image, [... n c s]."""
    row = corner[:, 0].long()[:, None] + torch.arange(rows, device=corner.device)
    column = corner[:, 1].long()[:, None] + torch.arange(columns, device=corner.device)
    flat = (row[:, :, None] * stack.shape[-1] + column[:, None, :]).flatten(1)
    return stack.flatten(-2).gather(-1, flat[:, None].expand(*stack.shape[:-2], -1))


def _motion(basis: Tensor, points: Tensor) -> tuple[Tensor, Tensor]:
    """Return the velocity w_a of each generator E_a and its stretch (∂p w_p, ∂q w_q), both [a s 2].

    A point moves by w(x) = (E x̄)₁₂ - x (E x̄)₃; div w is the sum of the two stretches.
    """
    homogeneous = torch.cat([points, torch.ones_like(points[:, :1])], 1)
    moved = torch.einsum("aij,sj->asi", basis, homogeneous)
    velocity = moved[..., :2] - points * moved[..., 2:]
    own = basis[:, :2, :2].diagonal(dim1=1, dim2=2)[:, None]
    return velocity, own - moved[..., 2:] - points * basis[:, None, 2, :2]


def _jets(stack: Tensor, basis: Tensor, points: Tensor) -> Tensor:
    """Return v, X_a v, and the symmetric part of X_a X_b v for a ≤ b: [n c·s 1+p+p(p+1)/2].

    div w multiplies the mean of the two neighbours instead of v itself, so that the discrete X_a
    are skew, like those on the plane. Hence ⟨v, X_a v⟩ = 0, and the first derivatives of the score
    of an image with itself are 0.
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
    """Return all X_a X_b v [a b n c s].

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
"""Fraction of the sum of squares of v and its derivatives that may be omitted."""


@dataclass(frozen=True, eq=False)
class Ink:
    """A set of n templates as lists of s pixels. Shorter lists are padded with pixels whose jets
    are 0."""

    points: Tensor
    """[n 3 s]: the homogeneous coordinates of the pixels [px from the window's centre]."""
    jets: Tensor
    """[n k c s]: v, then X_a v, then X_a X_b v for a ≤ b."""
    count: Tensor
    """[n]: the number of pixels in each list, without padding."""
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
        """Select some of the templates, and shorten the lists as much as possible."""
        count = self.count[rows]
        longest = max(1, int(count.max()))
        return replace(
            self,
            points=self.points[rows, :, :longest],
            jets=self.jets[rows, ..., :longest],
            count=count,
        )


def list_ink(templates: Templates, faint: float = FAINT, sparse: bool = False) -> Ink:
    """List the pixels that hold all but a fraction `faint` of the jets; with `sparse`, every second
    one."""
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
    """Sort each row of `mask` [m s] stably, True first, and return its first `longest` indices.

    A stable sort of two values needs only two cumulative sums.
    """
    first, rest = mask.cumsum(1), (~mask).cumsum(1)
    place = torch.where(mask, first, mask.sum(1, keepdim=True) + rest) - 1
    column = torch.arange(mask.shape[1], device=mask.device).expand_as(mask)
    return torch.empty_like(place).scatter(1, place, column)[:, :longest]


def _mask(jets: Tensor, p: int, faint: float) -> Tensor:
    """Return a mask [n s] of the pixels where v or its derivatives are large."""
    energy = jets[..., : 1 + p].square().sum(1)
    share = (energy / energy.sum(1, keepdim=True).clamp_min(1e-30)).sum(-1)
    share, order = share.sort(1)
    strong = torch.zeros_like(share).scatter(1, order, share.cumsum(1)) > faint * (1 + p)
    if faint > FAINT:
        return strong
    v = jets[..., 0].abs().amax(1)
    return strong | (v > INK * v.amax(1, keepdim=True))
