"""Quiz questions have one right answer, which agrees with an independent comparison of the PNGs."""

import io
import random

import numpy as np
import pytest
from PIL import Image

from ia_engine.errors import EngineError
from ia_engine.quiz import make_quiz
from ia_engine.quiz.making import BETAS, KINDS, ask_beta, ask_mirror, ask_same, ask_turn
from ia_engine.quiz.question import Unclear

pytestmark = pytest.mark.cpu_only("drawings are on the CPU")
SIDE = 40


def ask(kind, seed):
    """A clear question of this kind."""
    for attempt in range(60):
        try:
            return kind(random.Random(1000 * seed + attempt))
        except Unclear:
            continue
    return pytest.fail("no clear question")


def right(question):
    (choice,) = [choice for choice in question.choices if choice.right]
    return choice.text


def read(picture):
    """The pixels of a picture, moved so that their centre of mass is in the middle, of norm 1."""
    pixels = np.asarray(Image.open(io.BytesIO(picture.png)).resize((SIDE, SIDE)), float)
    total, grid = pixels.sum(), np.arange(SIDE) - (SIDE - 1) / 2
    shift = (pixels.sum(0) @ grid / total, pixels.sum(1) @ grid / total)
    return Image.fromarray(pixels).transform(
        (SIDE, SIDE), Image.Transform.AFFINE, (1, 0, shift[0], 0, 1, shift[1]), Image.BILINEAR
    )


def compare(a, b):
    """The largest product of two pictures over 90 rotations by Pillow."""
    target = np.asarray(read(b))
    target = target / np.linalg.norm(target)
    start, best = read(a), 0.0
    for degrees in range(0, 360, 4):
        turned = np.asarray(start.rotate(degrees, Image.BILINEAR))
        best = max(best, float((turned * target).sum() / np.linalg.norm(turned)))
    return best


def test_the_same_seed_gives_the_same_ten_questions_of_all_kinds_and_another_seed_others():
    quiz = make_quiz(3)
    assert len(quiz) == 10
    assert {question.kind for question in quiz} == {kind.__name__[4:] for kind in KINDS}
    assert quiz == make_quiz(3)
    assert quiz != make_quiz(4)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_question_has_one_right_choice_and_explains_all_of_them(kind):
    places = set()
    for seed in range(4):
        question = ask(kind, seed)
        places.add([choice.right for choice in question.choices].index(True))
        right(question)
        assert 2 <= len(question.choices) <= 4
        assert len({choice.text for choice in question.choices}) == len(question.choices)
        assert all(len(choice.explanation) > 20 for choice in question.choices)
        assert all(picture.png.startswith(b"\x89PNG") for picture in question.pictures)
    assert len(places) > 1, "the place of the right answer must vary"


def test_the_two_equal_pictures_are_those_that_pillow_rotates_onto_each_other():
    question = ask(ask_same, 1)
    products = {
        f"{a.name} and {b.name}": compare(a, b)
        for at, a in enumerate(question.pictures)
        for b in question.pictures[at + 1 :]
    }
    assert right(question) == max(products, key=products.get)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_mirror_image_is_the_picture_that_pillow_cannot_rotate_onto_the_first(seed):
    first, *others = ask(ask_mirror, seed).pictures
    products = {picture.name: compare(picture, first) for picture in others}
    assert right(ask(ask_mirror, seed)) == min(products, key=products.get)


@pytest.mark.parametrize("seed", range(4))
def test_yes_means_that_pillow_rotates_one_picture_onto_the_other(seed):
    question = ask(ask_turn, seed)
    assert (right(question) == "Yes") == (compare(*question.pictures) > 0.93)


def test_the_diagonal_of_the_drawn_weights_is_darkest_for_the_largest_beta():
    shares = {}
    for seed in range(12):
        question = ask(ask_beta, seed)
        pixels = np.asarray(Image.open(io.BytesIO(question.pictures[-1].png)), float)[
            10::20, 10::20
        ]
        weights = (255 - pixels) / (255 - pixels).sum(0)
        shares.setdefault(right(question), []).append(np.diagonal(weights).mean())
    small, middle, large = (shares[f"β = {beta:g}"] for beta in BETAS)
    assert max(small) < min(middle) <= max(middle) < min(large)


@pytest.mark.parametrize(("seed", "count"), [(-1, 10), (1, 0)])
def test_a_quiz_refuses_a_negative_seed_and_no_questions(seed, count):
    with pytest.raises(EngineError, match=f"at least 0.*got seed {seed} and count {count}"):
        make_quiz(seed, count)
