"""What is seen before a run: the example where it is of the chosen data, else the data."""

from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data, thin
from ia_engine.datasets.flaws import describe_constant
from ia_engine.figures.mosaic import Gallery, draw_gallery
from ia_engine.figures.style import plot_points
from ia_engine.runs.plan import Plan
from pages._ui.examples import example, play_example, turned_betas
from pages._ui.iterations.following import await_means, follow_betas, rests, stop_following
from pages._ui.iterations.view import key_of
from pages._ui.numbers import number
from pages._ui.panels import explaining
from pages._ui.plots import show_plot

EXAMPLE: Final = "experiment-1"
DRAWN: Final = "images drawn before a run"
HIGH: Final = 360
"""So high may the images stand [px], since there is more below them."""


def show_before(planned: Plan, data: Data) -> None:
    """The example, playing, or the data with a word on what Run will do."""
    with explaining():
        if planned.recipe == example(EXAMPLE).record.recipe:
            _show_example(planned, data)
            return
    st.markdown(f":material/play_arrow: {_promise(planned)}")
    show_data(planned, data)


def show_data(planned: Plan, data: Data) -> None:
    """What takes part."""
    if "ia" not in planned.configs:
        show_plot(plot_points(data), "points before", data.digest)
        return
    gallery = _gallery(planned, data)
    with st.container(height=HIGH, border=False):
        st.image(gallery.png, width="stretch", alt=f"The {gallery.shown} images that take part")


def _show_example(planned: Plan, data: Data) -> None:
    key = key_of(planned)
    turned, p = turned_betas(EXAMPLE, key)
    if turned:
        given = {method: config.beta for method, config in planned.configs.items()}
        follow_betas(EXAMPLE, planned, data, (), betas=given | turned, player=key)
        rests(EXAMPLE, p)
    else:
        stop_following()
    st.caption(
        "Precomputed example: Experiment 1 with "
        f"β = {number(example(EXAMPLE).betas['ia'])}. "
        "Turn β in the player, or press Run for the settings above."
    )
    play_example(EXAMPLE, key)
    await_means(EXAMPLE)


def _promise(planned: Plan) -> str:
    what = "image" if "ia" in planned.configs else "point"
    if planned.size == 1:
        return f"One {what} alone attends to itself: choose data with two or more."
    what += "s"
    some = f"{planned.size:,} of the {planned.total:,} {what}"
    who = some if planned.size < planned.total else f"these {planned.size:,} {what}"
    how = "invariant and kernel attention" if "ia" in planned.configs else "kernel attention"
    return f"Press **Run**: {how} on {who}, {planned.iterations} iterations."


def warn_constant(data: Data) -> None:
    """A warning if some of the images show nothing."""
    if hasattr(data, "images") and (sentence := _describe_constant(data.digest, data)):
        st.warning(sentence, icon=":material/warning:")


@st.cache_resource(max_entries=16, show_spinner=False)
def _describe_constant(digest: str, _data: Data) -> str:
    return describe_constant(_data.images)


def _gallery(planned: Plan, data: Data) -> Gallery:
    """Drawn once: a rerun that changes nothing draws and sends nothing."""
    asked = (planned.recipe, planned.size)
    known, gallery = st.session_state.get(DRAWN, (None, None))
    if known != asked or gallery is None:
        gallery = draw_gallery(thin(data, planned.size), planned.size)
        st.session_state[DRAWN] = (asked, gallery)
    return gallery
