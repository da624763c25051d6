"""The claims of the lessons on attention hold for the settings of their captions."""

from dataclasses import fields
from math import exp
from statistics import mean, median

import pytest
import torch

from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.runs.attend import attend, list_distances, plan, restore_weights
from pages._ui.lessons.captions_poses import BASIN
from pages._ui.lessons.captions_weights import BETA, MUSH, SIX_NINE

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")
KNOBS = {field.name for field in fields(AttentionConfig)}


def run(caption, method="ia", **changed):
    """The steps of one method with the settings of a caption."""
    asked = {**caption.settings, **changed}
    config = AttentionConfig(**{name: asked[name] for name in KNOBS & set(asked)}, method=method)
    data = make(RECIPES.get(caption.data) or load_recipe(caption.data))
    return [moment.shown[method] for moment in attend(plan((config,), data, 60), data)]


def run_kernel(caption, kernel_beta=KERNEL_BETA, **changed):
    return run(caption, "ka", beta=kernel_beta, **changed)


def clusters(steps):
    return [step.numbers.clusters for step in steps]


def distances(step):
    return step.numbers.d2_within, step.numbers.d2_between


def mixed(steps, size=6):
    """True if some cluster of the last step contains images from both halves of the data."""
    found = steps[-1].numbers.assignments
    return bool(set(found[:size]) & set(found[size:]))


def apart(steps, size):
    """The number of pairs within classes, and the distant pairs among them."""
    first = next(iter(list_distances(steps)))
    n = len(first)
    pairs = [(i, j) for i in range(n) for j in range(n) if i != j and i // size == j // size]
    return len(pairs), {(i + 1, j + 1) for i, j in pairs if first[i, j] > 0.3}


def test_in_lesson_1_pixel_distances_do_not_distinguish_a_rotated_crab_from_a_snail():
    steps = run_kernel(MUSH.captions[1])
    assert distances(steps[0]) == pytest.approx((1.42, 1.39), abs=0.005)
    assert steps[0].numbers.block_mass == pytest.approx(0.28, abs=0.005)
    assert clusters(run_kernel(MUSH.captions[3]))[2:] == [1, 1, 1]


def test_in_lesson_1_aligned_crabs_are_similar_and_their_weights_form_a_block():
    steps = run(MUSH.captions[3])
    assert distances(steps[0]) == pytest.approx((0.02, 0.60), abs=0.005)
    assert steps[0].numbers.block_mass > 0.995
    assert clusters(steps)[-1] == 3
    assert steps[-1].numbers.ari == 1


def test_in_lesson_1_kernel_attention_with_the_beta_of_invariant_attention_has_diagonal_weights():
    steps = run_kernel(MUSH.captions[2], kernel_beta=15.0)
    assert "with β = 15 each image would give nearly all its weight" in MUSH.captions[2].text
    assert float(restore_weights(steps[0]).diagonal().min()) > 0.99


def test_in_the_exercise_of_lesson_1_the_weights_are_diagonal():
    steps = run_kernel(MUSH.captions[-1], kernel_beta=10.0)
    assert set(clusters(steps)) == {18}
    assert float(restore_weights(steps[-1]).diagonal().min()) > 0.98


def test_a_small_beta_merges_the_classes_and_a_large_beta_merges_nothing():
    usual, small, large, _ = BETA.captions
    steps = run(usual)
    assert distances(steps[0]) == pytest.approx((0.18, 0.36), abs=0.005)
    assert clusters(steps)[2:] == [2, 2, 2]
    assert steps[2].numbers.ari == 1
    merged = run(small)
    assert clusters(merged)[1:] == [1, 1, 1, 1]
    within, between = distances(merged[small.step])
    assert between < 1.2 * within, "a 3 and a 7 must be nearly as similar as two 3s"
    assert set(clusters(run(large))) == {8}


def test_weights_stated_in_the_captions_on_beta_follow_from_the_mean_distances():
    within, between = distances(run(BETA.captions[0])[0])
    usual, small, large, _ = (caption.text for caption in BETA.captions)
    assert f"{exp(-15 * within):.2f} within a class and" in usual
    assert f"{exp(-15 * between):.3f} between" in usual
    assert f"weight {exp(-5 * between):.2f} in a 3's average" in small
    assert f"another 3 has weight {exp(-5 * within):.2f}" in small
    assert "below 10⁻¹⁷ (the median is 8·10⁻¹⁸). The mean is 1.4·10⁻⁵" in large
    first = next(iter(list_distances(run(BETA.captions[2]))))
    pairs = [(i, j) for i in range(12) for j in range(12) if i != j and i // 6 == j // 6]
    weights = [exp(-200 * float(first[i, j])) for i, j in pairs]
    assert median(weights) == pytest.approx(8e-18, rel=0.2)
    assert mean(weights) == pytest.approx(1.4e-5, rel=0.1)
    assert float(restore_weights(run(BETA.captions[2])[0]).diagonal().min()) > 0.99


def test_a_beta_set_from_a_quantile_grows_as_the_classes_contract():
    steps = run(BETA.captions[-1])
    assert distances(steps[1])[0] < distances(steps[0])[0], (
        "1/β is a quantile of the squared distances"
    )
    assert steps[0].beta == pytest.approx(9.2, abs=0.05)
    assert clusters(steps)[1:] == [2, 2, 2, 2]
    assert steps[1].numbers.ari == 1


def test_the_exercise_on_beta_merges_all_images():
    steps = run(BETA.captions[-1], bandwidth="local")
    assert clusters(steps)[1:] == [1, 1, 1, 1]
    assert distances(steps[-1])[1] < 0.05, "the distance must be far below the 0.36 of the data"


def test_six_and_nine_stay_apart_under_translations_and_merge_under_rotations():
    shifted, rotated, sharp = map(run, SIX_NINE.captions)
    assert shifted[0].numbers.block_mass == pytest.approx(0.99, abs=0.005)
    assert clusters(shifted)[-1] == 5
    assert not mixed(shifted)
    assert distances(rotated[0]) == pytest.approx((0.17, 0.25), abs=0.005)
    assert clusters(rotated)[-1] == 1
    assert clusters(sharp)[-1] == 3
    (mixture,) = set(sharp[-1].numbers.assignments[:6])
    assert sharp[-1].numbers.assignments[6:].count(mixture) == 3
    d2 = next(iter(list_distances(sharp)))
    own = d2[6:, 6:].masked_fill(torch.eye(6, device=d2.device).bool(), torch.inf)
    assert bool((d2[6:, :6].amin(1) < own.amin(1)).any()), (
        "some 9 must be nearer to a 6 than to any 9"
    )


def test_the_exercise_on_six_and_nine_merges_almost_no_images():
    assert clusters(run(SIX_NINE.captions[-1], group="rotation"))[-1] == 11


def test_annealing_reduces_the_number_of_pairs_in_wrong_basins_and_global_search_leaves_none():
    _, descent, blurred, searched = BASIN.captions
    plain = run(descent, steps=1)
    assert apart(plain, 6)[0] == 90
    assert len(apart(plain, 6)[1]) == 72
    assert clusters(plain)[-1] == 10
    annealed = run(blurred, steps=1)
    assert len(apart(annealed, 6)[1]) == 22
    assert (8, 10) in apart(annealed, 6)[1]
    assert clusters(annealed)[-1] == 3
    assert annealed[-1].numbers.ari == 1
    whole = run(searched, steps=1)
    assert not apart(whole, 6)[1]
    assert distances(whole[0])[0] == pytest.approx(0.02, abs=0.005)


def test_the_exercise_on_basins_merges_the_classes():
    steps = run(BASIN.captions[-1], sigma=2.0)
    assert distances(steps[0])[1] == pytest.approx(0.14, abs=0.005)
    assert clusters(steps)[2] == 1
