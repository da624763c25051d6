"""The first page: Experiment 1 in a player, links to other pages, the lessons and the papers."""

from typing import Final

import streamlit as st

from pages._ui.overview import play_live, show_lessons, show_papers
from pages._ui.page import enter
from pages._ui.panels import explaining

# On a narrow screen, a link has two lines.
STYLE: Final = "<style>.st-key-ways a * { white-space: normal; }</style>"
LINKS: Final = (
    ("iterations", "Change the settings yourself: β, σ, the group", "tune"),
    ("mean", "Watch a blur become a 3: the invariant mean step by step", "join_inner"),
    ("manifolds", "Explore every rotation and translation between two images", "landscape"),
)

enter("See invariance")
st.markdown(
    "Six crabs, six sevens and six snails, each in a different pose. **Invariant attention** "
    "compares them up to rotation and translation, so each class becomes one sharp mean. **Kernel "
    "attention** compares pixels, so all become mush."
)
with explaining():
    play_live("experiment-1", key="overview")
st.html(STYLE)
with st.container(horizontal=True, key="ways"):
    st.page_link(
        "pages/data.py",
        label="**Upload your own images**",
        icon=":material/upload:",
        query_params={"way": "Upload"},
    )
    for page, label, icon in LINKS:
        st.page_link(f"pages/{page}.py", label=label, icon=f":material/{icon}:")
show_lessons()
show_papers()
