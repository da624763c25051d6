"""Simulates colour blindness and computes perceptual distances between colours."""

import numpy as np

SEEN = {
    "all cones": np.eye(3),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}
"""Matrices for linear RGB, from Machado, Oliveira and Fernandes (2009), with severity 1."""
XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)


def from_hex(colours):
    """Bytes [n 3] of colours written as "#rrggbb"."""
    return np.array([[int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in colours])


def lab(colours, seen="all cones"):
    """CIELAB [n 3] of sRGB bytes [n 3], as seen with the given colour vision."""
    share = np.asarray(colours, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    linear = np.clip(linear @ SEEN[seen].T, 0, 1)
    x = linear @ XYZ.T / XYZ.sum(1)
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.stack(
        [116 * f[:, 1] - 16, 500 * (f[:, 0] - f[:, 1]), 200 * (f[:, 1] - f[:, 2])], axis=1
    )


def apart(colours, seen="all cones"):
    """Distances ΔE*ab [n n]: 2.3 is just noticeable side by side; 10 is noticeable at a glance."""
    seen_as = lab(colours, seen)
    return np.linalg.norm(seen_as[:, None] - seen_as[None], axis=-1)
