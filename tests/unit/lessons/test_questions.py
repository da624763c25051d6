"""Every lesson asks one question, which has one right answer and explains all answers."""

import ast
from pathlib import Path

import pytest

from pages._ui.lessons import questions
from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.lesson import Place
from pages._ui.lessons.questions import QUESTIONS
from pages._ui.runs.current import find_saved

MAX_WORDS = 40


def test_every_lesson_has_one_question_about_one_of_its_captions():
    assert set(QUESTIONS) == {lesson.name for lesson in LESSONS}
    for lesson in LESSONS:
        assert 1 <= QUESTIONS[lesson.name].caption <= len(lesson.captions)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_has_one_right_answer_and_a_short_explanation_of_each(name):
    answers = QUESTIONS[name].answers
    assert 2 <= len(answers) <= 4
    assert [answer.right for answer in answers].count(True) == 1
    assert len({answer.text for answer in answers}) == len(answers)
    for answer in answers:
        assert 8 <= len(answer.explanation.split()) <= MAX_WORDS


def test_the_right_answer_is_not_always_in_the_same_place():
    places = {[a.right for a in question.answers].index(True) for question in QUESTIONS.values()}
    assert places == {0, 1, 2}


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.name)
def test_the_iteration_shown_after_the_answer_exists_and_other_pages_are_hidden(lesson):
    question = QUESTIONS[lesson.name]
    run = run_of(Place(lesson, question.caption - 1))
    if question.step is None:
        return
    assert run, "only an animation can stop at iteration 0 before the answer"
    assert 0 < question.step < find_saved(run).steps


def test_the_questions_are_plain_data_that_need_no_page():
    tree = ast.parse(Path(questions.__file__).read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"collections.abc", "dataclasses", "typing"}
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import)]
