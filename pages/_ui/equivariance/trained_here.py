"""Networks that a viewer has trained on the page: they can be turned like those that ship."""

from typing import Any, Final

from ia_engine.equivariant.checkpoint import NetworkRecord
from ia_engine.equivariant.race import Race, record
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.races import RACES
from pages._ui.runs.current import own_runs

MARK: Final = "@"
"""Between a network's name in the catalogue and the run that it was trained in."""


def trained_here() -> list[str]:
    """The networks of the viewer's last run that has ended, by name."""
    ended = [job for job in _runs() if job.finished and job.history]
    if not ended:
        return []
    return [f"{name}{MARK}{ended[-1].id}" for name in ended[-1].history[-1].networks]


def find_trained(name: str) -> tuple[Any, NetworkRecord]:
    """The network with its weights, and how it was trained."""
    base, _, run = name.partition(MARK)
    race = next(job for job in _runs() if job.id == run).history[-1]
    return race.networks[base], record(race, base)


def _runs() -> list[Job[Race]]:
    return [job for job in own_runs() if job.kind == RACES.id]
