"""Links from entries to the pages where their set-ups can be opened and changed."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.params import Config, parameters
from ia_engine.runs.papers.invariant import DESCENT
from ia_engine.runs.papers.invariant_iterations import UNFINISHED
from pages._ui.state.dataset import ADDRESS
from pages._ui.wording import number


@dataclass(frozen=True)
class Setup:
    """A page, its data and the settings that differ from the defaults."""

    page: str
    data: str
    settings: Mapping[str, float | str]

    @property
    def address(self) -> dict[str, str]:
        """Return the parameters of the page's address."""
        values = {
            name: value if isinstance(value, str) else number(value)
            for name, value in self.settings.items()
        }
        return {ADDRESS: self.data, **values}


def _find_changes(config: Config) -> dict[str, float | str]:
    """Return the settings in which a config differs from the defaults."""
    return {
        parameter.name: value
        for parameter in parameters(type(config))
        if (value := getattr(config, parameter.name)) != parameter.default
    }


SETUPS: Final = {
    "ia-figure-2": Setup("iterations", "blobs", {"points_kernel_beta": 2.0, "steps": 4}),
    "ia-figure-3": Setup("iterations", "experiment-1", _find_changes(AttentionConfig(steps=1))),
    "ia-figure-4": Setup("iterations", "experiment-1", _find_changes(UNFINISHED)),
    "ia-figure-5": Setup("mean", "experiment-2", _find_changes(DESCENT)),
    "dti-figure-2a": Setup("clustering", "mnist-1k", {"model": "dti-gmm"}),
}
"""Set-ups by entry. On the pages, the data have the seed of the recipe."""
