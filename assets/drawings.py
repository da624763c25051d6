"""The drawings of Experiment 1 and similar drawings, one function for each."""

from collections.abc import Callable
from math import cos, pi, sin

from assets.pen import Pen, Point


def crab(pen: Pen) -> None:
    """Draw a fiddler crab that waves its large claw."""
    for side in (-1, 1):
        for i in range(3):
            hip, knee = (side * 0.36, 0.08 + 0.1 * i), (side * (0.84 - 0.1 * i), 0.1 + 0.16 * i)
            toe = (side * (0.96 - 0.16 * i), 0.46 + 0.16 * i)
            pen.stroke([hip, knee, toe], [0.13, 0.13, 0.04], 165)
        pen.stroke([(side * 0.16, -0.3), (side * 0.2, -0.58)], [0.09, 0.07], 200)
        pen.oval((side * 0.2, -0.63), (0.13, 0.14), 255)
        pen.oval((side * 0.2 + 0.03, -0.64), (0.06, 0.08), 0)
    _claw(pen, shoulder=(0.44, -0.06), elbow=(0.8, -0.08), palm=(0.76, -0.54), size=1.2, side=1)
    _claw(pen, shoulder=(-0.44, -0.06), elbow=(-0.7, -0.1), palm=(-0.74, -0.36), size=0.6, side=-1)
    shell = [(-0.6, -0.06), (-0.38, -0.31), (0, -0.37), (0.38, -0.31), (0.6, -0.06)]
    pen.blob([*shell, (0.44, 0.24), (0, 0.38), (-0.44, 0.24)], 185)
    pen.stroke([(-0.4, -0.17), (0, -0.29), (0.4, -0.17)], [0.02, 0.08, 0.02], 255)
    for spot, radius in (((-0.3, 0.0), 0.06), ((-0.18, -0.13), 0.04), ((0.32, 0.02), 0.05)):
        pen.oval(spot, (radius, radius), 130)
    pen.stroke([(-0.16, 0.1), (0, 0.2), (0.16, 0.1)], [0.04, 0.06, 0.04], 30)


def _claw(pen: Pen, *, shoulder: Point, elbow: Point, palm: Point, size: float, side: int) -> None:
    x, y = palm
    pen.stroke([shoulder, elbow, palm], [0.12 + 0.05 * size, 0.16], 190)
    outline = [(0.02, 0.3), (0.26, 0.12), (0.28, -0.2), (0.02, -0.46), (-0.2, -0.4), (-0.26, 0.1)]
    pen.blob([(x + side * size * a, y + size * b) for a, b in outline], 250)
    notch = [(-0.02, -0.02), (0.02, -0.5), (-0.3, -0.55), (-0.14, -0.3)]
    pen.blob([(x + side * size * a, y + size * b) for a, b in notch], 0)
    glint = [(x + side * size * 0.16, y - size * 0.14), (x + side * size * 0.13, y + size * 0.08)]
    pen.stroke(glint, [0.05 * size], 150)


def seven(pen: Pen) -> None:
    """Draw a seven without a bar, as in print."""
    for width, inks in ((0.34, (150, 110)), (0.24, (255, 205))):
        pen.stroke([(-0.52, -0.5), (-0.52, -0.76)], [width * 0.7, width], inks[0])
        pen.stroke([(-0.52, -0.78), (0.5, -0.78)], [width, width], inks[0])
        stem = [(0.5, -0.78), (0.16, -0.2), (-0.08, 0.3), (-0.16, 0.84)]
        pen.stroke(stem, [width, width * 1.1], inks)


def seven_barred(pen: Pen) -> None:
    """Draw a seven with a bar, as in handwriting."""
    seven(pen)
    bar = [(-0.42, 0.16), (0.08, 0.08), (0.56, 0.1)]
    pen.stroke(bar, [0.34], 0)
    pen.stroke(bar, [0.24, 0.2], (170, 235))


def three(pen: Pen) -> None:
    """Draw a three with two bowls, the lower bowl larger."""
    upper = [(-0.46, -0.6), (-0.28, -0.8), (0.0, -0.86), (0.28, -0.76), (0.38, -0.5), (0.24, -0.22)]
    lower = [(0.04, -0.08), (0.34, 0.06), (0.48, 0.36), (0.36, 0.68), (0.04, 0.86), (-0.3, 0.8)]
    for width, inks in ((0.34, (150, 110)), (0.24, (255, 205))):
        pen.stroke([*upper, (-0.06, -0.1)], [width * 0.8, width, width * 0.9], inks[0])
        pen.stroke([*lower, (-0.54, 0.56)], [width * 0.9, width * 1.2, width * 0.8], inks)


def snail(pen: Pen) -> None:
    """Draw a snail with a spiral shell."""
    back = [(-1.05, 0.66), (-0.6, 0.42), (0.2, 0.4), (0.5, 0.2)]
    head = [(0.58, -0.1), (0.78, -0.26), (1.0, -0.1)]
    pen.blob([*back, *head, (0.98, 0.26), (0.78, 0.58), (0.4, 0.68), (-0.5, 0.7)], 205)
    for root, tip in (((0.7, -0.12), (0.62, -0.62)), ((0.88, -0.12), (0.98, -0.58))):
        pen.stroke([root, tip], [0.1, 0.06], 205)
        pen.oval(tip, (0.09, 0.09), 255)
    pen.stroke([(-0.86, 0.64), (0.3, 0.61), (0.74, 0.45)], [0.02, 0.08, 0.03], 130)
    pen.oval((0.83, -0.02), (0.075, 0.09), 0)
    pen.oval((0.855, -0.05), (0.028, 0.03), 255)
    pen.stroke([(0.76, 0.17), (0.85, 0.22), (0.95, 0.14)], [0.04], 30)
    pen.oval((-0.16, -0.06), (0.66, 0.64), 0)
    pen.oval((-0.16, -0.06), (0.6, 0.58), 245)
    winding: list[Point] = []
    for step in range(62):
        angle, reach = 2 * pi * step / 24 + 0.9, 0.6 * (1 - step / 66)
        winding.append((-0.16 + reach * cos(angle), -0.06 + reach * sin(angle)))
    pen.stroke(winding, [0.03, 0.18, 0.2, 0.17, 0.13, 0.09], (20, 10))


def seahorse(pen: Pen) -> None:
    """Draw a seahorse with a curled tail."""
    pen.blob([(-0.1, -0.2), (-0.52, -0.34), (-0.64, -0.04), (-0.52, 0.24), (-0.08, 0.3)], 120)
    for tip in ((-0.48, -0.24), (-0.54, -0.03), (-0.46, 0.17)):
        pen.stroke([(-0.1, 0.05), tip], [0.03, 0.05], 215)
    for tip in ((-0.32, -0.84), (-0.12, -1.0), (0.1, -0.98)):
        pen.stroke([(-0.06, -0.68), tip], [0.16, 0.06], 170)
    body = [(-0.02, -0.66), (-0.18, -0.44), (0.02, -0.12), (0.1, 0.14), (-0.02, 0.46)]
    tail = [(-0.16, 0.72), (-0.06, 0.96), (0.16, 1.0), (0.32, 0.86), (0.26, 0.68), (0.1, 0.7)]
    swell = [0.34, 0.32, 0.46, 0.5, 0.38, 0.24, 0.17, 0.15, 0.13, 0.11, 0.09, 0.07]
    pen.stroke([*body, *tail, (0.12, 0.82)], swell, 215)
    pen.oval((0.0, -0.68), (0.26, 0.21), 240, turn=14)
    pen.stroke([(0.1, -0.64), (0.4, -0.52), (0.58, -0.48)], [0.22, 0.12, 0.16], 240)
    pen.oval((0.07, -0.71), (0.095, 0.095), 0)
    pen.oval((0.1, -0.745), (0.035, 0.035), 255)
    for x, y in ((0.16, -0.22), (0.28, -0.04), (0.31, 0.15), (0.24, 0.33)):
        pen.stroke([(x, y), (x - 0.19, y + 0.07)], [0.075, 0.03], 70)
    for x, y, reach in ((0.12, 0.5, 0.14), (0.0, 0.65, 0.12), (-0.05, 0.8, 0.1)):
        pen.stroke([(x, y), (x - reach, y + 0.03)], [0.065, 0.03], 70)


def fish(pen: Pen) -> None:
    """Draw a striped fish."""
    tail = [(0.5, 0.0), (0.94, -0.46), (1.03, -0.36), (0.86, 0.04), (1.0, 0.44), (0.92, 0.54)]
    pen.blob(tail, 150)
    pen.blob([(-0.34, -0.34), (-0.16, -0.72), (0.36, -0.7), (0.44, -0.2)], 150)
    pen.blob([(-0.1, 0.36), (0.12, 0.72), (0.34, 0.56), (0.26, 0.26)], 150)
    for root, tip in (((-0.06, -0.4), (0.0, -0.64)), ((0.12, -0.36), (0.22, -0.62))):
        pen.stroke([root, tip], [0.05, 0.03], 220)
    for tip in ((0.88, -0.32), (0.78, 0.04), (0.86, 0.36)):
        pen.stroke([(0.6, 0.02), tip], [0.04, 0.03], 220)
    side = [(-0.98, 0.08), (-0.74, -0.26), (-0.2, -0.48), (0.3, -0.34), (0.7, -0.06)]
    pen.blob([*side, (0.7, 0.1), (0.3, 0.36), (-0.2, 0.52), (-0.72, 0.36)], 235)
    for x, half in ((-0.26, 0.43), (0.08, 0.35), (0.4, 0.19)):
        pen.stroke([(x, -half), (x + 0.1, 0.02), (x, half)], [0.08, 0.14, 0.08], 50)
    pen.oval((-0.62, -0.06), (0.13, 0.13), 255)
    pen.oval((-0.64, -0.05), (0.08, 0.09), 0)
    pen.oval((-0.62, -0.08), (0.03, 0.03), 255)
    pen.stroke([(-0.9, 0.17), (-0.78, 0.24), (-0.66, 0.19)], [0.045], 30)


def key(pen: Pen) -> None:
    """Draw an old door key."""
    pen.oval((-0.62, 0.0), (0.42, 0.42), 160)
    pen.oval((-0.62, 0.0), (0.34, 0.34), 245)
    pen.oval((-0.62, 0.0), (0.18, 0.18), 0)
    pen.stroke([(-0.24, 0.0), (0.92, 0.0)], [0.19, 0.17], (250, 190))
    pen.stroke([(-0.14, -0.16), (-0.14, 0.16)], [0.11], 170)
    teeth = [(0.44, 0.44), (0.6, 0.44), (0.6, 0.24), (0.74, 0.24), (0.74, 0.36), (0.96, 0.36)]
    pen.polygon([(0.44, 0.0), *teeth, (0.96, 0.0)], 205)


def leaf(pen: Pen) -> None:
    """Draw a leaf with one shaded half."""
    tip, foot = (0.8, -0.8), (-0.54, 0.54)
    pen.stroke([(-0.92, 0.78), (-0.74, 0.7), foot], [0.08, 0.11], 190)
    pen.blob([foot, (-0.66, 0.06), (-0.42, -0.46), (0.14, -0.74), tip, (0.2, -0.2)], 245)
    pen.blob([foot, (-0.1, 0.1), tip, (0.76, -0.12), (0.46, 0.4), (-0.06, 0.64)], 130)
    for t in (0.16, 0.38, 0.6):
        x, y, reach = foot[0] + 1.34 * t, foot[1] - 1.34 * t, 0.42 - 0.3 * t
        pen.stroke([(x, y), (x - 0.04 - 0.1 * t, y - reach)], [0.06, 0.02], 120)
        pen.stroke([(x, y), (x + reach, y + 0.04 + 0.1 * t)], [0.06, 0.02], 225)
    pen.stroke([foot, (0.1, -0.06), (0.74, -0.74)], [0.09, 0.07, 0.02], 20)


def teapot(pen: Pen) -> None:
    """Draw a teapot with a dotted band."""
    handle = [(-0.4, -0.24), (-0.8, -0.32), (-0.98, -0.02), (-0.8, 0.34), (-0.44, 0.44)]
    pen.stroke(handle, [0.12, 0.15, 0.16, 0.13], 170)
    pen.stroke([(0.4, 0.3), (0.7, 0.12), (0.8, -0.2), (0.98, -0.38)], [0.44, 0.3, 0.2, 0.17], 170)
    pen.oval((1.03, -0.42), (0.08, 0.13), 60, turn=48)
    belly = [(-0.62, 0.12), (-0.44, -0.32), (0.02, -0.46), (0.48, -0.32), (0.66, 0.12)]
    pen.blob([*belly, (0.5, 0.54), (0.02, 0.66), (-0.46, 0.54)], 235)
    pen.oval((0.02, 0.66), (0.36, 0.07), 130)
    lid = [(-0.4, -0.38), (-0.24, -0.56), (0.02, -0.62), (0.28, -0.56), (0.44, -0.38)]
    pen.blob([*lid, (0.02, -0.32)], 180)
    pen.stroke([(-0.42, -0.36), (0.02, -0.3), (0.46, -0.36)], [0.055], 20)
    pen.oval((0.02, -0.71), (0.12, 0.11), 250)
    pen.stroke([(-0.52, 0.1), (0.02, 0.22), (0.56, 0.1)], [0.18], 80)
    for x, y in ((-0.4, 0.14), (-0.13, 0.2), (0.17, 0.2), (0.44, 0.14)):
        pen.oval((x, y), (0.055, 0.055), 255)


def umbrella(pen: Pen) -> None:
    """Draw an open umbrella with a curved handle."""
    pen.stroke([(0, -0.94), (0, -0.74)], [0.05, 0.12], 200)
    dome = [(cos(pi * t / 48), -sin(pi * t / 48)) for t in range(49)]
    for reach, ink in ((0.98, 130), (0.66, 205), (0.24, 255)):
        pen.polygon([(reach * x, 0.1 + 0.92 * y) for x, y in dome], ink)
    for middle, half in ((-0.81, 0.17), (-0.45, 0.21), (0, 0.24), (0.45, 0.21), (0.81, 0.17)):
        pen.oval((middle, 0.12), (half, 0.12), 0)
    crook = [(0, 0.0), (0, 0.62), (0.06, 0.84), (0.24, 0.9), (0.38, 0.78), (0.38, 0.6)]
    pen.stroke(crook, [0.09, 0.09, 0.12, 0.12], (130, 240))


DRAWINGS: dict[str, tuple[str, Callable[[Pen], None]]] = {
    "crab": ("Crab", crab),
    "seven": ("Seven", seven),
    "snail": ("Snail", snail),
    "seven-barred": ("Seven with a bar", seven_barred),
    "three": ("Three", three),
    "seahorse": ("Seahorse", seahorse),
    "fish": ("Fish", fish),
    "key": ("Key", key),
    "leaf": ("Leaf", leaf),
    "teapot": ("Teapot", teapot),
    "umbrella": ("Umbrella", umbrella),
}
