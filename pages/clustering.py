"""DTI clustering, live: prototypes that learn how they may be transformed onto their images."""

import math
from functools import partial
from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import max_rotation
from ia_engine.errors import EngineError
from ia_engine.runs.clustering.result import LONGEST
from ia_engine.runs.clustering.run import ClusterPlan, plan_clusters
from ia_engine.runs.kinds.clusterings import CLUSTERINGS
from pages._ui.clustering.actions import WANTED
from pages._ui.clustering.controls import TRANSFORMED, ask, bring_photographs
from pages._ui.clustering.view import show_page
from pages._ui.formulas import show_symbols
from pages._ui.lessons.panel import lesson_begins
from pages._ui.page import enter
from pages._ui.panels import explain
from pages._ui.runs.current import open_linked_run
from pages._ui.runs.start import start
from pages._ui.state.dataset import ADDRESS, CHOSEN, asked, brief, choose, chosen, pick
from pages._ui.state.selection import settle_selection
from pages._ui.wording import number

FIRST: Final = "digits"
# Prototypes can learn to follow such a rotation; the page warns of larger ones before a run.
FOLLOWED: Final = math.radians(90)


def plan(data: ImageSet) -> ClusterPlan | None:
    """What the knobs ask for, or why it cannot be."""
    wanted = ask(data)
    st.session_state[WANTED] = wanted.config
    try:
        return plan_clusters(wanted.config, data, wanted.effort.seed, wanted.effort.budget)
    except EngineError as error:
        explain(error)
        return None


def warn_of_rotation(planned: ClusterPlan, data: ImageSet) -> None:
    """Before any time is spent: the model cannot follow such rotations; a link to what can."""
    angle = max_rotation(data.recipe)
    if angle <= FOLLOWED or planned.config.model not in TRANSFORMED:
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
        query_params={ADDRESS: asked(), "methods": "ia-rotation"},
    )


def offer_run(planned: ClusterPlan | None, data: ImageSet) -> None:
    """The button, which waits while the settings cannot be; a lesson presses it itself."""
    button = partial(run_column.button, "Run", icon=":material/play_arrow:", width="stretch")
    if planned is None:
        button(disabled=True, help="Not with these settings: the message below says why")
        return
    config = planned.config
    told = f"{config.model}, K = {config.k}, {number(planned.budget)} s"
    work = (CLUSTERINGS, f"{told}: {brief(data)}", planned, data)
    button(on_click=start, args=work)
    if lesson_begins():
        start(*work)
    if planned.reduced:
        st.caption(f"Reduced to at most {LONGEST} px a side.")


enter("Clustering")
st.markdown(
    "**Prototypes** that learn how to be moved, bent or coloured to fit images: the best fit wins."
)
open_linked_run(CLUSTERINGS.id)
if ADDRESS not in st.query_params and CHOSEN not in st.session_state:
    choose(FIRST)
data_column, own_column, run_column = st.columns([14, 5, 3], vertical_alignment="bottom")
with own_column:
    bring_photographs()
with data_column:
    pick()
data = chosen()
if hasattr(data, "images"):
    settle_selection(data.digest, len(data.names))
    planned = plan(data)
    offer_run(planned, data)
    if planned is not None:
        warn_of_rotation(planned, data)
    show_page(planned, data, brief(data))
else:
    st.info("This page needs images. Choose an image set above.")
show_symbols(
    *("K", "c", "T", "d", "x", "N", "B", "η", "ρ", "ε", "ACC", "NMI", "ARI"),
    terms={"d": "d2", "T": "transformed", "x": "image"},
)
