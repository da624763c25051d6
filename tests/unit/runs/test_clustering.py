"""A clustering as a run: what is kept of it is small, and it goes on from where it was."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.editing import split
from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.errors import EngineError
from ia_engine.runs.clustering import run as drive
from ia_engine.runs.clustering.result import (
    LARGE,
    MAX_SIDE,
    SMALL,
    average,
    contest,
    draw,
    list_knobs,
    read_part,
    shrink,
    stack,
    trace_winner,
    transform_prototype,
)
from ia_engine.runs.clustering.run import (
    cluster,
    extend,
    fixed_differences,
    fork_newest,
    last_state,
    plan_clusters,
    resume_run,
)
from ia_engine.runs.clustering.summary import pack_film, summarise, unpack_film

pytestmark = pytest.mark.cpu_only("the engine's own tests cover devices; here are whole runs")

CONFIG = ClusterConfig(k=3, sequence="affine", batch=16)
BUDGET = 0.6


@pytest.fixture(scope="module")
def data():
    data = make(RECIPES["digits"])
    rows = (data.labels < 3).nonzero()[:90, 0]
    return replace(
        data,
        images=data.images[rows],
        labels=data.labels[rows],
        names=tuple(data.names[row] for row in rows.tolist()),
    )


@pytest.fixture(scope="module")
def looks(data):
    return list(cluster(plan_clusters(CONFIG, data, 0, BUDGET), data))


@pytest.fixture(scope="module")
def state(looks):
    return last_state(looks)


def test_looks_share_one_state_and_the_last_knows_every_image(looks, data):
    assert len({id(look.newest) for look in looks}) == 1
    result = looks[-1].newest.result
    assert sorted(result.rows.tolist()) == list(range(len(data.images)))
    assert looks[-1].score.seen == len(data.images)
    assert looks[-1].share == 1


def test_film_is_bounded_however_often_the_run_is_looked_at(data, monkeypatch):
    monkeypatch.setattr(drive, "FILM", 4)
    monkeypatch.setattr(drive, "RHYTHM", 0.01)
    looks = list(cluster(plan_clusters(CONFIG, data, 0, 0.4), data))
    kept = [look for look in looks if look.picture is not None]
    assert len(looks) > 10
    assert len(kept) <= 4 + 3


@pytest.mark.parametrize("shape", [(20, 3, 128, 128), (200, 3, 128, 128), (200, 1, 28, 28)])
def test_picture_takes_no_more_than_it_may(shape):
    prototypes = torch.zeros(shape)
    assert draw(prototypes, SMALL).nbytes <= 1.3 * SMALL
    assert draw(prototypes, LARGE).nbytes <= 1.3 * LARGE


def test_small_pictures_are_kept_pixel_by_pixel(state, looks):
    picture = looks[-1].newest.picture
    assert picture.shape == (3, 28, 28, 1)
    wanted = (state.prototypes.clamp(0, 1) * 255).round().byte().permute(0, 2, 3, 1)
    assert np.array_equal(picture, wanted.numpy())


def test_numbers_of_the_film_stand_beside_its_pictures(looks):
    film = summarise(looks)
    assert len(film.pictures) == len(film.numbers.seconds) == len(film.numbers.losses)
    assert film.numbers.rule == "Hungarian"
    assert set(film.numbers.named) <= {"0", "1", "2", ""}


def test_film_has_the_last_moment_once_with_the_measures_of_all_images(looks):
    numbers, agreement = summarise(looks).numbers, looks[-1].newest.result.agreement
    assert looks[-1].iteration == looks[-2].iteration
    assert len(set(numbers.iterations)) == len(numbers.iterations)
    assert (numbers.acc[-1], numbers.nmi[-1]) == (agreement.acc, agreement.nmi)


def test_file_holds_the_film_exactly(looks):
    film = summarise(looks)
    again = unpack_film(pack_film(film))
    assert again.numbers == film.numbers
    assert np.array_equal(again.pictures, film.pictures)


def test_stopped_run_goes_on_where_it_was_and_keeps_its_film(data):
    steps = cluster(plan_clusters(CONFIG, data, 0, BUDGET), data)
    first = [next(steps) for _ in range(2)]
    steps.close()
    plan, start = resume_run(first)
    again = list(cluster(plan, data, start))
    assert [look.seconds for look in again[:2]] == [look.seconds for look in first]
    assert again[2].iteration == first[-1].iteration
    assert again[-1].share == 1
    assert plan.done == first[-1].seconds


def test_changed_run_goes_on_for_more_seconds_at_the_full_rate(looks, data, state):
    plan, start = extend(looks, split(state, 0), 0.3, "Split 1")
    again = list(cluster(plan, data, start))
    assert plan.budget == pytest.approx(state.counters.seconds + 0.3)
    assert again[-1].seconds > looks[-1].seconds
    assert not again[len(looks)].cooling


def test_fork_takes_a_rate_and_names_what_it_cannot_take(looks):
    wanted = replace(CONFIG, rate=1e-2)
    assert fork_newest(looks, wanted).config.rate == 1e-2
    assert not fixed_differences(looks, wanted)
    assert fixed_differences(looks, replace(wanted, k=4, sequence="tps")) == ["k", "sequence"]


def test_too_few_images_are_refused_with_what_to_do(data):
    few = replace(data, images=data.images[:2], labels=data.labels[:2], names=data.names[:2])
    with pytest.raises(EngineError, match="lower K"):
        plan_clusters(CONFIG, few, 0, 1.0)


def test_photographs_are_averaged_down_and_keep_their_form():
    assert shrink(torch.zeros(1, 3, 512, 256)).shape == (1, 3, MAX_SIDE, MAX_SIDE // 2)


def test_chain_begins_at_the_prototype_and_ends_as_near_as_it_says(state, data):
    (chain,) = trace_winner(state, data.images, [7])
    assert chain.stages == ("prototype", "affine")
    image, aligned = chain.picture[0] / 255.0, chain.picture[-1] / 255.0
    assert np.square(image - aligned).mean() == pytest.approx(chain.distance, abs=2e-3)
    assert stack([chain, chain]).shape == (6, 28, 28, 1)


def test_contest_is_won_by_the_nearest(state, data):
    found = contest(state, data.images, 7)
    assert found.distances[found.winner] == min(found.distances)
    assert found.picture.shape[0] == 1 + CONFIG.k
    assert found.winner == trace_winner(state, data.images, [7])[0].cluster


def test_prototype_stays_at_0_and_moves_elsewhere(state):
    (knobs,) = list_knobs(state).values()
    still, moved = ([at] * len(knobs) for at in (0.0, 0.3))
    first, same = transform_prototype(state, 1, {"affine": still})
    assert np.array_equal(first, same)
    assert not np.array_equal(first, transform_prototype(state, 1, {"affine": moved})[1])


def test_members_are_ordered_by_fit_and_outliers_against_it(state, data):
    result = read_part(state, data.images, data.labels, 40)
    members = result.members(int(result.assignments[0]))
    errors = [result.error_of(row) for row in members]
    assert errors == sorted(errors)
    assert result.error_of(result.outliers(1)[0]) == float(result.error.max())
    assert len(result.rows) == 40
    assert average(state, data.images, 0, members).shape == (3, 28, 28, 1)


def test_searched_transformations_are_read_for_the_right_images(data):
    config = replace(CONFIG, model="ti")
    *_, last = cluster(plan_clusters(config, data, 0, 1.0), data)
    whole, few = last.newest.result, read_part(last.newest.state, data.images, data.labels, 9)
    assert whole.assignments[few.rows].tolist() == few.assignments.tolist()
    assert torch.allclose(whole.error[few.rows], few.error)


def test_images_without_labels_have_no_scores(data):
    bare = ImageSet(data.images, data.names, data.recipe)
    *_, last = cluster(plan_clusters(CONFIG, bare, 0, 0.2), bare)
    assert last.score is None
    assert last.newest.result.agreement is None
    assert summarise([last]).numbers.rule == ""
