"""Exports of networks: curves and predictions as tables and pictures, and a script that repeats a
race."""

from collections.abc import Mapping
from typing import Final

from ia_engine.equivariant.orbit import Orbit
from ia_engine.equivariant.race import Race
from ia_engine.figures.formats import Axis, Cell, draw_lines, write_csv, write_script

SCRIPT: Final = """from ia_engine.equivariant.race import RaceConfig, run_race

CONFIG = {config!r}

for race in run_race(RaceConfig.from_json(CONFIG)):
    for name, curve in race.curves.items():
        if curve:
            print(name, curve[-1].iteration, curve[-1].error, curve[-1].test)
"""


def write_race(race: Race) -> bytes:
    """Return a CSV table with one row per network and measurement. Only the last measurement has a
    test error."""
    rows: list[dict[str, Cell]] = [
        {
            "network": name,
            "iteration": point.iteration,
            "CPU seconds": point.seconds,
            "loss": point.loss,
            "validation error": point.error,
            "test error": point.test,
        }
        for name, curve in race.curves.items()
        for point in curve
    ]
    return write_csv(rows)


def draw_race_file(race: Race) -> bytes:
    """Draw the validation errors against the iterations, as PNG."""
    curves = {name: [(p.iteration, p.error) for p in curve] for name, curve in race.curves.items()}
    top = max([0.2, *(y for curve in curves.values() for _, y in curve)])
    across = Axis("iterations", 0, race.config.iterations)
    return draw_lines(curves, across, Axis("validation error", 0, top))


def write_race_python(title: str, race: Race) -> bytes:
    """Return a script that trains the networks again and prints their errors."""
    return write_script(title, SCRIPT.format(config=race.config.to_json()))


def write_answers(orbits: Mapping[str, Orbit]) -> bytes:
    """Return a CSV table with the probability of each class, in one row per network and angle."""
    rows: list[dict[str, Cell]] = [
        {
            "network": name,
            "rotation [deg]": 360 * at / len(orbit.probabilities),
            **{f"p({label})": float(p) for label, p in enumerate(answer.tolist())},
        }
        for name, orbit in orbits.items()
        for at, answer in enumerate(orbit.probabilities)
    ]
    return write_csv(rows)


def draw_answers_file(orbits: Mapping[str, Orbit], label: int) -> bytes:
    """Draw the probability of a class against the rotation, as PNG."""
    lines = {
        name: [(360 * at / len(own), p) for at, p in enumerate(own)]
        for name, own in (
            (name, orbit.probabilities[:, label].tolist()) for name, orbit in orbits.items()
        )
    }
    across = Axis("rotation of the picture, anticlockwise [°]", 0, 360)
    return draw_lines(lines, across, Axis(f"probability of {label}", 0, 1))
