"""Slow, simple float64 implementations that the engine is compared to."""

import numpy as np
from scipy.optimize import minimize


def keys_weight(x):
    """Keys' cubic convolution kernel, a = -1/2."""
    x = np.abs(x)
    near = 1.5 * x**3 - 2.5 * x**2 + 1
    far = -0.5 * x**3 + 2.5 * x**2 - 4 * x + 2
    return np.where(x < 1, near, np.where(x < 2, far, 0.0))


def read(image, p, q):
    """Values of an image [h w] at points p, q [px from its centre] by the double sum; 0 outside."""
    image = np.pad(image, 4)
    rows, columns = image.shape
    p, q = np.clip(p + (rows - 1) / 2, 1, rows - 3), np.clip(q + (columns - 1) / 2, 1, columns - 3)
    k, m = np.floor(p).astype(int), np.floor(q).astype(int)
    return sum(
        image[k + a, m + b] * keys_weight(p - k - a) * keys_weight(q - m - b)
        for a in (-1, 0, 1, 2)
        for b in (-1, 0, 1, 2)
    )


def grid(shape):
    """Rows p and columns q of every pixel [px from the centre]."""
    return np.meshgrid(*(np.arange(size) - (size - 1) / 2 for size in shape), indexing="ij")


def turn(image, theta, b_p, b_q):
    """[v∘τ](p, q) = v(A(θ)(p, q)ᵀ + b)."""
    p, q = grid(image.shape)
    cos, sin = np.cos(theta), np.sin(theta)
    return read(image, cos * p + sin * q + b_p, -sin * p + cos * q + b_q)


def best_turn(image, target, starts=4, angles=72):
    """max over SE(2) of ⟨image∘τ, target⟩: a grid of all angles and pixels, then Nelder-Mead."""
    found = []
    spectrum = np.fft.rfft2(target, [2 * s for s in target.shape]).conj()
    for theta in np.arange(angles) * 2 * np.pi / angles:
        turned = np.fft.rfft2(turn(image, theta, 0, 0), [2 * s for s in target.shape])
        scores = np.fft.irfft2(turned * spectrum)
        shift = np.array(np.unravel_index(scores.argmax(), scores.shape))
        half = np.array(target.shape)
        shift = (shift + half) % (2 * half) - half
        cos, sin = np.cos(theta), np.sin(theta)
        b = np.array([[cos, sin], [-sin, cos]]) @ shift
        found.append((scores.max(), theta, *b))
    first = sorted(found, reverse=True)[:starts]
    return max(_refine(image, target, np.array(pose)) for _, *pose in first)


def _refine(image, target, pose):
    simplex = pose + np.vstack([np.zeros(3), np.diag([0.04, 0.5, 0.5])])
    options = {"initial_simplex": simplex, "xatol": 1e-3, "fatol": 1e-7, "maxfev": 150}
    result = minimize(
        lambda x: -(turn(image, *x) * target).sum(), pose, method="Nelder-Mead", options=options
    )
    return -result.fun


def manifold_distance(a, b):
    """d² of two images by definition: the mean over both directions."""
    return (a**2).sum() + (b**2).sum() - best_turn(a, b) - best_turn(b, a)


def largest_ratio(before, after, least, chosen=lambda i, j: True):
    """max of after/before over the chosen pairs whose distance before exceeds `least`."""
    pairs = [(i, j) for i, j in np.ndindex(before.shape) if chosen(i, j) and before[i, j] > least]
    return max((after[i, j] / before[i, j] for i, j in pairs), default=None)
