"""The claims of the lessons on poses, means and strides hold."""

from dataclasses import fields

import pytest

from ia_engine.attention.manifolds.landscape import survey
from ia_engine.attention.manifolds.pair import PairConfig, solve
from ia_engine.attention.manifolds.sample import gather
from ia_engine.attention.means.algorithm1 import MeanConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.equivariant.digits import draw_digit
from ia_engine.equivariant.measures import compare_regimes, compare_strides
from ia_engine.figures.mean import film_mean, plan_mean
from pages._ui.equivariance.convolution import KERNEL, PADDING, SIDES, WAYS
from pages._ui.lessons.captions_learning import STRIDE
from pages._ui.lessons.captions_poses import BASIN, MEAN, SIGMA

pytestmark = pytest.mark.cpu_only("the catalogue's data are on the CPU")


def pair(caption, **changed):
    few = gather(make(RECIPES[caption.data]))
    i, j = caption.settings["i"] - 1, caption.settings["j"] - 1
    config = PairConfig(sigma=float(caption.settings.get("sigma", 0)), **changed)
    return few.v[i : i + 1], few.v[j : j + 1], config


def mean(caption, **changed):
    names = {field.name for field in fields(MeanConfig)}
    asked = {**caption.settings, **changed}
    config = MeanConfig(**{name: asked[name] for name in names & set(asked)})
    *_, film = film_mean(*plan_mean(config, make(RECIPES[caption.data])))
    return film


def test_smoothing_widens_the_basin_but_too_much_smoothing_creates_a_rival_minimum():
    solved = [solve(*pair(caption)) for caption in SIGMA.captions]
    assert [one.outcome for one in solved] == ["wrong", "moving", "found", "rival"]
    assert len(solved[1].descent.d2) - 1 == 100, "the caption states this number of steps"
    turns = [one.descent.degrees for one in solved]
    assert turns == pytest.approx([1.4, -30.6, -99.0, 34.2], abs=0.6)
    assert solved[0].best.degrees == pytest.approx(-103, abs=0.6)


def test_with_too_much_smoothing_the_distance_is_small_at_every_rotation():
    source, target, config = pair(SIGMA.captions[-1])
    surveyed = survey(source, target)
    sharp, blurred = (float(surveyed.smooth(s).curve().max()) for s in (0.0, config.sigma))
    assert sharp == pytest.approx(0.98, abs=0.005)
    assert blurred < 0.01
    assert "rose to 0.98 without smoothing, stays below 0.01" in SIGMA.captions[-1].text
    assert float(solve(source, target, config).descent.d2[-1]) == pytest.approx(0.0054, abs=5e-5)


def test_the_basin_contains_the_share_of_poses_stated_in_the_captions():
    source, target, _ = pair(SIGMA.captions[0])
    surveyed = survey(source, target)
    shares = [float(surveyed.smooth(sigma).basin().double().mean()) for sigma in (0.0, 1.0, 2.0)]
    assert shares == pytest.approx([0.027, 0.45, 0.58], abs=0.006)
    start = len(surveyed.smooth(1.0).theta) // 2, 32, 32
    assert not surveyed.smooth(0.0).basin()[start]
    assert surveyed.smooth(1.0).basin()[start], "the descent must start in the right basin"


def test_the_descent_of_the_exercise_on_smoothing_arrives_after_about_240_steps():
    solved = solve(*pair(SIGMA.captions[1], updates=400))
    assert solved.outcome == "found"
    assert solved.descent.degrees == pytest.approx(-102.5, abs=0.1)
    assert len(solved.descent.d2) - 1 == pytest.approx(240, abs=10)


def test_the_descent_of_the_sevens_ends_in_a_wrong_basin():
    solved = solve(*pair(BASIN.captions[0]))
    assert solved.outcome == "wrong"
    assert (solved.descent.degrees, solved.best.degrees) == pytest.approx((3, -114), abs=0.6)
    assert float(solved.descent.d2[-1]) == pytest.approx(0.19, abs=0.005)
    assert float(solved.best.d2[-1]) < 0.001


def test_smoothing_alone_does_not_align_the_sevens():
    assert "Smoothing alone does not align this pair" in BASIN.captions[0].text
    caption = BASIN.captions[0]
    for sigma in range(9):
        source, target, _ = pair(caption)
        solved = solve(source, target, PairConfig(sigma=float(sigma)))
        assert abs(solved.descent.degrees - solved.best.degrees) > 60, sigma


def test_the_sharpness_of_the_mean_depends_on_the_group_and_the_start():
    films = [mean(caption) for caption in MEAN.captions]
    assert films[0].plain_sharpness == pytest.approx(0.14, abs=0.005)
    last = [film.steps[-1].sharpness for film in films]
    assert last == pytest.approx([0.68, 0.36, 0.29, 0.68], abs=0.006)
    good = films[-1].steps
    assert good[0].sharpness == pytest.approx(0.68, abs=0.006)
    assert good[-1].objective == pytest.approx(0.09, abs=0.005)
    affine = mean(MEAN.captions[-1], group="affine").steps[-1]
    assert (affine.sharpness, affine.objective) == pytest.approx((0.76, 0.08), abs=0.005)


def test_strides_are_exact_where_the_captions_say_so():
    asked = [(caption.settings["side"], caption.settings["way"]) for caption in STRIDE.captions]
    asked.append((list(SIDES)[1], asked[-1][1]))
    found = []
    for side, way in asked:
        stride, pooled = WAYS[way]
        found.append(compare_strides(SIDES[side], stride, KERNEL, PADDING, pooled=pooled))
    assert [one.exact for one in found] == [True, False, True, True, False]
    assert (found[1].error, found[4].error) == pytest.approx((1.57, 0.56), abs=0.01)
    assert "below 10⁻⁶" in STRIDE.captions[0].text
    assert found[0].error < 1e-6


def test_attention_of_a_network_with_strides_has_an_error_of_a_third():
    strides, pooled = compare_regimes(draw_digit(3))
    assert max(strides.errors) == pytest.approx(0.3, abs=0.05)
    assert max(pooled.errors) < 1e-5
