"""Compares our functions with kornia's in CPU time and results, for the table in
ia_engine/README.md.

python -m tests.benchmarks.kornia_functions
"""

import io
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from kornia.augmentation import RandomErasing
from kornia.color import rgb_to_grayscale
from kornia.enhance import adjust_brightness, adjust_contrast
from kornia.filters import get_gaussian_kernel1d
from kornia.geometry.calibration import distort_points
from kornia.geometry.liegroup import Se2, So2
from kornia.geometry.transform import (
    get_tps_transform,
    homography_warp,
    resize,
    warp_points_tps,
)
from kornia.morphology import dilation
from PIL import Image
from torch import Tensor
from torch.nn import functional

from ia_engine import images
from ia_engine.datasets.uploads.canvas import choose_color
from ia_engine.transforms import GROUPS, TRANSFORMS
from ia_engine.transforms.tps import POINTS
from tests.benchmarks.clock import REPEATS, cpu_seconds, one_thread
from tests.tensors import rand, tensor

N, SIDE = 64, 64
Task = Callable[[], Tensor]


@dataclass(frozen=True)
class Pair:
    """The same computation by our code (or another replacement), and by kornia."""

    name: str
    ours: Task
    kornias: Task


def main() -> None:
    """Print kornia's CPU time divided by ours, and the largest and the mean difference."""
    with one_thread():
        for pair in build_pairs():
            ratio = least_seconds(pair.kornias) / least_seconds(pair.ours)
            difference = (pair.ours() - pair.kornias()).abs()
            most, mean = difference.max().item(), difference.mean().item()
            print(f"{pair.name:30} {ratio:6.2f} {most:9.1e} {mean:9.1e}", flush=True)


def least_seconds(task: Task) -> float:
    """Minimum CPU time of several runs in this process, after a warm-up run."""
    task()
    return min(cpu_seconds(lambda: [task() for _ in range(5)]) for _ in range(REPEATS))


def build_pairs() -> list[Pair]:
    v = rand(N, 3, SIDE, SIDE).float()
    return [
        Pair("Gaussian blur", lambda: blur_by_conv2d(v, 2.0), lambda: images.blur(v, 2.0)),
        Pair(
            "resize 64 to 28",
            lambda: images.resize(v, 28, 28),
            lambda: resize(v, (28, 28), antialias=True),
        ),
        Pair(
            "grey of colours",
            lambda: choose_color(v, "grey"),
            lambda: rgb_to_grayscale(v),
        ),
        *_warps(v),
        *_values(v),
    ]


def _warps(v: Tensor) -> list[Pair]:
    se2, tps = GROUPS["se2"], TRANSFORMS["tps"]
    tau = rand(N, 3, low=-1).float() * tensor([1.0, 5.0, 5.0]).float()
    other = tau.flip(0)
    half = (SIDE - 1) / 2
    frame = torch.diag(tensor([half, half, 1.0])).float()
    swap = tensor([[0, 1, 0], [1, 0, 0], [0, 0, 1]]).float()
    bend = rand(N, tps.dimension(), low=-2, high=2).float()
    control = images.pixel_grid(POINTS, POINTS, v).flatten(0, 1) / ((POINTS - 1) / 2)
    points = (images.pixel_grid(SIDE, SIDE, v) / half).flatten(0, 1)
    k = rand(N, 1, low=-0.3, high=0.3).float()
    radius = half * 2**0.5
    camera = torch.diag(tensor([radius, radius, 1.0])).float().expand(N, 3, 3)

    def warp_by_kornia(mode: str = "bilinear") -> Tensor:
        matrix = torch.linalg.inv(frame) @ swap @ se2.matrix(tau) @ swap @ frame
        return homography_warp(v, matrix, (SIDE, SIDE), mode, align_corners=True)

    def spline_by_kornia() -> Tensor:
        moved = control + bend.unflatten(1, (2, -1)).mT / half
        kernel, affine = get_tps_transform(control.expand(N, -1, -1), moved)
        found = warp_points_tps(points.expand(N, -1, -1), moved, kernel, affine)
        return half * found.unflatten(1, (SIDE, SIDE))

    def lens_by_kornia() -> Tensor:
        plane = (half * points).expand(N, -1, -1)
        found = distort_points(plane, camera, functional.pad(k, (0, 3)))
        return found.unflatten(1, (SIDE, SIDE))

    def compose_by_kornia() -> Tensor:
        first, second = (Se2(So2.exp(-x[:, 0]), x[:, 1:].clone()) for x in (tau, other))
        return (first * second).matrix().detach()

    return [
        Pair(
            "SE(2) with bilinear sampling", lambda: se2.act(v, tau, images.bilinear), warp_by_kornia
        ),
        Pair(
            "SE(2) with cubic sampling",
            lambda: se2.act(v, tau),
            lambda: warp_by_kornia("bicubic"),
        ),
        Pair("thin plate spline field", lambda: tps.field(bend, SIDE, SIDE), spline_by_kornia),
        Pair("lens field", lambda: TRANSFORMS["lens"].field(k, SIDE, SIDE), lens_by_kornia),
        Pair("SE(2) composition", lambda: se2.matrix(se2.compose(tau, other)), compose_by_kornia),
    ]


def _values(v: Tensor) -> list[Pair]:
    color, morphology, erasing, jpeg = (
        TRANSFORMS[name] for name in ("color", "morphology", "erasing", "jpeg")
    )
    weight = rand(N, 1, low=-0.5, high=0.5).float()
    tinted = torch.cat([weight.expand(-1, 3), torch.full((N, 3), 0.1, device="cpu")], 1)
    dilate = torch.cat([torch.full((N, 1), 50.0, device="cpu"), torch.ones(N, 49, device="cpu")], 1)
    dilate[:, 1 + 49 // 2] = 0
    ink = (v > 0.98).float()
    window = torch.ones(7, 7, device="cpu")
    box = torch.full((N,), 20.0, device="cpu")
    erase = RandomErasing()
    params = dict.fromkeys(("ys", "xs", "heights", "widths"), box) | {"values": 0 * box}
    rectangle = torch.stack([box, box, 0 * box - 2, 0 * box - 2], 1)

    def color_by_kornia() -> Tensor:
        contrast = adjust_contrast(v, 1 + weight[:, 0], clip_output=False)
        return adjust_brightness(contrast, 0.1, clip_output=False)

    return [
        Pair("colour: weight and bias", lambda: color.act(v, tinted), color_by_kornia),
        Pair(
            "dilation, 7×7",
            lambda: morphology.act(ink, dilate),
            lambda: dilation(ink, window, border_value=0.0, border_type="constant"),
        ),
        Pair(
            "erased rectangle",
            lambda: erasing.act(v, rectangle),
            lambda: erase.apply_transform(v, params, {}),
        ),
        Pair("JPEG by Pillow", lambda: save_and_open(v), lambda: jpeg.act(v, 80 + 0 * weight)),
    ]


def blur_by_conv2d(v: Tensor, sigma: float) -> Tensor:
    """A separable convolution, written explicitly."""
    radius = int(4 * sigma)
    line = get_gaussian_kernel1d(2 * radius + 1, sigma, device=v.device, dtype=v.dtype)[0]
    flat = v.flatten(0, 1)[:, None]
    rows = functional.conv2d(flat, line[None, None, :, None], padding=(radius, 0))
    both = functional.conv2d(rows, line[None, None, None, :], padding=(0, radius))
    return both.view_as(v)


def save_and_open(v: Tensor) -> Tensor:
    """Each image as a JPEG file of quality 20."""
    opened = []
    for pixels in (255 * v).round().to(torch.uint8).permute(0, 2, 3, 1).numpy():
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "JPEG", quality=20)
        opened.append(torch.from_numpy(np.array(Image.open(file))))
    return torch.stack(opened).permute(0, 3, 1, 2) / 255


if __name__ == "__main__":
    main()
