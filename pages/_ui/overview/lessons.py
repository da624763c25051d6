"""The eight lessons, each with what it shows; and the one that was left."""

import streamlit as st

from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.panel import link_back, link_to

COLUMNS = 4


def show_lessons() -> None:
    """In rows, in their order."""
    st.subheader("Eight lessons", anchor=False)
    st.markdown("A few sentences each beside the live page, and one thing to try.")
    link_back()
    for start in range(0, len(LESSONS), COLUMNS):
        for column, at in zip(st.columns(COLUMNS), range(start, start + COLUMNS), strict=True):
            lesson = LESSONS[at]
            with column.container(border=True, height="stretch", gap="xsmall"):
                link_to(Place(lesson, 0), f"{at + 1}. {lesson.title}", ":material/school:")
                st.caption(lesson.about)
