"""The questions that ask for a prediction, in their lessons and together as a quiz."""

from html import escape

from assets.site.frame import Frame
from assets.site.text import inline, plain, to_html
from pages._ui.lessons.catalogue import LESSONS
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.questions import QUESTIONS, Question


def question_of(place: Place) -> Question | None:
    """Return the question about the result that a caption shows, or None if there is none."""
    question = QUESTIONS.get(place.lesson.name)
    return question if question and question.caption == place.index + 1 else None


def write_question(question: Question, heading: str = "Predict first") -> str:
    """Return a question whose answers are buttons; without JavaScript, it is hidden."""
    answers = "".join(
        f'<li class="answer"{" data-right" if answer.right else ""}>'
        f'<button type="button" aria-pressed="false">{inline(answer.text)}</button>'
        f'<p class="why" role="status" hidden><strong class="verdict"></strong> '
        f"{inline(answer.explanation)}</p></li>"
        for answer in question.answers
    )
    return f"""<section class="question" hidden><h2>{heading}</h2>
{to_html(question.text)}
<ul class="answers">{answers}</ul></section>
"""


def write_quiz(frame: Frame) -> bytes:
    """Return a page with the questions of all lessons."""
    questions = "".join(
        write_question(QUESTIONS[lesson.name], f"{at}. {escape(plain(lesson.title))}")
        for at, lesson in enumerate(LESSONS, start=1)
        if lesson.name in QUESTIONS
    )
    body = f"""<h1>Quiz</h1>
<p>One question for each <a href="index.html#lessons">lesson</a>. An answer is explained when you
choose it. Nothing is stored.</p>
{questions}<p class="score" role="status"></p>"""
    return frame.write("quiz.html", "Quiz", body, kind="quiz-page")
