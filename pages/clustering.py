"""DTI clustering, live: prototypes that learn the transformations onto their images."""

import math
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.clustering.config import MODELS
from ia_engine.datasets.data import ImageSet
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.result import MAX_SIDE
from ia_engine.runs.clustering.run import ClusterPlan, plan_clusters
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.clustering.controls import TRANSFORMED, ask_photographs, ask_settings
from pages._ui.clustering.view import show_page
from pages._ui.page import enter
from pages._ui.panels import explain, note, show_symbols
from pages._ui.runs.current import open_linked_run
from pages._ui.runs.start import start
from pages._ui.state.clustering import clustering_state
from pages._ui.state.dataset import (
    ADDRESS,
    choose_first,
    load_data,
    requested_recipe,
    select_data,
    short_title,
)
from pages._ui.state.selection import read_selection
from pages._ui.state.viewer import lessons_state
from pages._ui.wording import number

FIRST: Final = "digits"
# The largest rotation that prototypes can learn; the page warns of larger rotations.
MAX_ROTATION: Final = math.radians(90)
# The smallest and the largest number of images on Compare.
COMPARED: Final = (4, 1000)


def plan_run(data: ImageSet) -> ClusterPlan | None:
    """Return a run with the current settings, or explain why they are impossible."""
    config, effort = ask_settings(data)
    clustering_state.settings = config
    try:
        return plan_clusters(config, data, effort.seed, effort.budget)
    except EngineError as error:
        explain(error)
        return None


def show_run_button(planned: ClusterPlan | None, data: ImageSet) -> None:
    """Draw the Run button, disabled for impossible settings; a lesson starts the run itself."""
    button = partial(run_column.button, "Run", icon=":material/play_arrow:", width="stretch")
    if planned is None:
        button(disabled=True, help="These settings are impossible; see the message below")
        return
    config = planned.config
    settings = f"{config.model}, K = {config.k}, {number(planned.budget)} s"
    work = (CLUSTERINGS, f"{settings}: {short_title(data)}", planned, data)
    button(on_click=start, args=work)
    if lessons_state.take_pending_run():
        start(*work)
    if planned.reduced:
        st.caption(f"Reduced to at most {MAX_SIDE} px per side.")


def warn_of_rotation(planned: ClusterPlan, data: ImageSet) -> None:
    """Warn of rotations that prototypes cannot learn, with a link to a method that can."""
    angle = data.recipe.max_rotation()
    if angle <= MAX_ROTATION or planned.config.model not in TRANSFORMED:
        return
    st.warning(
        f"These images are rotated by up to ±{math.degrees(angle):.0f}°. Prototypes start without "
        "any rotation and learn in small steps, so they follow rotations beyond ±90° only in part. "
        "Invariant attention searches all rotations.",
        icon=":material/rotate_left:",
    )
    st.page_link(
        "pages/compare.py",
        label="Cluster these images by invariant attention instead",
        icon=":material/leaderboard:",
        query_params={ADDRESS: requested_recipe(), "methods": "ia-rotation"},
    )


def link_to_compare(planned: ClusterPlan) -> None:
    """Draw a link to Compare with all models, and the same images, K and seed."""
    fewest, most = COMPARED
    st.page_link(
        "pages/compare.py",
        label="Compare K-means, GMM, TI and DTI on these images",
        icon=":material/compare:",
        query_params={
            ADDRESS: requested_recipe(),
            "methods": MODELS,
            "set_k": str(planned.config.k),
            "set_seed": str(planned.seed),
            "images": str(min(most, max(fewest, planned.total))),
        },
    )


enter("Clustering")
st.markdown(
    "**Prototypes** learn how to be transformed or coloured so that they fit images. The best fit "
    "wins."
)
open_linked_run(CLUSTERINGS.id)
choose_first(FIRST)
if clustering_state.drop_moved_view():
    note("Methods are now compared on the Compare page. A link to it is at the end of this page.")
data_column, photographs_column, run_column = st.columns([14, 5, 3], vertical_alignment="bottom")
with photographs_column:
    ask_photographs()
with data_column:
    select_data()
data = load_data()
if isinstance(data, ImageSet):
    read_selection(data.digest, len(data.names))
    planned = plan_run(data)
    show_run_button(planned, data)
    if planned is not None:
        warn_of_rotation(planned, data)
    show_page(planned, data)
    if planned is not None:
        link_to_compare(planned)
else:
    st.info("This page needs images. Choose an image set above.")
show_symbols(
    *("K", "c", "T", "d", "x", "N", "B", "η", "ρ", "ε", "ACC", "NMI", "ARI"),
    terms={"d": "d2", "T": "transformed", "x": "image"},
)
