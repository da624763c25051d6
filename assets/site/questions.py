"""The questions of the lessons, and the closing quiz."""

from dataclasses import dataclass

from assets.site.text import inline, to_html
from pages._ui.lessons.lesson import Lesson


@dataclass(frozen=True)
class Answer:
    """A possible answer, and the explanation that its choice shows."""

    text: str
    why: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A question with its answers."""

    text: str
    answers: tuple[Answer, ...]


def question_of(lesson: Lesson) -> Question | None:
    """Return the question of a lesson, or None if it has none."""
    return None


def write_question(question: Question) -> str:
    """Return a question whose answers are buttons; without JavaScript, all explanations show."""
    answers = "".join(
        f'<li class="answer"{" data-right" if answer.right else ""}>'
        f'<button type="button" aria-pressed="false">{inline(answer.text)}</button>'
        f'<div class="why" role="status" hidden><strong class="verdict"></strong>'
        f"{to_html(answer.why)}</div></li>"
        for answer in question.answers
    )
    return f"""<section class="question"><h3>Predict</h3>{to_html(question.text)}
<ul class="answers">{answers}</ul></section>
"""
