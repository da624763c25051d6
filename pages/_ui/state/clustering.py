"""The state of Clustering: the run that its views show, and the prototype that is selected."""

from dataclasses import dataclass

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.runs.clustering.result import Result
from ia_engine.runs.clustering.run import Look
from ia_engine.runs.job import Job


@dataclass(frozen=True, eq=False)
class Seen:
    """A run that stands still, and what can be read in it."""

    job: Job[Look]
    data: ImageSet
    state: State
    result: Result
    chosen: int
    """The prototype that is looked at."""

    @property
    def key(self) -> str:
        return f"{self.job.id} {self.state.iteration}"
