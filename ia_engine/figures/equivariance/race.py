"""The errors of networks that learn side by side, as curves."""

from collections.abc import Iterator, Mapping

from ia_engine.equivariant.networks import NETWORKS
from ia_engine.equivariant.race import Measured, Race
from ia_engine.figures.equivariance.colours import INKS, ink
from ia_engine.figures.svg import QUIET, draw, line, path, write

WIDTH, HEIGHT = 820, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 34, 46


def draw_race(race: Race) -> str:
    """The validation error against the iterations, and at the end the test error."""
    top = max([0.2, *(point.error for lane in race.lanes.values() for point in lane)])
    parts = [*_axes(race.config.iterations, top)]
    ends = _apart({name: _y(lane[-1].error, top) for name, lane in race.lanes.items() if lane})
    for k, (name, lane) in enumerate(race.lanes.items()):
        if not lane:
            continue
        points = [(_x(p.iteration, race.config.iterations), _y(p.error, top)) for p in lane]
        parts.append(path(points, f'{ink(k)} stroke-width="3"'))
        x, y = points[-1]
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" fill="{INKS[k]}"/>')
        parts += _words(name, lane[-1], ends[name], k)
    about = ", ".join(
        f"{_name(name)} {100 * lane[-1].error:.1f} % after {lane[-1].iteration} iterations"
        for name, lane in race.lanes.items()
        if lane
    )
    return draw(WIDTH, HEIGHT, f"Validation errors: {about}", parts)


def _x(iteration: int, last: int) -> float:
    return LEFT + iteration / last * (WIDTH - LEFT - RIGHT)


def _y(error: float, top: float) -> float:
    return TOP + (1 - error / top) * (HEIGHT - TOP - BOTTOM)


def _axes(last: int, top: float) -> Iterator[str]:
    bottom = HEIGHT - BOTTOM
    step = 0.05 if top <= 0.3 else 0.2
    for k in range(int(top / step + 1e-6) + 1):
        y = _y(k * step, top)
        yield line((LEFT, y), (WIDTH - RIGHT, y), QUIET)
        yield write(LEFT - 8, y + 5, f"{100 * k * step:.0f} %", "end")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        yield write(_x(round(share * last), last), bottom + 20, f"{round(share * last)}", "middle")
    yield write((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "iterations", "middle")
    yield write(4, 16, "validation error", more='font-weight="650"')


def _words(name: str, point: Measured, y: float, k: int) -> Iterator[str]:
    x = WIDTH - RIGHT + 14
    yield line((x, y), (x + 26, y), f'{ink(k)} stroke-width="4"')
    error = f"{_name(name)}: {100 * point.error:.1f} %"
    yield write(x + 34, y + 5, error, more='font-weight="650"')
    if point.test is not None:
        yield write(x + 34, y + 23, f"test {100 * point.test:.1f} %")


def _apart(wanted: Mapping[str, float]) -> dict[str, float]:
    """Words beside the ends of the lines, one below the other where the ends are close."""
    found: dict[str, float] = {}
    floor = 0.0
    for name, y in sorted(wanted.items(), key=lambda item: item[1]):
        floor = found[name] = max(y, floor)
        floor += 44
    over = max(0.0, max(found.values(), default=0.0) - (HEIGHT - BOTTOM))
    return {name: y - over for name, y in found.items()}


def _name(lane: str) -> str:
    """Plain text has no letters below the line."""
    return NETWORKS[lane].title.replace("_", "")
