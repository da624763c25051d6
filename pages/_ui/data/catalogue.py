"""Ready-made data sets: the list, their settings, saved recipes, and published sets to download."""

from dataclasses import replace
from typing import Final

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from ia_engine.datasets.generated import GeneratedConfig
from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import NAMED, Fetched
from ia_engine.datasets.recipes import DATASETS, RECIPES, load_recipe
from ia_engine.errors import EngineError
from ia_engine.params import parameters
from ia_engine.runs.catalogue import FETCH
from ia_engine.runs.job import Job
from pages._ui.data.controls import edit_config
from pages._ui.panels import escape, explain
from pages._ui.runs.current import shown_run
from pages._ui.runs.start import start
from pages._ui.runs.watch import Status, watch
from pages._ui.state.data import DataState, data_state
from pages._ui.state.dataset import choose_data, read_recipe, requested_recipe, source_of
from pages._ui.state.fields import read_value

CATALOGUE: Final = [name for name in RECIPES if name != "generated"]
NEEDED_SETS: Final = {
    name: entry.default.set for name, entry in DATASETS.items() if hasattr(entry.default, "set")
}
"""The published set from which a data set in the catalogue is read."""
RECIPE_FILE: Final = "recipe file"
MAX_RECIPE_BYTES: Final = 100_000


def absent(source: str) -> str:
    """Return the published set that a source needs and this machine lacks, or "" if none."""
    needed = NEEDED_SETS.get(source, "")
    return needed if needed and not is_here(NAMED[needed]) else ""


def choose_ready_made() -> None:
    """Draw the catalogue, the settings of the selected set and an uploader for a saved recipe."""
    source = source_of(requested_recipe())
    data_state.ready_made = source if source in CATALOGUE else None
    st.radio(
        "Ready-made sets",
        CATALOGUE,
        captions=[_describe(name) for name in CATALOGUE],
        key=DataState.ready_made.key,
        on_change=lambda: choose_data(data_state.ready_made or ""),
        width="stretch",
    )
    if source in CATALOGUE and not absent(source):
        _edit_settings(source)
    _open_recipe()


def _describe(name: str) -> str:
    about = escape(DATASETS[name].about)
    return f"{about} · *not on this machine*" if absent(name) else about


def _edit_settings(source: str) -> None:
    """Draw the settings of the selected set, except the name of the published set."""
    try:
        recipe = (
            RECIPES[source] if requested_recipe() == source else load_recipe(requested_recipe())
        )
    except EngineError:  # explained where the data would be shown
        return
    if isinstance(recipe.config, GeneratedConfig):
        st.caption("Switch to **Generate** to change it.")
        return
    drawn, stamp = data_state.settings
    stamp += drawn != requested_recipe()
    names = [p.name for p in parameters(type(recipe.config)) if p.name != "set"]
    with st.expander("Data set settings", icon=":material/tune:", expanded=source == "blobs"):
        config = edit_config(recipe.config, f"{source} {stamp}", names)
    if config != recipe.config:
        choose_data(replace(recipe, config=config).to_json())
    data_state.settings = (requested_recipe(), stamp)


def _open_recipe() -> None:
    """Draw an uploader for a saved recipe, which recreates the same data."""
    with st.expander("Open a saved recipe", icon=":material/folder_open:"):
        st.file_uploader("Recipe (JSON)", type=["json"], key=RECIPE_FILE, on_change=_choose_recipe)
        try:
            _read_recipe()
        except EngineError as error:
            explain(error)


def _choose_recipe() -> None:
    try:
        recipe = _read_recipe()
    except EngineError:  # explained below the file
        return
    if recipe:
        choose_data(recipe)


def _read_recipe() -> str:
    file: UploadedFile | None = read_value(RECIPE_FILE, None)
    if file is None:
        return ""
    if file.size > MAX_RECIPE_BYTES:
        raise EngineError(
            f"a recipe must be at most {MAX_RECIPE_BYTES:,} bytes long; got {file.size:,}"
        )
    return read_recipe(file.getvalue().decode("utf-8", "replace"))


def offer_download(name: str) -> None:
    """Draw a button that downloads a published set; nothing is downloaded until it is pressed."""
    named = NAMED[name]
    files = dict.fromkeys(file for split in named.splits for file in split.files)
    title = f"Fetch {named.title}"
    st.subheader(f"{escape(named.title)} is not on this machine")
    st.markdown(
        f"It can be downloaded from {escape(named.host)}: {len(files)} "
        f"file{'s' * (len(files) != 1)}, which will be stored on this machine and checked "
        f"({escape(named.verified)}). Nothing is downloaded until you press the button."
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
        watch(job, _show_progress, Status("step"))
    archives = [split.npz for split in named.splits if split.npz]
    st.caption(
        f"If you are offline, put {escape(' or '.join(archives))} into the folder that the "
        "environment variable IA_DATA specifies, and reload the page."
    )


def _show_progress(job: Job[Fetched]) -> None:
    item = job.history[-1]
    of = f" of {item.total / 1e6:.1f}" if item.total else ""
    st.caption(f"{escape(item.file)}: {item.done / 1e6:.1f}{of} MB")
