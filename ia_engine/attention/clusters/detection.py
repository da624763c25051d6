"""Clusters of images: merged by attention, or found in a neighbourhood graph.

The graph connects every image with its nearest neighbours by edges of weight A_ij = exp(-d²/(ρ_i
ρ_j)), where ρ_i is the distance from image i to one of its neighbours (Zelnik-Manor and Perona
2004). Classes may therefore have different densities. The leading eigenvectors of D^(-1/2) A
D^(-1/2) are rotated onto the axes to obtain k clusters (Damle, Minden and Ying 2019). This method
is deterministic. In small sets, classes have fewer images than a neighbourhood, so clusters are
joined by their mean distances instead (average linkage).
"""

from collections.abc import Iterator

import torch
from scipy.linalg import qr
from scipy.sparse.csgraph import connected_components
from torch import Tensor

from ia_engine.errors import EngineError
from ia_engine.images import Images, Labels, Matrix
from ia_engine.ties import SOLVED, first_max, first_min

MERGED = 0.1
"""Two images have merged if d² is at most this fraction of their mean squared norm."""
FLOOR = 0.01
"""Lower bound for distances in the graph; differences below it are interpolation errors."""
NEIGHBOURS = 5
"""Number of neighbours of an image in the graph. Like SCALE and CLEAR, it was chosen on MNIST's
training split."""
SCALE = 10
"""Rank of the neighbour whose distance is ρ."""
CLEAR = 0.7
"""A graph is divided if its clarity is at least this value, i.e. if the cut is at most 0.3 of the
expected cut of a random graph."""
NEARLY = 1e-3
"""Relative tolerance for equal weights; the weights of repeated images differ by less."""
TOUCH = 1e-6
"""Weight that is added to all pairs. Without it, the eigenvectors of a disconnected graph would be
arbitrary."""
MOST = 30
"""Maximum number of parts in one division. Each part may be divided again."""
SMALL = 24
"""In sets of up to this number of images, clusters that are clearly separate are found first."""
SEPARATE = 1.5
"""An estimated number of clusters requires that the smallest d² between them is at least this many
times the largest d² within them."""
FEW = 16
"""Up to this number of images, k clusters are always those of average linkage."""


def merge_clusters(d2: Matrix, v: Images, W: Matrix | None = None) -> Labels:
    """Return the cluster of each image, numbered from 0. Clusters are the connected components of
    merged images.

    If W is given, a component whose weights form clear blocks is divided into one cluster per
    block: smoothing brings all images close together, but does not give all of them the same mean.
    """
    _, found = connected_components(merged_pairs(d2, v, W).cpu().numpy(), directed=False)
    return torch.from_numpy(found).to(device=d2.device, dtype=torch.int64)


def merged_pairs(d2: Matrix, v: Images, W: Matrix | None = None) -> Matrix:
    """Return a mask [n n] of the pairs that are nearly equal and, if W is given, in the same block
    of weights."""
    near = (relative(d2, v) <= MERGED).cpu()
    if W is not None:
        A = ((W + W.T) / 2).cpu().double().fill_diagonal_(0)
        count, found = connected_components(near.numpy(), directed=False)
        for rows in (torch.from_numpy((found == c).nonzero()[0]) for c in range(count)):
            blocks = _find_blocks(A[rows][:, rows])
            near[rows[:, None], rows] &= blocks[:, None] == blocks
    return near.to(d2.device)


def _find_blocks(A: Matrix) -> Labels:
    """Return the part of each image in a clearly divided graph; a strong weight never connects two
    parts.

    A weight is strong if it is at least half of the largest weight of one of its two images. Strong
    weights keep chains of images together, which could otherwise be cut at any point.
    """
    most = A.amax(0)
    strong = torch.minimum(most[:, None], most) <= 2 * A
    count, _ = connected_components(strong.numpy(), directed=False)
    if len(A) < 4 or count == 1:
        return torch.zeros(len(A), dtype=torch.int64, device=A.device)
    parts = _divide(A)
    _, found = connected_components((strong | (parts[:, None] == parts)).numpy(), directed=False)
    return torch.from_numpy(found).long()


def cluster(d2: Matrix, v: Images, k: int | None = None) -> Labels:
    """Return the cluster of each image, numbered from 0; the number of clusters is k or, by
    default, estimated.

    If k is None, the graph is divided where `clarity` is highest, and then each part in the same
    way, as long as the clarity is at least CLEAR. Random structure in a large, loose class may be
    mistaken for clusters. Sets of up to SMALL images are divided by average linkage if this gives
    separate clusters.
    """
    n = len(d2)
    if k is not None and not 1 <= k <= n:
        raise EngineError(f"k must be between 1 and the number of images, {n}; got {k}")
    if n < 2:
        return torch.zeros(n, device=d2.device, dtype=torch.int64)
    near = relative(d2, v).cpu().double()
    small = _divide_small(near, k) if n <= SMALL else None
    if small is not None:
        return _number(small).to(d2.device)
    A = join_neighbours(near)
    found = _divide(A) if k is None else _split(_leading_vectors(A + _touch(near))[:, :k])
    return _number(found).to(d2.device)


def _join_nearest(d2: Matrix) -> Iterator[Labels]:
    """Yield n, n - 1, ..., 1 clusters. Each time, the two with the smallest mean d² between their
    images are joined; of equal ones, the first."""
    n = len(d2)
    mean = ((d2 + d2.T) / 2).clamp_min(FLOOR).fill_diagonal_(torch.inf)
    size, found = torch.ones_like(d2[0]), torch.arange(n, device=d2.device)
    yield found
    for _ in range(n - 1):
        i, j = divmod(int(first_min(mean.flatten(), within=SOLVED)), n)
        row = (size[i] * mean[i] + size[j] * mean[j]) / (size[i] + size[j])
        mean[i], mean[:, i], mean[j], mean[:, j] = row, row, torch.inf, torch.inf
        size[i] += size[j]
        found = torch.where(found == j, i, found)
        yield found


def _divide_small(d2: Matrix, k: int | None) -> Labels | None:
    """Return the clusters of a small set, or None if the graph divides it better.

    If k is None, these are the most separate clusters, which have two images each on average.
    """
    n, joined = len(d2), list(_join_nearest(d2))
    if k is not None:
        found = joined[n - k]
        return found if n <= FEW or k == 1 or _separation(d2, found) > 1 else None
    tried = [joined[n - count] for count in range(2, n // 2 + 1)]
    best = max(tried, key=lambda found: _separation(d2, found), default=None)
    return None if best is None or _separation(d2, best) < SEPARATE else best


def _separation(d2: Matrix, found: Labels) -> float:
    """Return the smallest d² between clusters, divided by the largest d² within them."""
    same = found[:, None] == found
    return float(d2[~same].min() / d2[same].max().clamp_min(FLOOR))


def relative(d2: Matrix, v: Images) -> Matrix:
    """Return each d² divided by the mean squared norm of its two images, and 0 for two blank
    images."""
    square = v.flatten(1).square().sum(1)
    return d2 / ((square[:, None] + square) / 2).clamp_min(torch.finfo(d2.dtype).tiny)


def join_neighbours(d2: Matrix) -> Matrix:
    """Return the weights A of the graph, without loops. If several neighbours tie for the last
    place, all of them are connected."""
    n = len(d2)
    others = d2.clamp_min(FLOOR).fill_diagonal_(torch.inf)
    rho = others.kthvalue(min(SCALE, n - 1), 1).values.sqrt()
    A = (-others / (rho[:, None] * rho)).exp()
    least = A.topk(min(NEIGHBOURS, n - 1), 1).values[:, -1:]
    near = least * (1 - NEARLY) <= A
    return A * (near | near.T)


def _touch(d2: Matrix) -> Matrix:
    """Return small weights between all pairs, which connect parts that are close to each other."""
    return (TOUCH / (1 + d2)).fill_diagonal_(0)


def clarity(A: Matrix, assignments: Labels) -> float:
    """Return 1 minus the fraction of the weight that lies between clusters, relative to its
    expected value.

    This is the modularity (Newman 2004) divided by its maximum for clusters with the same total
    weights.
    """
    within = torch.nn.functional.one_hot(assignments).to(A)
    weight = within.T @ A @ within / A.sum()
    chance = 1 - float(weight.sum(0).square().sum())
    return 1 - (1 - float(weight.trace())) / chance if chance > 0 else 0.0


def _leading_vectors(A: Matrix) -> Tensor:
    """Return the eigenvectors of D^(-1/2) A D^(-1/2) as columns, in descending order of their
    eigenvalues."""
    degree = A.sum(0).clamp_min(torch.finfo(A.dtype).tiny).sqrt()
    return torch.linalg.eigh(A / (degree[:, None] * degree)).eigenvectors.flip(1)


def _split(vectors: Tensor) -> Labels:
    """Return the index of the nearest axis of each row of `vectors` [n k]; the axes are close to k
    rows that are far apart."""
    k = vectors.shape[1]
    _, _, order = qr(vectors.T.numpy(), pivoting=True, mode="economic")
    pivots = torch.from_numpy(order[:k]).long()
    left, _, right = torch.linalg.svd(vectors[pivots].T)
    return first_max((vectors @ (left @ right)).abs(), 1)


def _divide(A: Matrix) -> Labels:
    """Divide a graph where the clarity is highest and, as long as it is high enough, divide the
    parts recursively."""
    whole = torch.zeros(len(A), dtype=torch.int64, device=A.device)
    if len(A) < 4 or not bool(A.any()):
        return whole
    vectors = _leading_vectors(A)
    tried = [_split(vectors[:, :k]) for k in range(2, min(MOST, len(A) // 2) + 1)]
    best = max(tried, key=lambda found: clarity(A, found))
    if clarity(A, best) < CLEAR:
        return whole
    for part in (best == c for c in best.unique()):
        whole[part] = _divide(A[part][:, part]) + int(whole.max()) + 1
    return whole


def _number(found: Labels) -> Labels:
    """Return the same clusters, renumbered in the order of their first images."""
    same = found[:, None] == found
    first = same.int().argmax(1)
    return first.unique(return_inverse=True)[1]
