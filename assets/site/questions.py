"""The questions that ask for a prediction in the lessons, and the closing quiz."""

from base64 import b64encode
from collections.abc import Iterable
from html import escape
from typing import Final, Protocol

from assets.site.frame import SiteFrame
from ia_engine.quiz import QuizPicture, make_quiz
from pages._ui.lessons.html import inline, plain, to_html
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.questions import QUESTIONS, Question

SEEDS: Final = (1, 2, 3)
"""Each seed has its own page, with ten questions."""


class AnyChoice(Protocol):
    """An answer to choose, of a lesson or of the quiz."""

    @property
    def text(self) -> str: ...
    @property
    def explanation(self) -> str: ...
    @property
    def right(self) -> bool: ...


def question_of(place: Place) -> Question | None:
    """Return the question about the result that a caption shows, or None if there is none."""
    question = QUESTIONS.get(place.lesson.name)
    return question if question and question.caption == place.index + 1 else None


def write_prediction(question: Question) -> str:
    """Return the question of a lesson."""
    return _write_question("Predict first", question.text, "", question.answers, "Not quite.")


def write_quizzes(frame: SiteFrame) -> dict[str, bytes]:
    """Return a page of questions for each seed, which links to the next."""
    return {
        _name(at): _write_quiz(seed, _name(at), _name((at + 1) % len(SEEDS)), frame)
        for at, seed in enumerate(SEEDS)
    }


def _name(at: int) -> str:
    return f"quiz-{at + 1}.html" if at else "quiz.html"


def _write_quiz(seed: int, name: str, other: str, frame: SiteFrame) -> bytes:
    questions = []
    for at, question in enumerate(make_quiz(seed), start=1):
        right = next(choice.text for choice in question.choices if choice.right)
        wrong = f"Not quite: the answer is “{plain(right)}”."
        pictures = "".join(map(_write_picture, question.pictures))
        heading, row = f"Question {at}", f'<div class="pictures">{pictures}</div>'
        questions.append(_write_question(heading, question.text, row, question.choices, wrong))
    body = f"""<h1>Quiz</h1>
<p>Questions on the <a href="index.html#lessons">lessons</a>. Every correct answer is computed
from the pictures. In the explanations, d² is the squared distance of two pictures (0: equal).
Nothing is stored.
{frame.link(f"quiz?seed={seed}", "A quiz with new pictures")}.</p>
{"".join(questions)}<p><a href="{other}">More questions</a></p>
<p class="score" role="status"></p>"""
    return frame.write(name, "Quiz", body, kind="quiz-page")


def _write_question(
    heading: str, text: str, pictures: str, choices: Iterable[AnyChoice], wrong: str
) -> str:
    """Return a question whose answers are buttons; without JavaScript, it is hidden."""
    answers = "".join(
        f'<li class="answer"{" data-right" if choice.right else ""}>'
        f'<button type="button" aria-pressed="false">{inline(choice.text)}</button>'
        f'<p class="why" role="status" hidden>'
        f"<strong>{'Right.' if choice.right else escape(wrong)}</strong> "
        f"{inline(choice.explanation)}</p></li>"
        for choice in choices
    )
    return f"""<section class="question" hidden><h2>{heading}</h2>
{to_html(text)}
{pictures}<ul class="answers">{answers}</ul></section>
"""


def _write_picture(picture: QuizPicture) -> str:
    data = b64encode(picture.png).decode()
    return (
        f'<figure><img src="data:image/png;base64,{data}" alt="{escape(picture.about)}">'
        f"<figcaption>{escape(picture.name)}</figcaption></figure>"
    )
