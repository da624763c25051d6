"""When modules are switched on and the rate drops (4.2): at shares of the run, or when settled."""

from dataclasses import dataclass, replace
from typing import Final

from ia_engine.clustering.config import ClusterConfig

SETTLED: Final = 0.005
"""The loss has settled when a period lowers the least one so far by a smaller share."""
PATIENCE: Final = 2
"""So many such periods in a row."""


@dataclass(frozen=True)
class Pace:
    """How far the curriculum is."""

    stage: int = 0
    """So many modules are on."""
    cooling: bool = False
    """The learning rate has been divided by 10."""
    least: float = float("inf")
    """The least mean loss of a period in this stage."""
    stalled: int = 0


def begin(config: ClusterConfig) -> Pace:
    return Pace(len(config.modules) if config.curriculum == "off" else 0)


def advance(pace: Pace, config: ClusterConfig, share: float) -> Pace:
    """The pace at this share of the run: what is due by now is switched on."""
    starts = config.starts()
    due = sum(share >= start for start in starts[:-1])
    stage = max(pace.stage, due)
    cooling = pace.cooling or share >= starts[-1]
    if stage == pace.stage:
        return replace(pace, cooling=cooling)
    return Pace(stage, cooling)


def settle(pace: Pace, config: ClusterConfig, loss: float) -> Pace:
    """The pace after a period of this mean loss; by convergence the next module may begin."""
    if config.curriculum != "convergence" or pace.cooling:
        return pace
    better = loss < pace.least - SETTLED * abs(pace.least) or pace.least == float("inf")
    stalled = 0 if better else pace.stalled + 1
    if stalled < PATIENCE:
        return replace(pace, least=min(pace.least, loss), stalled=stalled)
    if pace.stage < len(config.modules):
        return Pace(pace.stage + 1)
    return replace(pace, cooling=True)
