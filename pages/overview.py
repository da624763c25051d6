"""The first page: Experiment 1, solved beforehand and playing; lessons, papers, one's own."""

from typing import Final

import streamlit as st

from pages._ui.overview import play_live, show_lessons, show_papers
from pages._ui.page import enter
from pages._ui.panels import explaining

# On a narrow screen a way has two lines.
WRAPPED: Final = "<style>.st-key-ways a * { white-space: normal; }</style>"

enter("See invariance")
st.markdown(
    "Six crabs, six sevens and six snails, each turned and shifted. **Invariant attention** "
    "compares them up to turns and shifts, and the weights fall into three blocks while every "
    "image becomes the mean of its class. **Kernel attention** compares pixels, and makes mush."
)
with explaining():
    play_live("experiment-1", key="overview")
LINKS: Final = (
    ("iterations", "Turn the knobs yourself: β, σ, the group", "tune"),
    ("mean", "Watch a blur become a 3: the invariant mean, step by step", "join_inner"),
    ("manifolds", "Two images: search every turn and shift between them", "landscape"),
)
st.html(WRAPPED)
with st.container(horizontal=True, key="ways"):
    st.page_link(
        "pages/data.py",
        label="**Bring your own images**",
        icon=":material/upload:",
        query_params={"way": "Upload"},
    )
    for page, label, icon in LINKS:
        st.page_link(f"pages/{page}.py", label=label, icon=f":material/{icon}:")
show_lessons()
show_papers()
