"""The animation of a mean: its frames, poses and file."""

import zlib

import numpy as np
import pytest
import torch

from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.errors import EngineError
from ia_engine.figures.mean import (
    KEPT,
    MOST,
    _read_poses,
    film_mean,
    list_rows,
    pack_film,
    plan_mean,
    select,
    unpack_film,
)
from tests.frames import assert_same_frame, encode_old

DESCENT = MeanConfig(start="identity", schedule="greedy", steps=4)


@pytest.fixture(scope="module")
def threes():
    return make(RECIPES["experiment-2"])


@pytest.fixture(scope="module")
def film(threes):
    *_, film = film_mean(*plan_mean(DESCENT, threes))
    return film


def test_the_animation_contains_the_start_and_every_step(film):
    assert [step.k for step in film.steps] == [0, 1, 2, 3, 4]
    assert film.steps[-1].objective < film.steps[0].objective


def test_a_frame_contains_mu_followed_by_every_image(film, threes):
    images = film.steps[0].frame.arrays["images"]
    assert len(images) == 1 + len(threes.names)


def test_the_first_mean_of_the_descent_is_the_unaligned_mean(film):
    first, plain = (f.arrays["images"][0] for f in (film.steps[0].frame, film.plain))
    assert (first == plain).all()
    assert film.steps[0].sharpness == pytest.approx(film.plain_sharpness, rel=1e-3)


def test_the_last_mean_of_the_animation_is_sharper_than_the_unaligned_mean(film):
    assert film.steps[-1].sharpness > film.plain_sharpness


def test_the_file_contains_the_complete_animation(film):
    assert_same_film(unpack_film(pack_film(film)), film)


def test_the_complete_animation_can_be_read_from_a_file_of_an_earlier_version(film):
    arrays = {
        "known": pack_film(film)["known"],
        "plain": encode_old(film.plain),
        **{f"frame {at}": encode_old(step.frame) for at, step in enumerate(film.steps)},
    }
    deflated = {
        name: np.frombuffer(zlib.compress(array.tobytes()), np.uint8)
        for name, array in arrays.items()
    }
    assert_same_film(unpack_film(deflated), film)


def assert_same_film(one, other):
    assert (one.plan, one.plain_sharpness) == (other.plan, other.plain_sharpness)
    assert_same_frame(one.plain, other.plain)
    for step, wanted in zip(one.steps, other.steps, strict=True):
        assert_same_frame(step.frame, wanted.frame)
        assert vars(step) | {"frame": None} == vars(wanted) | {"frame": None}


@pytest.mark.parametrize("steps", [1, 50, 100, 333, 500])
def test_long_runs_keep_a_few_steps_including_the_first_and_the_last(steps, threes):
    plan, _ = plan_mean(MeanConfig(steps=steps), threes)
    assert plan.kept[0] == 0
    assert plan.kept[-1] == steps
    assert len(plan.kept) <= KEPT + 2


def test_poses_are_stated_in_degrees_and_pixels():
    tau = torch.tensor([[0.5, 3.0, -2.0]], device="cpu")
    assert _read_poses("se2", tau)[0] == pytest.approx((28.648, 3.0, -2.0), abs=1e-3)


def test_a_class_can_be_selected_and_an_unknown_class_is_refused():
    drawings = make(RECIPES["experiment-1"])
    part = select(drawings, drawings.classes[1])
    assert len(part.names) == 6
    with pytest.raises(EngineError, match="not a class"):
        select(drawings, "nothing")


def test_the_rows_of_a_cluster_can_be_averaged_and_are_part_of_the_plan():
    drawings = make(RECIPES["experiment-1"])
    plan, sample = plan_mean(MeanConfig(steps=1), drawings, rows=(2, 7, 11))
    assert (plan.rows, plan.total, plan.of) == ((2, 7, 11), 3, "")
    assert sample.names == tuple(drawings.names[row] for row in plan.rows)
    assert list_rows(plan, drawings) == plan.rows
    film = next(film_mean(plan, sample))
    assert unpack_film(pack_film(film)).plan == plan


@pytest.mark.parametrize(
    "chosen", [{"rows": (0, 18)}, {"rows": (-1,)}, {"rows": (0,), "of": "Crab"}]
)
def test_rows_that_do_not_exist_or_come_with_a_class_are_refused(chosen):
    with pytest.raises(EngineError, match="rows of a mean must be from 0 to 17"):
        plan_mean(MeanConfig(), make(RECIPES["experiment-1"]), **chosen)


def test_the_number_of_images_is_limited():
    plan, few = plan_mean(MeanConfig(), make(RECIPES["digits"]))
    assert len(plan.names) == len(few.v) == MOST
    assert plan.total > MOST
