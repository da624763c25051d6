"""The closing quiz: ten questions with pictures that are generated from a seed."""

import streamlit as st

from pages._ui.page import enter
from pages._ui.panels import explaining
from pages._ui.quiz.view import load_quiz, show_quiz
from pages._ui.state.quiz import quiz_state

enter("Quiz")
st.markdown(
    "Ten questions on the lessons. The pictures are new each time, and every correct answer is "
    "computed from them. The **seed** in the address reproduces the questions. In the "
    "explanations, d² is the squared distance of two pictures (0: equal)."
)
seed = quiz_state.read_seed()
with st.container(horizontal=True, vertical_alignment="center"):
    st.button("New questions", icon=":material/refresh:", on_click=quiz_state.renew)
    st.caption(f"Seed {seed}")
with explaining():
    show_quiz(load_quiz(seed))
st.page_link("pages/overview.py", label="All lessons", icon=":material/school:")
