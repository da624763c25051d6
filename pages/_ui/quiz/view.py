"""The questions of the quiz with their pictures, the explanations, and the result."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.quiz import QuizQuestion, make_quiz
from ia_engine.quiz.question import SHOWN
from pages._ui.state.quiz import quiz_state

STYLE: Final = """
<style>
  [class*="st-key-quiz-question"] [data-testid="stImage"] img { border-radius: 4px; }
  [class*="st-key-quiz-question"] h3 { font-size: 1.1rem; padding: 0; }
  .st-key-quiz { max-width: 46rem; }
</style>
"""


@st.cache_resource(max_entries=16, show_spinner="Drawing new pictures")
def load_quiz(seed: int) -> tuple[QuizQuestion, ...]:
    """Return the questions of this seed."""
    return make_quiz(seed)


def show_quiz(questions: Sequence[QuizQuestion]) -> None:
    """Show all questions, and the result once all are answered."""
    st.html(STYLE)
    with st.container(key="quiz"):
        for index, question in enumerate(questions):
            _show_question(index, question, len(questions))
        _show_result(questions)


def _show_question(index: int, question: QuizQuestion, count: int) -> None:
    chosen = quiz_state.answers.get(index)
    with st.container(border=True, key=f"quiz-question-{index + 1}", gap="small"):
        st.subheader(f"Question {index + 1} of {count}", anchor=False)
        st.markdown(question.text)
        with st.container(horizontal=True, gap="small"):
            for picture in question.pictures:
                # Most pictures are as wide as they are high.
                wide = 3 if picture.name == "images" else 1
                st.image(picture.png, picture.name, width=wide * SHOWN, alt=picture.about)
        with st.container(horizontal=True, gap="small"):
            for at, choice in enumerate(question.choices):
                st.button(
                    choice.text,
                    key=f"quiz {index + 1} {at}",
                    type="primary" if at == chosen else "secondary",
                    disabled=chosen is not None and at != chosen,
                    on_click=quiz_state.answer,
                    args=(index, at),
                )
        if chosen is not None:
            _explain(question, chosen)


def _explain(question: QuizQuestion, chosen: int) -> None:
    """Explain the chosen answer; if it is wrong, name the right one."""
    choice = question.choices[chosen]
    if choice.right:
        st.markdown(f":material/check_circle: **Right.** {choice.explanation}")
        return
    right = next(one.text for one in question.choices if one.right)
    st.markdown(
        f":material/lightbulb: **Not quite: the answer is “{right}”.** {choice.explanation}"
    )


def _show_result(questions: Sequence[QuizQuestion]) -> None:
    """Show the number of right answers, or how many questions are left."""
    answers = quiz_state.answers
    if len(answers) < len(questions):
        st.caption(f"{len(answers)} of {len(questions)} questions answered.")
        return
    right = sum(questions[index].choices[at].right for index, at in answers.items())
    st.subheader(f"{right} of {len(questions)}", anchor=False)
    st.markdown(
        "Press **New questions** for other pictures, or copy the address to ask someone else "
        "the same questions. Your answers are not saved."
    )
