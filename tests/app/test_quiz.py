"""The quiz explains each answer, counts right answers, and keeps nothing but the seed."""

import pytest

from ia_engine.quiz import make_quiz
from pages._ui.state.quiz import MAX_SEED
from tests.app.driving import ROOT, open_page, press, words

PAGE = ROOT / "pages" / "quiz.py"


def seed_of(app):
    """The seed in the address."""
    value = app.query_params["seed"]
    return value[0] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def questions():
    return make_quiz(7)


def choose(app, questions, index, *, correctly):
    """Choose the right answer, or the first wrong one."""
    choices = questions[index].choices
    at = next(at for at, choice in enumerate(choices) if choice.right == correctly)
    app.button(key=f"quiz {index + 1} {at}").click().run()
    return choices[at]


def test_right_and_wrong_answers_are_explained_and_counted(questions):
    app = open_page(PAGE, seed="7")
    assert seed_of(app) == "7"
    assert "0 of 10 questions answered" in words(app)
    for index in range(10):
        chosen = choose(app, questions, index, correctly=index < 8)
        assert not app.exception
        assert chosen.explanation in words(app)
        others = [b for b in app.button if (b.key or "").startswith(f"quiz {index + 1} ")]
        assert sum(not button.disabled for button in others) == 1, "an answer is final"
    assert "8 of 10" in [heading.value for heading in app.subheader]
    assert set(app.query_params) == {"seed"}


def test_new_questions_change_the_seed_in_the_address_and_forget_the_answers(questions):
    app = open_page(PAGE, seed="7")
    choose(app, questions, 0, correctly=True)
    app = press(app, "New questions")
    assert seed_of(app) != "7"
    assert "0 of 10 questions answered" in words(app)


@pytest.mark.parametrize("seed", ["", "x", "-1", "0", "²", "9" * 4000, "00000019"])
def test_an_illegal_seed_is_replaced_with_a_note(seed):
    app = open_page(PAGE, seed=seed)
    assert not app.exception
    assert "a whole number from 1 to" in " ".join(note.value for note in app.warning)
    assert 1 <= int(seed_of(app)) <= MAX_SEED
