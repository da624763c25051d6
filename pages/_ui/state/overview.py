"""The state of the Overview: the means of the example for other values of β."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ia_engine.runs.attend import Iteration
from ia_engine.runs.job import Job
from pages._ui.state.fields import InSession

Betas = Mapping[str, float]
"""β by method."""


@dataclass(frozen=True, eq=False)
class Means:
    """The job that computes the means of the example for these values of β."""

    job: Job[Iteration]
    betas: Betas


class OverviewState:
    """State of the Overview."""

    shown: InSession[Means | None] = InSession("means of the Overview that are shown", None)
    """The means in the player; None while it shows the precomputed example."""
    pending: InSession[Means | None] = InSession(
        "means of the Overview that are being computed", None
    )
    """The means that will replace those in the player."""
    replaced = InSession("run of the Overview that was replaced last", "")
    """The run whose step the player keeps when it shows new means, "" before the first change."""

    def show(self, means: Means | None, example: str) -> None:
        """Replace the means in the player; if they are None, the precomputed example is shown."""
        self.replaced = self.shown.job.id if self.shown else example
        self.shown = means


overview_state: Final = OverviewState()
