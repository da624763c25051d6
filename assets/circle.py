"""The smallest circle around a set of points, in which a picture can rotate without being cut."""

from itertools import combinations

import numpy as np
from scipy.spatial import ConvexHull

Circle = tuple[float, float, float]
"""Centre (x, y) and radius."""

SLACK = 1e-9


def enclose_ink(alpha: np.ndarray) -> Circle:
    """Return the smallest circle around the corners of all pixels that contain ink [px]."""
    rows, columns = np.nonzero(alpha)
    corners = [np.stack([columns + i, rows + j], 1) for i in (0, 1) for j in (0, 1)]
    return enclose(np.concatenate(corners).astype(float))


def enclose(points: np.ndarray) -> Circle:
    """Return the smallest circle around points [n 2]; two or three points of the hull span it."""
    hull = points[ConvexHull(points).vertices]
    support = [hull[0], hull[np.linalg.norm(hull - hull[0], axis=1).argmax()]]
    while True:
        x, y, radius = _span(support)
        distances = np.linalg.norm(hull - (x, y), axis=1)
        if distances.max() <= radius * (1 + SLACK):
            return x, y, radius
        support.append(hull[distances.argmax()])


def _span(support: list[np.ndarray]) -> Circle:
    """Return the smallest circle around a few points, spanned by a pair or a triple of them."""
    pairs = (_through_two(*pair) for pair in combinations(support, 2))
    triples = (_through_three(*triple) for triple in combinations(support, 3))
    circles = sorted((*pairs, *triples), key=lambda circle: circle[2])
    around = (circle for circle in circles if _holds(circle, support))
    return next(around)


def _holds(circle: Circle, points: list[np.ndarray]) -> bool:
    x, y, radius = circle
    return all(np.hypot(*(point - (x, y))) <= radius * (1 + SLACK) for point in points)


def _through_two(a: np.ndarray, b: np.ndarray) -> Circle:
    x, y = (a + b) / 2
    return float(x), float(y), float(np.linalg.norm(a - b) / 2)


def _through_three(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Circle:
    sides = np.stack([b - a, c - a])
    if abs(np.linalg.det(sides)) < SLACK:  # points on a line: two of them span the circle
        return 0.0, 0.0, float("inf")
    offset = np.linalg.solve(sides, (sides**2).sum(1) / 2)
    x, y = a + offset
    return float(x), float(y), float(np.linalg.norm(offset))
