"""Ready-made data sets: the catalogue, their sources, and published sets that are not here."""

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import Recipe
from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.published import NAMED, Fetched, available
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe
from ia_engine.errors import EngineError
from ia_engine.params import parameters
from ia_engine.runs.catalogue import FETCH
from ia_engine.runs.job import Job
from pages._ui.data.controls import ask
from pages._ui.panels import explain, plain
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch
from pages._ui.state.dataset import asked, choose, read_recipe, source_of

DRAWINGS: Final = "drawings made for this project (MIT)"
ICONS: Final = "icons of Noto Emoji (Apache-2.0)"
DIGITS: Final = (
    "the test set of UCI's Optical Recognition of Handwritten Digits, of which scikit-learn ships "
    "a copy (the licence of the data is not stated in that package)"
)
FASHION: Final = "garments of Fashion-MNIST (MIT, © 2017 Zalando SE)"
MNIST: Final = "MNIST (CC BY-SA 3.0)"
STATED: Final = {
    "fashion": "MIT, © 2017 Zalando SE",
    "mnist": "CC BY-SA 3.0",
    "svhn": "for non-commercial use only",
}
"""What is known of the licences of the named sets."""
SOURCES: Final = {"digits": DIGITS, "fashion": FASHION, "mnist": MNIST, "mnist-all": MNIST}


def origin(recipe: Recipe, *, lent: bool = False) -> str:
    """Whose images these are and what may be done with them, in one sentence.

    Files are lent where a run of somebody else brought them.
    """
    if recipe.source == "upload" and lent:
        return (
            "files of another user, which belong to a run that you opened: it keeps the images "
            "and their names on the app's machine, until its owner deletes it"
        )
    if recipe.source == "upload":
        return (
            "files of yours, held in the app's memory until your session ends; a run of them keeps "
            "the images and their names on the app's machine, until you delete it on the page Runs"
        )
    if recipe.source == "blobs":
        return "random numbers; free of any licence"
    config = json.loads(recipe.config.to_json())
    if "set" in config:
        return _published(config["set"])
    if "bases" in config:
        return "; ".join(dict.fromkeys(_families(config["bases"])))
    return SOURCES.get(config.get("source", "digits"), DIGITS)


def _published(name: str) -> str:
    licence = STATED.get(name, "licence not known here: see there")
    return f"{NAMED[name].title}, {NAMED[name].host} ({licence})"


def _families(bases: Iterable[str]) -> Iterable[str]:
    for base in bases:
        if base in BASES:
            yield ICONS if BASES[base].family == "icons" else DRAWINGS
        else:
            yield SOURCES[base.split(":")[0]]


AWAY: Final = ("to fetch", "missing")
NEEDS: Final = {
    name: entry.default.set for name, entry in DATASETS.items() if hasattr(entry.default, "set")
}
"""The published set that a name of the catalogue reads."""


def absent_sets() -> frozenset[str]:
    """The published sets of which nothing is here."""
    return frozenset(NAMED) - {row.set.name for row in available() if row.place not in AWAY}


def absent(source: str) -> str:
    """The published set that a source needs and that is not here, if there is one."""
    needed = NEEDS.get(source, "")
    return needed if needed in absent_sets() else ""


def offer(name: str) -> None:
    """A button that fetches; nothing is fetched unless it is pressed."""
    named = NAMED[name]
    splits = [row.split for row in available() if row.set.name == name]
    files = dict.fromkeys(file for split in splits for file in split.files)
    title = f"Fetch {named.title}"
    st.subheader(f"{plain(named.title)} is not on this machine")
    st.markdown(
        f"It can be fetched from {plain(named.host)}: {len(files)} "
        f"file{'s' * (len(files) != 1)}, kept on this machine and checked "
        f"({plain(named.verified)}). Nothing is fetched unless you say so."
    )
    st.button(
        title,
        icon=":material/cloud_download:",
        key=f"fetch {name}",
        on_click=start,
        args=(FETCH, title, name),
    )
    job = shown_run(FETCH.id)
    if job is not None and job.title == title and job.state != "done":
        watch(job, _show, Status("step"))
    own = [split.npz for split in splits if split.npz]
    st.caption(
        f"Without a network, put {plain(' or '.join(own))} into the folder that the environment "
        "variable IA_DATA names, and reload the page."
    )


def _show(job: Job[Fetched]) -> None:
    item = job.history[-1]
    of = f" of {item.total / 1e6:.1f}" if item.total else ""
    st.caption(f"{plain(item.file)}: {item.done / 1e6:.1f}{of} MB")


CATALOGUE: Final = [name for name in RECIPES if name != "generated"]
READY: Final = "ready"
SETTINGS: Final = "settings of ready-made sets"
FILE: Final = "recipe file"
MOST_RECIPE: Final = 100_000
"""Bytes of a recipe's file."""


def choose_ready() -> None:
    """The catalogue as a list; below it what the chosen one can be told, and a saved recipe."""
    source, away = source_of(asked()), absent_sets()
    st.session_state[READY] = source if source in CATALOGUE else None
    st.radio(
        "Ready-made sets",
        CATALOGUE,
        captions=[_caption(name, away) for name in CATALOGUE],
        key=READY,
        on_change=lambda: choose(st.session_state[READY]),
        width="stretch",
    )
    if source in CATALOGUE and not absent(source):
        _settings(source)
    _open_recipe()


def _caption(name: str, away: frozenset[str]) -> str:
    about = plain(DATASETS[name].about)
    return f"{about} · *not here yet*" if NEEDS.get(name) in away else about


def _settings(source: str) -> None:
    """What the config of the chosen set can be told, except which published set it is."""
    try:
        recipe = RECIPES[source] if asked() == source else load_recipe(asked())
    except EngineError:  # said where the data would be shown
        return
    if isinstance(recipe.config, GeneratedConfig):
        st.caption("Switch to **Generate** to change it.")
        return
    seen, stamp = st.session_state.get(SETTINGS, ("", 0))
    stamp += seen != asked()
    names = [p.name for p in parameters(type(recipe.config)) if p.name != "set"]
    with st.expander("Settings of this set", icon=":material/tune:", expanded=source == "blobs"):
        config = ask(recipe.config, f"{source} {stamp}", names)
    if config != recipe.config:
        choose(replace(recipe, config=config).to_json())
    st.session_state[SETTINGS] = (asked(), stamp)


def _open_recipe() -> None:
    """A recipe that was saved, dropped here, makes the same data again."""
    with st.expander("Open a saved recipe", icon=":material/folder_open:"):
        st.file_uploader("Recipe (JSON)", type=["json"], key=FILE, on_change=_take_recipe)
        try:
            _read_recipe()
        except EngineError as error:
            explain(error)


def _take_recipe() -> None:
    try:
        recipe = _read_recipe()
    except EngineError:  # said below the file
        return
    if recipe:
        choose(recipe)


def _read_recipe() -> str:
    file = st.session_state[FILE]
    if file is None:
        return ""
    if file.size > MOST_RECIPE:
        raise EngineError(f"a recipe has at most {MOST_RECIPE:,} bytes; got {file.size:,}")
    return read_recipe(file.getvalue().decode("utf-8", "replace"))
