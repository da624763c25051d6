"""The state of Clustering: settings, modules, photographs and the run in its views."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from ia_engine.clustering.config import MODULE_NAMES, ClusterConfig
from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads import UploadResult
from ia_engine.runs.clustering.result import Result
from ia_engine.runs.clustering.run import Snapshot
from ia_engine.runs.job import Job
from pages._ui.panels import note_unused
from pages._ui.state.fields import (
    InAddress,
    InSession,
    has_value,
    read_value,
    set_value,
)


@dataclass(frozen=True, eq=False)
class RunView:
    """A run that is not computing, its images, and the prototype shown in its views."""

    job: Job[Snapshot]
    data: ImageSet
    state: State
    result: Result
    prototype: int
    """Index of the prototype, from 0."""

    @property
    def key(self) -> str:
        """A cache key, different for every run and iteration."""
        return f"{self.job.id} {self.state.iteration}"


@dataclass(frozen=True, eq=False)
class Photographs:
    """The user's files: readable files, unreadable files and the images.

    There is no result while files are being read, or if the user has cancelled reading.
    """

    ids: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    result: UploadResult | None = None


class ClusteringState:
    """State of the Clustering page other than the values of its controls."""

    settings = InSession[ClusterConfig | None]("settings of the Clustering page", None)
    """The current settings, used if a run continues after the user has edited it."""
    defaults_for = InSession("data for which K was set", "")
    """The recipe of the data set for which K, batch size and initialisation were last set."""
    photographs = InSession("photographs that were read", Photographs())
    """The last photographs that the user chose."""
    view = InAddress("view")
    """The view below the animation, set by its control."""
    time_of_each = InAddress("each")
    """A URL parameter that opened a comparison of methods on this page; old links contain it."""

    def set_defaults(self, recipe: str, values: Mapping[str, object]) -> None:
        """Give the controls these values if the data set has changed since the last call."""
        if self.defaults_for not in ("", recipe):
            for name, value in values.items():
                if has_value(name):
                    set_value(name, value)
        self.defaults_for = recipe

    def read_modules(self, key: str, usual: Sequence[str]) -> Sequence[str]:
        """Return the modules in the control or the address; show a note if one is unknown."""
        named = st.query_params.get_all(key)
        known = [name for name in named if name in MODULE_NAMES] or usual
        unknown = [name for name in named if name not in MODULE_NAMES]
        if unknown and not has_value(key):
            legal = f"one or more of {', '.join(MODULE_NAMES)}"
            note_unused(key, unknown[0], legal, f"using {', '.join(known)}")
        return read_value(key, known)

    def drop_moved_view(self) -> bool:
        """Remove the parameter that opened the comparison of methods; True if it was present."""
        named = (self.view or "").lower().startswith("side")
        if named:
            self.view = None
        moved = named or self.time_of_each is not None
        self.time_of_each = None
        return moved


clustering_state = ClusteringState()
