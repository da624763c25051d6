"""Sharp is not faithful: a mean beside noise that is sharper than any mean."""

from typing import Final

import numpy as np
import torch
from torch import Generator, Tensor

from ia_engine.attention.means.mean import sharpness
from ia_engine.figures.frames import unpack_frame
from ia_engine.figures.mean import Film
from ia_engine.figures.svg import Pixels, draw, picture, side_by_side, write

SIDE, FOOT, LEAST = 200, 26, 150
SEED: Final = 0


def draw_noise(film: Film) -> str:
    """The film's last mean and noise of the same brightness, each with its sharpness."""
    images = _images(film.plain)
    mean = _images(film.steps[-1].frame)[:1]
    generator = Generator(device="cpu").manual_seed(SEED)
    noise = torch.rand(mean.shape, generator=generator, device="cpu")
    noise *= mean.norm() / noise.norm()
    told = ((mean, "invariant mean"), (noise, "noise"))
    return side_by_side((_tile(v, f"{name}: {_sharp(v, images)}") for v, name in told), LEAST)


def _sharp(v: Tensor, images: Tensor) -> str:
    return f"sharpness {float(sharpness(v, images[1:])[0]):.2f}"


def _images(frame: bytes) -> Tensor:
    """[n c h w] in the frame's own scale, in which all of a film are."""
    return torch.from_numpy(unpack_frame(frame).arrays["images"] / 255.0).permute(0, 3, 1, 2)


def _tile(v: Tensor, words: str) -> str:
    grey = (v[0].mean(0) / v.max().clamp_min(1e-12)).clamp(0, 1).numpy()
    pixels: Pixels = np.repeat(np.rint(255 * grey)[..., None], 3, 2).astype(np.uint8)
    return draw(SIDE, SIDE + FOOT, words, [picture(pixels, 0, 0, SIDE, SIDE), _words(words)])


def _words(words: str) -> str:
    return write(SIDE / 2, SIDE + 18, words, "middle")
