"""Figure 1 of the attentive G-CNNs as an exercise: faces, and scrambles of the same parts."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import torch
from PIL import Image, ImageDraw
from torch import Generator, Tensor

from ia_engine.equivariant.maps import trace
from ia_engine.equivariant.recipes import RECIPES
from ia_engine.equivariant.splits import Part, Splits
from ia_engine.figures.papers.panels import show
from ia_engine.images import resize
from ia_engine.runs.papers.attentive_maps import attend, errors_of, turn_all, turn_back
from ia_engine.runs.papers.attentive_training import train_for
from ia_engine.runs.papers.entry import Effort, Number, Outcome, Progress

SIDE: Final = 28
PAPER: Final = 140
STROKE: Final = 5
SHOWN: Final = 8
FINE: Final = 70
"""Side length of the displayed pictures [px]; the networks use smaller ones."""
REACH: Final = 1.1
"""Extent of the drawing, as a multiple of half the side of the canvas."""
BITS: Final = 24
"""Number of points along a curve."""

Stroke = tuple[tuple[float, float], ...]


def _ellipse(width: float, height: float, start: float = 0, end: float = 2 * math.pi) -> Stroke:
    turns = (start + (end - start) * k / BITS for k in range(BITS + 1))
    return tuple((width * math.cos(t), height * math.sin(t)) for t in turns)


EYE: Final = (_ellipse(0.2, 0.13), _ellipse(0.04, 0.05))
NOSE: Final = (((0.02, -0.24), (-0.1, 0.16), (0.08, 0.18)),)
MOUTH: Final = (_ellipse(0.34, 0.16, 0.1, math.pi - 0.1), ((-0.33, 0.02), (0.33, 0.02)))
PARTS: Final = (EYE, EYE, NOSE, MOUTH)
PLACES: Final = ((-0.36, -0.34), (0.36, -0.34), (0.0, 0.0), (0.0, 0.44))
"""Positions (x, y) of the eyes, nose and mouth in a face; y points downwards."""
SCRAMBLES: Final = ((2, 3, 0, 1), (2, 0, 3, 1), (0, 3, 2, 1), (0, 2, 1, 3), (3, 1, 0, 2))
"""Permutations of the positions that do not place both eyes at eye positions."""


@dataclass(frozen=True)
class Layout:
    """Position, rotation and size of each part."""

    places: tuple[tuple[float, float], ...]
    angles: tuple[float, ...]
    scales: tuple[float, ...]


def draw_face(layout: Layout, side: int = SIDE) -> Tensor:
    """Draw the parts on a canvas, [1 side side]."""
    paper = Image.new("L", (PAPER, PAPER))
    pen = ImageDraw.Draw(paper)
    for part, at, angle, scale in zip(
        PARTS, layout.places, layout.angles, layout.scales, strict=True
    ):
        for stroke in part:
            pen.line(_put(stroke, at, angle, scale), 255, STROKE, "curve")
    grey = torch.from_numpy(np.array(paper, np.float32) / 255)
    return resize(grey[None, None], side, side)[0].clamp(0, 1)


def _put(
    stroke: Stroke, at: tuple[float, float], angle: float, scale: float
) -> list[tuple[float, float]]:
    cos, sin, half = math.cos(angle), math.sin(angle), PAPER / 2
    return [
        (half + REACH * half * (at[0] + scale * (cos * x - sin * y)),
         half + REACH * half * (at[1] + scale * (sin * x + cos * y)))
        for x, y in stroke
    ]  # fmt: skip


def arrange_face(generator: Generator) -> Layout:
    """Arrange a face with a small deviation of each part, and rotate it by a random angle."""
    whole = _number(generator, -math.pi, math.pi)
    cos, sin = math.cos(whole), math.sin(whole)
    places = tuple(
        (cos * x - sin * y + _number(generator, -0.05, 0.05),
         sin * x + cos * y + _number(generator, -0.05, 0.05))
        for x, y in PLACES
    )  # fmt: skip
    angles = tuple(whole + _number(generator, -0.12, 0.12) for _ in PARTS)
    return Layout(places, angles, _scales(generator))


def arrange_scramble(generator: Generator) -> Layout:
    """Exchange the positions of the parts, and rotate each by its own angle."""
    face = arrange_face(generator)
    which = int(torch.randint(len(SCRAMBLES), (), generator=generator, device="cpu"))
    places = tuple(face.places[seat] for seat in SCRAMBLES[which])
    angles = tuple(_number(generator, -math.pi, math.pi) for _ in PARTS)
    return Layout(places, angles, face.scales)


def arrange(count: int, generator: Generator) -> tuple[Layout, ...]:
    """Arrange scrambles and faces alternately."""
    ways = (arrange_scramble, arrange_face)
    return tuple(ways[k % 2](generator) for k in range(count))


def draw_all(layouts: Sequence[Layout]) -> Part:
    """Draw pictures and return them with their labels; every second picture is a face (label 1)."""
    drawn = torch.stack([draw_face(layout) for layout in layouts])
    return Part(drawn, torch.arange(len(layouts), device="cpu") % 2)


def find_faces(effort: Effort) -> Iterator[Progress]:
    """Train two small networks to recognise faces, and show the maps of the attentive one."""
    generator = Generator(device="cpu").manual_seed(effort.seed)
    sizes = (_within(60, 80 * effort.budget, 1200), 60, _within(60, 20 * effort.budget, 400))
    layouts = [arrange(count, generator) for count in sizes]
    learn, validate, test = map(draw_all, layouts)
    data = Splits(learn, validate, test, 2, "faces and scrambles drawn here")
    yield Progress("drawn")
    config = replace(RECIPES["quick"], network="p4")
    plain = yield from train_for(config, data, effort.seed, effort.part(0.35))
    attentive = replace(config, network="alpha-f-p4", iterations=plain.iterations)
    found = yield from train_for(attentive, data, effort.seed)
    order = torch.randperm(SHOWN, generator=generator, device="cpu")
    chosen = data.test.rows(order)
    fine = torch.stack([draw_face(layouts[2][k], FINE) for k in order.tolist()])
    turned = turn_all(chosen.images)
    attended = attend(found.network, turned)
    verdicts = trace(found.network, turned).probabilities[:, 1].unflatten(0, (-1, 4))
    apart = float((verdicts - verdicts[:, :1]).abs().max())
    upright = attended.heat.unflatten(0, (-1, 4))[:, 0]
    words = [
        f"{'face' if face else 'no face'}\npredicted {100 * p:.0f} %"
        for face, p in zip(chosen.labels.tolist(), verdicts[:, 0].tolist(), strict=True)
    ]
    first = turn_back(attended.heat)[:1].flatten(0, 1)
    yield Progress("done", Outcome(
        numbers=(
            Number("test error of the α_F-p4-CNN", 100 * found.error, unit="%"),
            Number("test error of the p4-CNN after the same number of iterations",
                   100 * plain.error, unit="%"),
            Number("change of the prediction under 90° rotations", apart),
            Number("relative error of the maps rotated back", max(errors_of(attended.heat))),
        ),
        panels=(
            show("Which of these are faces? All are made of the same four parts", fine,
                 [str(k + 1) for k in range(SHOWN)], 4, bounds=(0.0, 1.0)),
            show("Spatial attention, kept share 1 − α_X, and the network's prediction", upright,
                 words, 4, look="ramp", arrows=attended.arrows.unflatten(0, (-1, 4))[:, 0]),
            show("The first picture's map at four 90° rotations, rotated back", first, columns=4,
                 look="ramp"),
        ),
        data=f"The parts are drawn here. There are two classes and {len(data.train):,} training "
        f"pictures, and each network is trained for {plain.iterations} iterations. The paper's "
        "figure is a sketch without a network. Each network is trained only once, so this does not "
        "show that attention helps: compare the two errors.",
        answers=tuple(bool(face) for face in chosen.labels.tolist()),
    ))  # fmt: skip


def _within(low: int, value: float, high: int) -> int:
    return round(min(high, max(low, value)))


def _scales(generator: Generator) -> tuple[float, ...]:
    return tuple(_number(generator, 0.85, 1.15) for _ in PARTS)


def _number(generator: Generator, low: float, high: float) -> float:
    return low + (high - low) * float(torch.rand((), generator=generator, device="cpu"))
