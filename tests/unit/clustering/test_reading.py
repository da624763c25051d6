"""Results read from a state: assignments, alignments by module, means, outliers and measures."""

import pytest
import torch

from ia_engine.clustering.reading import knobs, means, move, read, unfold
from ia_engine.clustering.training import begin, train
from ia_engine.errors import EngineError
from ia_engine.metrics import agree
from tests.tensors import tensor
from tests.unit.clustering.scenes import config, shapes

MODELS = pytest.mark.parametrize("model", ["dti-kmeans", "dti-gmm", "ti", "kmeans", "gmm"])


def trained(model="dti-kmeans", sequence="affine,morphology", **changes):
    images, labels = shapes()
    chosen = config(model=model, sequence=sequence, curriculum="off", rate=0.01, **changes)
    *_, step = train(chosen, images)
    return step.state, images, labels


@MODELS
def test_the_parts_of_a_result_agree_with_one_another(model):
    state, images, _ = trained(model, k=3)
    found = read(state, images, state.rows)
    assert found.distances.shape == (24, 3)
    assert torch.equal(found.assignments, found.distances.argmin(1))
    error = (images - found.aligned).square().mean((1, 2, 3))
    torch.testing.assert_close(found.error, error)
    worst = found.outliers()
    assert found.error[worst].diff().le(0).all()
    if model in ("dti-kmeans", "ti", "kmeans"):
        torch.testing.assert_close(found.distances.amin(1), found.error)
        assert found.loss == pytest.approx(float(found.error.mean()), rel=1e-4)


@pytest.mark.parametrize("model", ["dti-kmeans", "ti"])
def test_the_chain_of_the_winning_cluster_ends_at_the_aligned_prototype(model):
    state, images, _ = trained(model, k=3)
    found = read(state, images, state.rows)
    chain = unfold(state, images, state.rows)
    assert [name for name, _ in chain] == ["prototype", "affine", "morphology"]
    rows = torch.arange(24, device="cpu")
    torch.testing.assert_close(chain[-1][1][rows, found.assignments], found.aligned)
    torch.testing.assert_close(chain[0][1][5], state.prototypes)


def test_the_batch_size_does_not_change_the_result(monkeypatch):
    state, images, _ = trained()
    whole = read(state, images)
    monkeypatch.setattr("ia_engine.clustering.reading.BATCH", 7)
    parts = read(state, images)
    torch.testing.assert_close(parts.distances, whole.distances, atol=1e-6, rtol=1e-4)
    assert parts.loss == pytest.approx(whole.loss, rel=1e-4)


def test_unaligned_means_are_those_of_the_clusters_and_aligned_means_are_sharper():
    state, images, _ = trained(sequence="affine", iterations=150)
    before, after = means(state, images)
    owner = read(state, images).assignments
    for k in owner.unique().tolist():
        torch.testing.assert_close(before[k], images[owner == k].mean(0))
    assert after.shape == before.shape
    used = owner.unique()
    assert after[used].var() > before[used].var()


def test_poses_found_by_search_are_known_for_training_images_and_searched_for_others():
    state, images, _ = trained("ti", "affine", iterations=60)
    unaligned = (images[:, None] - state.prototypes).square().mean((2, 3, 4)).amin(1).mean()
    assert read(state, images, state.rows).loss < 0.3 * unaligned
    assert read(state, torch.cat([images, images])).loss < 0.6 * unaligned


def test_new_images_are_not_read_with_the_poses_of_training_images():
    state, images, _ = trained("ti", "affine", iterations=60)
    backwards = images.flip(0)[:10]
    every = read(state, torch.cat([images, images])).error[:24].flip(0)
    torch.testing.assert_close(read(state, backwards).error, every[:10], atol=1e-5, rtol=0)
    own = read(state, backwards, state.rows.flip(0)[:10])
    torch.testing.assert_close(own.error, read(state, images, state.rows).error.flip(0)[:10])


@pytest.mark.parametrize("rows", [[0, 1], [0, 1, 24]])
def test_rows_that_do_not_match_the_images_are_refused(rows):
    state, images, _ = trained("ti", "affine")
    with pytest.raises(EngineError, match="rows must be the 3 indices of these images"):
        read(state, images[:3], tensor(rows, torch.int64))


@pytest.mark.parametrize("shape", [(2, 1, 9, 9), (2, 3, 12, 12), (0, 1, 12, 12)])
def test_images_of_a_different_shape_are_refused(shape):
    state, images, _ = trained()
    with pytest.raises(EngineError, match="have the shape of the prototypes"):
        read(state, images.new_zeros(shape))


def test_the_accuracy_is_purity_if_the_numbers_of_clusters_and_classes_differ():
    labels = tensor([3, 3, 7, 7], torch.int64)
    found = agree(labels, tensor([1, 1, 0, 0], torch.int64), 2)
    assert (found.acc, found.rule, found.nmi, found.ari) == (1, "Hungarian", 1, 1)
    assert found.classes.tolist() == [3, 7]
    assert found.confusion.tolist() == [[0, 2], [2, 0]]
    more = agree(labels, tensor([0, 1, 2, 2], torch.int64), 4)
    assert (more.acc, more.rule) == (1, "purity")
    assert more.confusion.shape == (2, 4)
    fewer = agree(labels, tensor([0, 0, 0, 0], torch.int64), 1)
    assert (fewer.acc, fewer.rule) == (0.5, "purity")


def test_every_parameter_has_a_slider_and_values_of_zero_change_nothing():
    state, _, _ = trained(sequence="affine,morphology,tps,affine")
    found = knobs(state)
    assert {key: len(some) for key, some in found.items()} == {
        "affine": 6, "morphology": 50, "tps": 32, "affine 2": 6,
    }  # fmt: skip
    for some in found.values():
        assert all(low < 0 < high for _, _, low, high, _ in some)
    torch.testing.assert_close(move(state, 1, {}), state.prototypes[1])
    shifted = move(state, 1, {"affine": [0, 0, 0, 0, 2 / 5.5, 0]})
    torch.testing.assert_close(shifted[:, :-2], state.prototypes[1][:, 2:], atol=1e-5, rtol=0)


@pytest.mark.parametrize(("channels", "tints", "mixtures"), [(1, 2, 2), (3, 6, 12)])
def test_names_of_sliders_are_unique_and_contain_the_colours_of_channels(channels, tints, mixtures):
    images, _ = shapes(4, channels=channels)
    state = begin(config(sequence="projective,tps,morphology,color,color-full"), images, 0)
    found = {key: [name for name, *_ in some] for key, some in knobs(state).items()}
    assert all(len(set(names)) == len(names) for names in found.values())
    assert (len(found["color"]), len(found["color-full"])) == (tints, mixtures)
    assert found["color"][0] == ("grey weight" if channels == 1 else "red weight")
    assert found["tps"][17] == "row 1: point 2 left"


def test_a_control_point_moves_its_pixel_up_or_left():
    images = torch.zeros(2, 1, 13, 13, device="cpu")
    images[:, :, 8, 8] = 1  # the control point in row 3, column 3 of the 4 × 4 points
    state = begin(config(sequence="tps"), images, 0)
    names = [name for name, *_ in knobs(state)["tps"]]
    for name, place in (("row 3: point 3 up", (7, 8)), ("row 3: point 3 left", (8, 7))):
        values = [1 / 6 if other == name else 0.0 for other in names]
        moved = move(state, 0, {"tps": values})[0]
        assert divmod(int(moved.argmax()), 13) == place


@pytest.mark.parametrize(
    ("k", "values", "message"),
    [
        (2, {}, "k must be between 0 and 1; got 2"),
        (0, {"tps": []}, "modules must be among affine, morphology; got tps"),
        (0, {"affine": [1.0]}, "affine must have 6 values; got 1"),
    ],
)
def test_invalid_slider_values_are_refused_with_the_reason(k, values, message):
    state, _, _ = trained()
    with pytest.raises(EngineError, match=message):
        move(state, k, values)
