"""The numbers in the lessons on noise, arrows, groups and layers are those of their runs."""

from itertools import pairwise
from math import pi

import pytest
import torch

from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.means.algorithm1 import MeanConfig, find_mean
from ia_engine.attention.means.mean import sharpness
from ia_engine.datasets.noise import NoiseConfig, draw_noise, make_noise
from ia_engine.datasets.recipes import RECIPES, load_recipe, make
from ia_engine.datasets.shapes import draw_arrows, draw_ellipses
from ia_engine.equivariant.checkpoint import load_shipped
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.maps import trace, weigh_ink
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.catalogue import RUN_KINDS
from pages._ui.lessons.captions_learning import LAYERS
from pages._ui.lessons.captions_limits import ARROWS, CHOICE, CRAB_NOISE, NOISE, SEVEN_NOISE
from pages._ui.lessons.captions_poses import MEAN
from pages._ui.lessons.catalogue import LESSONS, run_of
from pages._ui.lessons.lesson import Place
from pages._ui.runs.current import find_saved

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")


def items(lesson, at):
    """The items of the run that a caption shows."""
    kept = find_saved(run_of(Place(lesson, at)))
    return list(RUN_KINDS[kept.kind].open(kept))


def steps(lesson, at):
    """The steps of invariant attention in the run of a caption."""
    return [item.shown["ia"] for item in items(lesson, at)]


def clusters(found):
    return [step.numbers.clusters for step in found]


def mixes(step, size):
    """True for each cluster that contains images of several classes."""
    classes: dict[int, set[int]] = {}
    for row, cluster in enumerate(step.numbers.assignments):
        classes.setdefault(cluster, set()).add(row // size)
    return [len(found) > 1 for found in classes.values()]


def similarity(sample, poses_of):
    """The mean product of the noise with the template, both of norm 1, for poses of a mean."""
    v = normalise(make(RECIPES.get(sample) or load_recipe(sample)).images)
    (first, *_) = find_mean(MeanConfig(steps=1, **poses_of), v, torch.ones(len(v), device="cpu"))
    return float((v[1:] * v[0]).sum((1, 2, 3)).mean()), float(
        (first.aligned[1:] * v[0]).sum((1, 2, 3)).mean()
    )


def test_the_noise_is_the_same_for_every_template():
    seven, crab = (
        make(recipe).images for recipe in (RECIPES[SEVEN_NOISE], load_recipe(CRAB_NOISE))
    )
    assert torch.equal(seven[1:], crab[1:])
    assert not torch.equal(seven[0], crab[0])
    assert len(seven) == 40


def test_each_image_of_noise_has_the_given_number_of_dots_inside_the_disc():
    noise = draw_noise(5, 30, seed=1)
    assert ((noise == 1).sum((1, 2, 3)) >= 30).all()
    assert (draw_noise(5, 1, seed=1) == 1).sum((1, 2, 3)).tolist() == [1] * 5
    p = torch.arange(48, device="cpu") - 23.5
    outside = p[:, None].square() + p.square() > (0.33 * 48 + 2) ** 2
    assert float(noise[:, :, outside].max()) == 0


def test_the_sharpness_in_the_captions_on_noise_is_that_of_the_runs():
    (random, _, _, moved), last = (caption.text for caption in NOISE.captions), NOISE.trial
    (film,) = items(NOISE, 0)[-1:]
    assert f"sharpness **{film.plain_sharpness:.3f}**" in random
    (film,) = items(NOISE, 3)[-1:]
    assert f"sharpness, **{film.steps[-1].sharpness:.3f}** at the end" in moved
    v = normalise(make_noise(NoiseConfig()).images)
    weights = torch.ones(len(v), device="cpu")
    (*_, end) = find_mean(MeanConfig(group="affine"), v, weights)
    assert f"f decreases to {end.objective:.2f}" in last.expect
    assert f"sharpness {float(sharpness(end.mu[None], v)[0]):.3f}" in last.expect


def test_alignment_with_a_template_makes_noise_similar_to_it():
    aligned, moved = NOISE.captions[1].text, NOISE.captions[3].text
    before, after = similarity(SEVEN_NOISE, {})
    assert f"on average **{before:.2f}** before and **{after:.2f}** after" in aligned
    _, less = similarity(SEVEN_NOISE, {"group": "translation"})
    assert f"({less:.2f} instead of {after:.2f})" in moved


def test_the_numbers_of_lesson_five_and_of_the_iterations_are_those_of_the_runs():
    (start, _, _, moved) = (caption.text for caption in NOISE.captions)
    (film,) = items(NOISE, 0)[-1:]
    assert "after five iterations" in start
    assert len(film.steps) == 1 + 5
    (real,) = items(MEAN, 0)[-1:]
    assert f"3s in lesson 5 has {real.steps[-1].sharpness:.2f}" in moved
    assert LESSONS.index(MEAN) + 1 == 5


def test_the_same_noise_becomes_the_template_that_it_is_aligned_with():
    assert NOISE.captions[2].data == CRAB_NOISE
    templates, means = [], []
    for recipe in (RECIPES[SEVEN_NOISE], load_recipe(CRAB_NOISE)):
        v = normalise(make(recipe).images)
        first, *_ = find_mean(MeanConfig(steps=1), v, torch.ones(len(v), device="cpu"))
        templates.append(v[0])
        means.append(normalise(first.aligned[1:].mean(0, keepdim=True))[0])
    found = torch.stack([(mean * template).sum() for mean in means for template in templates])
    like = found.reshape(2, 2)
    assert (like.diagonal() > 0.7).all()
    assert (like.diagonal() - like.fliplr().diagonal() > 0.1).all()


def test_arrows_are_two_clusters_under_translations_and_one_under_rotations():
    text = [caption.text for caption in ARROWS.captions]
    found = steps(ARROWS, 0)
    assert f"$d^2 = {found[0].numbers.d2_within:.2f}$ (0: equal)" in text[0]
    assert f"directions by ${found[0].numbers.d2_between:.2f}$" in text[0]
    assert clusters(found)[2:] == [2, 2, 2]
    assert found[2].numbers.ari == 1
    found = steps(ARROWS, 1)
    assert f"differ by $d^2 = {found[0].numbers.d2_between:.2f}$" in text[1]
    assert f"same direction (${found[0].numbers.d2_within:.2f}$)" in text[1]
    assert clusters(found)[1:] == [1] * 4


def test_a_large_beta_separates_arrows_by_their_shape_but_not_by_their_direction():
    found = steps(ARROWS, 2)
    assert ARROWS.captions[2].settings["beta"] == 60
    assert clusters(found)[-1] == 3
    assert mixes(found[-1], 6) == [True] * 3


def test_the_exercise_on_arrows_separates_them_by_direction_and_tilt():
    data = make(RECIPES["arrows"])
    config = AttentionConfig(group="translation", beta=15.0)
    *_, last = attend(plan((config,), data, 60), data)
    assert last.shown["ia"].numbers.clusters == 5
    assert mixes(last.shown["ia"], 6) == [False] * 5


def test_ellipses_are_split_by_size_then_separated_by_shape_and_then_merged():
    text = [caption.text for caption in CHOICE.captions]
    small, right, large = (steps(CHOICE, at) for at in (1, 2, 3))
    assert f"$d^2 = {small[0].numbers.d2_within:.2f}$ on average within" in text[1]
    assert clusters(small)[-1] == 4
    assert f"class $d^2 = {right[0].numbers.d2_within:.2f}$, between" in text[2]
    assert f"classes ${right[0].numbers.d2_between:.2f}$: **3 clusters**" in text[2]
    assert set(clusters(right)) == {3}
    assert right[-1].numbers.ari == 1
    before, after = right[0].numbers.d2_between, large[0].numbers.d2_between
    assert f"from {before:.2f} to **{after:.2f}**" in text[3]
    assert set(clusters(large)) == {1}
    assert clusters(steps(CHOICE, 0))[4] == 1


def test_translations_and_rotations_split_one_class_of_ellipses_by_its_size():
    assert "split by size" in CHOICE.captions[1].text
    areas = make(RECIPES["ellipses"]).images.sum((1, 2, 3)).tolist()
    assignments = steps(CHOICE, 1)[4].numbers.assignments
    parts = []
    for rows in (range(5), range(5, 10), range(10, 15)):
        sizes: dict[int, list[float]] = {}
        for row in rows:
            sizes.setdefault(assignments[row], []).append(areas[row])
        ordered = sorted(sizes.values())
        assert all(max(a) < min(b) for a, b in pairwise(ordered))
        parts.append(len(ordered))
    assert sorted(parts) == [1, 1, 2]


def test_the_exercise_on_groups_leaves_one_cluster():
    data = make(RECIPES["ellipses"])
    config = AttentionConfig(group="affine", beta=200.0)
    *_, last = attend(plan((config,), data, 60), data)
    assert last.shown["ia"].numbers.clusters == 1


def test_the_shares_in_the_captions_on_layers_are_those_of_the_network():
    text = [caption.text for caption in LAYERS.captions]
    v = draw_digit(3)
    maps = {layer.name: layer for layer in trace(load_shipped("alpha-f-p4").network, v).maps}
    assert len(maps) == 7
    kept = {name: weigh_ink(layer.places("kept"), v) for name, layer in maps.items()}
    assert "**{:.2f}** on the digit and **{:.2f}** beside".format(*kept["layer 1"]) in text[0]
    assert "(**{:.2f}**) and removes part of its".format(kept["layer 2"][0]) in text[1]
    assert f"(**{kept['layer 2'][1]:.2f}** is kept)" in text[1]
    assert "**{:.2f}** is kept on the digit and **{:.2f}**".format(*kept["layer 5"]) in text[2]
    assert maps["layer 5"].spatial.shape[-1] == 8


def test_the_maps_of_a_rotated_digit_are_the_same_up_to_the_error_in_the_caption():
    assert "rounding errors below 10⁻⁵" in LAYERS.captions[3].text
    v = draw_digit(3)
    network = load_shipped("alpha-f-p4").network
    upright, rotated = (
        next(layer.spatial for layer in trace(network, f).maps if layer.name == "layer 2")
        for f in (v, v.rot90(1, (2, 3)))
    )
    back = rotated.rot90(-1, (2, 3))
    errors = [float((back.roll(h, 1) - upright).norm() / upright.norm()) for h in range(4)]
    assert min(errors) < 1e-5
    assert errors[0] > 1e-2, "the maps also move to the next direction"


def test_an_arrow_that_is_rotated_by_180_degrees_points_to_the_other_side():
    one = torch.ones(1, device="cpu")
    left, right = (
        draw_arrows(angle * one, torch.zeros(1, 2, device="cpu"), 12 * one, 8 * one, one)
        for angle in (pi, 0.0)
    )
    torch.testing.assert_close(left, right.flip(-1), atol=1e-4, rtol=0)
    assert right[0, 0, :, 26:].sum() > 1.2 * right[0, 0, :, :22].sum(), "the head is on the right"


def test_ellipses_of_all_ratios_have_the_area_of_the_circle():
    one = torch.ones(3, device="cpu")
    ratio = torch.tensor([1.0, 1.6, 2.6], device="cpu")
    drawn = draw_ellipses(0.4 * one, torch.zeros(3, 2, device="cpu"), 8 * one, ratio)
    assert drawn.sum((1, 2, 3)).tolist() == pytest.approx([pi * 64] * 3, rel=0.02)
