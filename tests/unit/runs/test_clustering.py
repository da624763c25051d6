"""Clustering runs store a bounded amount of data and resume from their last state."""

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
    SAMPLES,
    SMALL,
    average,
    collect_samples,
    contest,
    draw,
    list_knobs,
    pack_samples,
    read_part,
    shrink,
    stack,
    trace_winner,
    transform_prototype,
    unpack_samples,
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
from ia_engine.runs.kinds.clusterings import pack_film, summarise, unpack_film

pytestmark = pytest.mark.cpu_only("the tests of the engine cover devices; these test complete runs")

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


def test_moments_share_one_state_and_the_last_one_includes_every_image(looks, data):
    assert len({id(look.newest) for look in looks}) == 1
    result = looks[-1].newest.result
    assert sorted(result.rows.tolist()) == list(range(len(data.images)))
    assert looks[-1].score.seen == len(data.images)
    assert looks[-1].share == 1


def test_the_length_of_the_animation_is_bounded(data, monkeypatch):
    monkeypatch.setattr(drive, "FILM", 4)
    monkeypatch.setattr(drive, "RHYTHM", 0.01)
    looks = list(cluster(plan_clusters(CONFIG, data, 0, 0.4), data))
    kept = [look for look in looks if look.picture is not None]
    assert len(looks) > 10
    assert len(kept) <= 4 + 3


@pytest.mark.parametrize("shape", [(20, 3, 128, 128), (200, 3, 128, 128), (200, 1, 28, 28)])
def test_the_size_of_a_frame_is_bounded(shape):
    prototypes = torch.zeros(shape)
    assert draw(prototypes, SMALL).nbytes <= 1.3 * SMALL
    assert draw(prototypes, LARGE).nbytes <= 1.3 * LARGE


def test_small_prototypes_are_stored_pixel_by_pixel(state, looks):
    picture = looks[-1].newest.picture
    assert picture.shape == (3, 28, 28, 1)
    wanted = (state.prototypes.clamp(0, 1) * 255).round().byte().permute(0, 2, 3, 1)
    assert np.array_equal(picture, wanted.numpy())


def test_every_frame_of_the_animation_has_its_own_numbers(looks):
    film = summarise(looks)
    assert len(film.pictures) == len(film.numbers.seconds) == len(film.numbers.losses)
    assert film.numbers.rule == "Hungarian"
    assert set(film.numbers.named) <= {"0", "1", "2", ""}


def test_the_animation_contains_the_last_state_once_and_its_scores_are_those_of_all_images(looks):
    numbers, agreement = summarise(looks).numbers, looks[-1].newest.result.agreement
    assert looks[-1].iteration == looks[-2].iteration
    assert len(set(numbers.iterations)) == len(numbers.iterations)
    assert (numbers.acc[-1], numbers.nmi[-1]) == (agreement.acc, agreement.nmi)


def test_the_file_contains_the_exact_animation(looks):
    film = summarise(looks)
    again = unpack_film(pack_film(film))
    assert again.numbers == film.numbers
    assert np.array_equal(again.pictures, film.pictures)


def test_the_samples_of_a_prototype_are_its_images_from_the_best_fit_to_the_worst(
    looks, state, data
):
    result = looks[-1].newest.result
    samples = collect_samples(state, data.images, result)
    assert [own.total for own in samples] == [len(result.members(k)) for k in range(3)]
    for k, own in enumerate(samples):
        assert len(own.chains) == min(SAMPLES, own.total)
        assert all(chain.cluster == k for chain in own.chains)
        errors = [result.error_of(chain.row) for chain in own.chains]
        assert errors == sorted(errors)


def test_the_file_contains_the_exact_samples(looks, state, data):
    samples = collect_samples(state, data.images, looks[-1].newest.result)
    again = unpack_samples(pack_samples(samples))
    assert [own.total for own in again] == [own.total for own in samples]
    for one, other in zip(again, samples, strict=True):
        for mine, theirs in zip(one.chains, other.chains, strict=True):
            assert np.array_equal(mine.picture, theirs.picture)
            known = [(c.row, c.cluster, c.distance, c.stages) for c in (mine, theirs)]
            assert known[0] == known[1]


def test_a_stopped_run_resumes_from_its_last_state_and_keeps_its_animation(data):
    steps = cluster(plan_clusters(CONFIG, data, 0, BUDGET), data)
    first = [next(steps) for _ in range(2)]
    steps.close()
    plan, start = resume_run(first)
    again = list(cluster(plan, data, start))
    assert [look.seconds for look in again[:2]] == [look.seconds for look in first]
    assert again[2].iteration == first[-1].iteration
    assert again[-1].share == 1
    assert plan.done == first[-1].seconds


def test_an_edited_run_continues_for_more_seconds_at_the_full_rate(looks, data, state):
    plan, start = extend(looks, split(state, 0), 0.3, "Split 1")
    again = list(cluster(plan, data, start))
    assert plan.budget == pytest.approx(state.counters.seconds + 0.3)
    assert again[-1].seconds > looks[-1].seconds
    assert not again[len(looks)].cooling


def test_a_fork_accepts_a_new_learning_rate_and_names_settings_that_cannot_change(looks):
    wanted = replace(CONFIG, rate=1e-2)
    assert fork_newest(looks, wanted).config.rate == 1e-2
    assert not fixed_differences(looks, wanted)
    assert fixed_differences(looks, replace(wanted, k=4, sequence="tps")) == ["k", "sequence"]


def test_too_few_images_are_refused_with_advice(data):
    few = replace(data, images=data.images[:2], labels=data.labels[:2], names=data.names[:2])
    with pytest.raises(EngineError, match="lower K"):
        plan_clusters(CONFIG, few, 0, 1.0)


def test_photographs_are_reduced_by_averaging_and_keep_their_aspect_ratio():
    assert shrink(torch.zeros(1, 3, 512, 256)).shape == (1, 3, MAX_SIDE, MAX_SIDE // 2)


def test_the_chain_starts_at_the_prototype_and_its_end_has_the_stated_distance_from_the_image(
    state, data
):
    (chain,) = trace_winner(state, data.images, [7])
    assert chain.stages == ("prototype", "affine")
    image, aligned = chain.picture[0] / 255.0, chain.picture[-1] / 255.0
    assert np.square(image - aligned).mean() == pytest.approx(chain.distance, abs=2e-3)
    assert stack([chain, chain]).shape == (6, 28, 28, 1)


def test_the_nearest_prototype_wins(state, data):
    found = contest(state, data.images, 7)
    assert found.distances[found.winner] == min(found.distances)
    assert found.picture.shape[0] == 1 + CONFIG.k
    assert found.winner == trace_winner(state, data.images, [7])[0].cluster


def test_a_prototype_is_changed_only_by_parameters_other_than_0(state):
    (knobs,) = list_knobs(state).values()
    still, moved = ([at] * len(knobs) for at in (0.0, 0.3))
    first, same = transform_prototype(state, 1, {"affine": still})
    assert np.array_equal(first, same)
    assert not np.array_equal(first, transform_prototype(state, 1, {"affine": moved})[1])


def test_members_are_sorted_by_ascending_error_and_outliers_by_descending_error(state, data):
    result = read_part(state, data.images, data.labels, 40)
    members = result.members(int(result.assignments[0]))
    errors = [result.error_of(row) for row in members]
    assert errors == sorted(errors)
    assert result.error_of(result.outliers(1)[0]) == float(result.error.max())
    assert len(result.rows) == 40
    assert average(state, data.images, 0, members).shape == (3, 28, 28, 1)


def test_transformations_found_by_search_belong_to_their_images(data):
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
