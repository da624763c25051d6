"""The networks of the page: included with the app, untrained, or trained on the page."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from ia_engine.equivariant.checkpoint import SHIPPED, NetworkRecord, load_shipped
from ia_engine.equivariant.networks import NETWORKS, NetworkEntry, make_untrained
from ia_engine.equivariant.orbit import Orbit, turn_once
from ia_engine.equivariant.race import Race, record
from ia_engine.runs.job import Job
from ia_engine.runs.kinds.races import RACES
from pages._ui.equivariance.picture import Picture
from pages._ui.panels import note_unused
from pages._ui.runs.current import own_runs
from pages._ui.state.equivariance import EquivarianceState, equivariance_state

MARK: Final = "@"
"""Separator between a network's name in the catalogue and the run that trained it."""
FIRST: Final = "alpha-f-p4"
PLAIN: Final = "z2"
UNTRAINED: Final = "alpha-rh-p4"
MIRRORS: Final = "alpha-f-p4m"
ORDER: Final = tuple(
    sorted(
        (name for name, entry in NETWORKS.items() if entry.family == "rot-mnist"),
        key=lambda name: (name not in SHIPPED, name != FIRST, name != MIRRORS),
    )
)
"""Networks for digits, trained networks first."""


@dataclass(frozen=True)
class LoadedNetwork:
    """A network with its entry in the catalogue."""

    name: str
    entry: NetworkEntry
    network: Any
    record: NetworkRecord | None
    """The record of its training; None if it was not trained."""

    @property
    def title(self) -> str:
        """The title, with subscripts as in α_F, which the component displays as such."""
        return _title(self.name)


def network(name: str) -> LoadedNetwork:
    """Return the network with this name: included, untrained, or trained by the viewer."""
    if MARK not in name:
        return _of_catalogue(name)
    base, _, run = name.partition(MARK)
    race = next(job for job in _runs() if job.id == run).history[-1]
    return LoadedNetwork(name, _entry(name), race.networks[base], record(race, base))


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_catalogue(name: str) -> LoadedNetwork:
    if name in SHIPPED:
        trained = load_shipped(name)
        return LoadedNetwork(name, NETWORKS[name], trained.network, trained.record)
    return LoadedNetwork(name, NETWORKS[name], make_untrained(name), None)


def orbit(name: str, picture: Picture, *, mirrored: bool) -> Orbit:
    """Return the maps and answers of the networks at all angles of the picture."""
    return _orbit(name, picture.digest, mirrored, picture)


@st.cache_resource(max_entries=16, show_spinner="Rotating the picture")
def _orbit(name: str, digest: str, mirrored: bool, _picture: Picture) -> Orbit:
    chosen = network(name)
    return turn_once(chosen.network, chosen.entry.group, _picture.v, mirrored=mirrored)


def pick_network() -> str:
    """Ask for a network: trained by the viewer, included or untrained, in this order."""
    names = [name for name in (*trained_here(), *ORDER) if _entry(name).name != PLAIN]
    asked = equivariance_state.network_parameter
    if asked is not None and asked not in names:
        note_unused("network", asked, f"a network such as {MIRRORS}", f"{title(FIRST)} is used")
    if equivariance_state.network not in names:  # also if its run has been deleted
        equivariance_state.network = asked if asked in names else FIRST
    answer = st.selectbox(
        "Network",
        names,
        format_func=title,
        key=EquivarianceState.network.key,
        on_change=_publish_network,
        help="Shown in the first row; a Z²-CNN is in the second. Untrained networks have random "
        "weights, since equivariance needs no training. p4 has rotations by 90°, and p4m also has "
        "reflections",
    )
    return str(answer)


def pick_mirror() -> bool:
    """True if the picture is mirrored before it is rotated."""
    return st.toggle(
        "Mirror the picture",
        key=EquivarianceState.mirrored.key,
        help="Swaps left and right before the rotation. When both are undone, the maps of p4m are "
        "the same as before, while the maps of p4 differ",
        bind="query-params",
    )


def pick_networks(name: str) -> list[str]:
    """Ask for the networks to compare: initially the trained networks and the chosen network."""
    names = [*trained_here(), *ORDER]
    run = name.partition(MARK)[2]
    first = [one for one in names if _compared(one, name, run)]
    answer = st.pills(
        "Networks",
        names,
        selection_mode="multi",
        default=first,
        format_func=title,
        key=f"networks beside {name} of {len(names)}",
        help="Each network has its own line. Untrained networks have random weights",
    )
    return [one for one in names if one in answer] or first


def trained_here() -> list[str]:
    """Return the names of the networks of the viewer's last finished run."""
    ended = [job for job in _runs() if job.finished and job.history]
    if not ended:
        return []
    return [f"{name}{MARK}{ended[-1].id}" for name in ended[-1].history[-1].networks]


def _runs() -> list[Job[Race]]:
    return [job for job in own_runs() if job.kind == RACES.id]


def plain_beside(name: str) -> str:
    """Return the Z² network for the second row: the one from the same run, if there is one."""
    _, mark, run = name.partition(MARK)
    beside = f"{PLAIN}{mark}{run}"
    return beside if mark and beside in trained_here() else PLAIN


def toggle_untrained() -> None:
    """Show an untrained network in the first row, or a trained network if it is already shown."""
    shown = equivariance_state.network
    equivariance_state.show_network(FIRST if shown == UNTRAINED else UNTRAINED)


def describe(names: Sequence[str]) -> str:
    """Describe how the networks were trained, and how often they are wrong."""
    records = {name: network(name).record for name in names}
    known = [record for record in records.values() if record]
    errors = [_describe_errors(name, record) for name, record in records.items()]
    return " ".join([*errors, *dict.fromkeys(f"{record.data}." for record in known)])


def title(name: str) -> str:
    """Return the name of the network as plain text, with a note on its training."""
    return flat(_title(name))


def flat(words: str) -> str:
    """Return the text without the sign for subscripts, which plain text does not have."""
    return words.replace("_", "")


def _title(name: str) -> str:
    found = _entry(name).title
    if MARK in name:
        return f"{found}, trained here"
    return found if name in SHIPPED else f"{found}, untrained"


def _compared(one: str, name: str, run: str) -> bool:
    return one == name or (one.endswith(f"{MARK}{run}") if run else one in SHIPPED)


def _describe_errors(name: str, record: NetworkRecord | None) -> str:
    if record is None:
        return f"{title(name)}: random weights."
    on, error = "test", record.test_error
    if math.isnan(error):
        on, error = "validation", record.validation_error
    return (
        f"{title(name)}: {100 * error:.1f} % of the {on} digits wrong after "
        f"{record.iterations:,} iterations."
    )


def _entry(name: str) -> NetworkEntry:
    return NETWORKS[name.partition(MARK)[0]]


def _publish_network() -> None:
    equivariance_state.network_parameter = equivariance_state.network
