"""Entry point of the app, which lists all pages."""

import streamlit as st

from ia_engine.files import ASSETS
from pages._ui.panels import explaining
from pages._ui.runs.sidebar import list_runs
from pages._ui.state.viewer import frame_state

st.set_page_config(
    page_title="Invariant Attention Explorer", page_icon=ASSETS / "icon.svg", layout="wide"
)
st.set_option("client.showSidebarNavigation", True)
page = st.navigation(
    [
        st.Page("pages/overview.py", title="Overview", icon=":material/home:", default=True),
        st.Page("pages/data.py", title="Data", url_path="data", icon=":material/image:"),
        st.Page(
            "pages/iterations.py",
            title="Iterations",
            url_path="iterations",
            icon=":material/grid_on:",
        ),
        st.Page("pages/mean.py", title="Mean", url_path="mean", icon=":material/join_inner:"),
        st.Page(
            "pages/manifolds.py",
            title="Manifolds",
            url_path="manifolds",
            icon=":material/landscape:",
        ),
        st.Page(
            "pages/clustering.py",
            title="Clustering",
            url_path="clustering",
            icon=":material/bubble_chart:",
        ),
        st.Page(
            "pages/equivariance.py",
            title="Equivariance",
            url_path="equivariance",
            icon=":material/rotate_left:",
        ),
        st.Page(
            "pages/compare.py", title="Compare", url_path="compare", icon=":material/leaderboard:"
        ),
        st.Page("pages/papers.py", title="Papers", url_path="papers", icon=":material/article:"),
        st.Page("pages/quiz.py", title="Quiz", url_path="quiz", icon=":material/quiz:"),
        st.Page("pages/runs.py", title="Runs", url_path="runs", icon=":material/inventory_2:"),
    ]
)
frame_state.entered = True
with explaining():
    page.run()
list_runs()
