"""Figures of a run agree with its numbers, with or without labels."""

import pytest
import torch

from ia_engine.attention.clusters.embedding import embed_steps
from ia_engine.attention.clusters.measures import measure, to_numbers
from ia_engine.attention.iteration import AttentionConfig, iterate
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.figures.matrices import Weighed, draw_weights, ramp_for
from ia_engine.figures.plots import (
    plot_contraction,
    plot_distances,
    plot_embedding,
    plot_tree,
    tabulate_steps,
)

NAMES = tuple(f"<b>point {i}" for i in range(12))


@pytest.fixture(params=[True, False], ids=["labels", "no labels"])
def run(request):
    data = make_blobs(BlobsConfig(blobs=3, points=4))
    labels = data.labels if request.param else None
    config = AttentionConfig(method="ka", beta=2.0, steps=4)
    steps = list(measure(iterate(config, data.points), labels))
    return steps, data.labels.tolist() if request.param else []


def list_numbers(steps):
    return {"ka": [to_numbers(measured) for measured in steps]}


def ends(steps):
    return {"ka": tuple(Weighed(steps[at].step.W, to_numbers(steps[at])) for at in (0, -1))}


def test_the_tree_joins_exactly_the_images_that_merged(run):
    steps, labels = run
    lines, leaves, *_ = plot_tree(list_numbers(steps), labels, NAMES).data
    assert len(leaves.x) == 12
    assert lines.x.count(None) == 12 - steps[-1].clusters


def test_the_plane_has_one_frame_for_each_step_and_shows_names_as_text(run):
    steps, labels = run
    planes = {"ka": list(embed_steps(m.step.d2 for m in steps))}
    figure = plot_embedding(planes, {"ka": labels or [0] * 12}, NAMES)
    assert len(figure.frames) == 4
    assert figure.data[0].text[0].startswith("&lt;b&gt;")
    assert all(len(frame.data[0].x) == 12 for frame in figure.frames)


def test_the_first_and_last_matrices_are_shown_with_their_block_mass(run):
    steps, labels = run
    drawn = draw_weights(ends(steps), labels, dark=False)
    for measured in (steps[0], steps[-1]):
        says = f"within classes: {100 * measured.block_mass:.1f} %" if labels else "cluster"
        assert says in drawn
    assert drawn.count("<image") == 3, "there must be two matrices and the scale"


def test_plots_of_contraction_and_distances_contain_the_measured_values(run):
    steps, _ = run
    runs = list_numbers(steps)
    ratio, radius = plot_contraction(runs).data
    assert list(ratio.y) == [m.contraction for m in steps]
    assert radius.y[0] == pytest.approx(float(steps[0].step.d2.max()) ** 0.5)
    assert len(plot_distances(runs).data) == 2
    assert [row["iteration"] for row in tabulate_steps(runs)] == [0, 1, 2, 3]


def test_drawing_does_not_change_the_results(run):
    steps, labels = run
    before = [m.step.W.clone() for m in steps]
    draw_weights(ends(steps), labels, dark=True)
    assert all(torch.equal(a, m.step.W) for a, m in zip(before, steps, strict=True))


def test_the_value_0_has_the_background_colour_and_1_the_text_colour():
    nothing, everything = ramp_for(dark=False)[[0, -1]].mean(1)
    assert (nothing > 180, everything < 80) == (True, True)
    assert (ramp_for(dark=True) == ramp_for(dark=False)[::-1]).all()
