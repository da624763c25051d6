"""Gaussian noise, one number per pixel: v + level · ε(seed)."""

import torch

from ia_engine.params import Range
from ia_engine.shapes import Images, Poses, check_axes
from ia_engine.transforms.base import Coordinates, Transform

LEVEL = Range("σ_n", 0, 1, "the standard deviation of the noise, on the background as well")
SEED = Range("seed", 0, 2**24 - 1, "which noise: its whole part counts, all are exact in float32")


class Noise(Transform):
    """Coordinates (level, seed): the same coordinates give the same noise on every device.

    A camera's noise knows no background, so the background is noisy too, and values can leave
    [0, 1]: whoever makes pictures of them clamps. The level can be differentiated, the seed not.
    """

    name = "noise"

    def coordinates(self, channels: int = 1) -> tuple[Coordinates, ...]:
        return (Coordinates("level", LEVEL), Coordinates("seed", SEED))

    def act(self, v: Images, tau: Poses) -> Images:
        check_axes(tau, f"{len(v)} 2", "tau")
        seeds = tau[:, 1].detach().long().tolist()
        noise = torch.empty(v.shape, dtype=torch.float32, device="cpu")
        for image, seed in zip(noise, seeds, strict=True):
            image.normal_(generator=torch.Generator(device="cpu").manual_seed(seed))
        return v + tau[:, 0, None, None, None] * noise.to(v)
