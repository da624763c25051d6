"""Networks that a viewer has trained on the page: they can be turned like those that ship."""

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


FIRST: Final = "alpha-f-p4"
PLAIN: Final = "z2"
UNTRAINED: Final = "alpha-rh-p4"
MIRRORS: Final = "alpha-f-p4m"
KEY: Final = "network"
MIRROR: Final = "mirror"
ORDER: Final = tuple(
    sorted(
        (name for name, entry in NETWORKS.items() if entry.family == "rot-mnist"),
        key=lambda name: (name not in SHIPPED, name != FIRST, name != MIRRORS),
    )
)
"""Networks for digits: trained ones first."""


@dataclass(frozen=True)
class Chosen:
    """A network with its place in the catalogue."""

    name: str
    entry: NetworkEntry
    network: Any
    record: NetworkRecord | None
    """How it was trained; None where it was not."""

    @property
    def title(self) -> str:
        """With its letters below the line as α_F, which the component writes there."""
        return _title(self.name)


def network(name: str) -> Chosen:
    """The network of this name: trained by the viewer, as it ships, or with random weights."""
    if MARK not in name:
        return _of_catalogue(name)
    found, record = find_trained(name)
    return Chosen(name, _entry(name), found, record)


@st.cache_resource(max_entries=16, show_spinner=False)
def _of_catalogue(name: str) -> Chosen:
    if name in SHIPPED:
        trained = load_shipped(name)
        return Chosen(name, NETWORKS[name], trained.network, trained.record)
    return Chosen(name, NETWORKS[name], make_untrained(name), None)


def orbit(name: str, picture: Picture, *, mirrored: bool) -> Orbit:
    """All that the network says of the picture while it turns once."""
    return _orbit(name, picture.digest, mirrored, picture)


@st.cache_resource(max_entries=16, show_spinner="Turning the picture")
def _orbit(name: str, digest: str, mirrored: bool, _picture: Picture) -> Orbit:
    chosen = network(name)
    return turn_once(chosen.network, chosen.entry.group, _picture.v, mirrored=mirrored)


def pick_network() -> str:
    """The network in the first row: those trained here, then those that ship, then the others."""
    names = [name for name in (*trained_here(), *ORDER) if _entry(name).name != PLAIN]
    asked = st.query_params.get(KEY)
    if asked is not None and asked not in names:
        note_unused(KEY, asked, f"a network such as {PLAIN}", f"{title(FIRST)} is used")
    if st.session_state.get(KEY) not in names:  # also where its run has been forgotten
        st.session_state[KEY] = asked if asked in names else FIRST
    answer = st.selectbox(
        "Network",
        names,
        format_func=title,
        key=KEY,
        on_change=_told,
        help="In the first row; a Z²-CNN stands in the second. Untrained ones have random "
        "weights: equivariance needs no training. p4 knows quarter turns, p4m mirrors as well",
    )
    return str(answer)


def pick_mirror() -> bool:
    """Whether the picture is mirrored before it is turned."""
    return st.toggle(
        "Mirror the picture",
        key=MIRROR,
        help="Left and right change places, and then the picture turns. Turned back and mirrored "
        "back, the maps of p4m are the same as before; those of p4 are others",
        bind="query-params",
    )


def pick_networks(name: str) -> list[str]:
    """Those that are compared: the trained ones and the one that was chosen, unless told."""
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
        help="Each has a line of its own; untrained ones have random weights",
    )
    return [one for one in names if one in answer] or first


def plain_beside(name: str) -> str:
    """The Z² network of the second row: the one of the same run, if there is one."""
    _, mark, run = name.partition(MARK)
    beside = f"{PLAIN}{mark}{run}"
    return beside if mark and beside in trained_here() else PLAIN


def take(name: str, *, mirrored: bool = False) -> None:
    """Show this network in the first row."""
    st.session_state[KEY] = st.query_params[KEY] = name
    st.session_state[MIRROR] = mirrored


def take_untrained() -> None:
    """Show random weights in the first row; where they stand there, trained ones again."""
    take(FIRST if st.session_state.get(KEY) == UNTRAINED else UNTRAINED)


def describe(names: Sequence[str]) -> str:
    """How the networks came by their weights."""
    records = {name: network(name).record for name in names}
    known = [record for record in records.values() if record]
    told = [_errors(name, record) for name, record in records.items()]
    return " ".join([*told, *dict.fromkeys(f"{record.data}." for record in known)])


def title(name: str) -> str:
    """What the network is called, with whether it was trained: for lists, which hold plain text."""
    return flat(_title(name))


def flat(words: str) -> str:
    """The words without the sign for letters below the line, which plain text cannot write."""
    return words.replace("_", "")


def _title(name: str) -> str:
    found = _entry(name).title
    if MARK in name:
        return f"{found}, trained here"
    return found if name in SHIPPED else f"{found}, untrained"


def _compared(one: str, name: str, run: str) -> bool:
    return one == name or (one.endswith(f"{MARK}{run}") if run else one in SHIPPED)


def _errors(name: str, record: NetworkRecord | None) -> str:
    if record is None:
        return f"{title(name)}: random weights."
    after = f"after {record.iterations:,} iterations."
    if math.isnan(record.test_error):
        return (
            f"{title(name)}: {100 * record.validation_error:.1f} % of the validation digits "
            f"wrong {after}"
        )
    return f"{title(name)}: {100 * record.test_error:.1f} % of the test digits wrong {after}"


def _entry(name: str) -> NetworkEntry:
    return NETWORKS[name.partition(MARK)[0]]


def _told() -> None:
    """The address holds the catalogue's name, not the title that the list shows."""
    st.query_params[KEY] = st.session_state[KEY]
