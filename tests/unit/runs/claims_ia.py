"""Alterations of inputs or models for which the claims of Invariant Attention's entries fail."""

from dataclasses import replace
from functools import cache
from unittest.mock import patch

import torch

from ia_engine.attention.distances.alignment import Euclidean
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.theory import uniqueness
from ia_engine.attention.theory.uniqueness import SE2
from ia_engine.datasets.experiments import (
    EXPERIMENT_1,
    BlobsConfig,
    Experiment2Config,
    make_blobs,
    make_experiment_2,
)
from ia_engine.datasets.generated import generate
from ia_engine.runs.papers import invariant as figures
from ia_engine.runs.papers import invariant_iterations as iterations
from ia_engine.runs.papers import invariant_manifolds as manifolds
from ia_engine.runs.papers import invariant_questions as questions
from ia_engine.runs.papers import invariant_theorems as theorems
from tests.unit.runs.altered import Altered

SMALL = replace(EXPERIMENT_1, copies=3, size=32)


def permute(data):
    """The same images with labels in the order 0, 1, 2, 0, 1, 2, …"""
    n, classes = len(data.labels), len(data.labels.unique())
    return replace(data, labels=torch.arange(n, device="cpu") % classes)


def three_classes():
    return manifolds.judge([manifolds.approach(manifolds.CLASSES, 0, iterations=2)])


def mixed_blobs():
    return figures.judge_collapse([figures.follow_points(permute(make_blobs(BlobsConfig())))])


def near_blobs():
    return figures.judge_collapse([figures.follow_points(make_blobs(BlobsConfig(radius=0.6)))])


def average(group="se2", data=None):
    return figures.judge_means([figures.average_classes(data or generate(SMALL), group)])


def upright():
    """Copies without a transformation."""
    return average(data=generate(replace(SMALL, distortions=())))


def plain_attention():
    """Kernel attention instead of invariant attention."""
    return figures.judge_means([figures.average_classes(generate(SMALL), method="ka")])


def attend(config, *, permuted=False):
    data = generate(SMALL)
    return iterations.judge([iterations.attend_to(permute(data) if permuted else data, config)])


def descend(steps=2):
    data = make_experiment_2(Experiment2Config("digits", copies=3))
    small = replace(data, images=data.images[..., ::2, ::2])
    config = replace(figures.DESCENT, schedule="constant", steps=steps)
    return figures.judge_descent([figures.find_three(small, config)])


def too_small_constant():
    found = theorems.find_ratios("experiment-1", 100, theorems.GRID[:1])
    return theorems.judge_contraction([found], at=0)


def no_alignment():
    """Means of images whose poses are not changed."""

    def stay(problem, anchor):
        yield SE2.identity(len(problem.v), problem.v)

    with patch.object(uniqueness, "_solve", stay):
        return theorems.judge_solutions([theorems.compare_solutions(theorems.draw_threes(0), 0)])


@cache
def baselines():
    """Invariant attention with pixel distances instead of invariant distances, for three seeds."""
    scored = [
        questions.score_methods(questions.draw_digit_copies(seed), seed, Euclidean())
        for seed in range(3)
    ]
    runs = {name: [one[name] for one in scored] for name in questions.METHODS}
    return questions.judge_first(runs, "invariant attention", "")


def groups():
    data = permute(questions.draw_digit_copies(0))
    found = questions.score_groups(data, ("translation", "se2"))
    return questions.judge_groups({name: [value] for name, value in found.items()})


def arrows():
    return score_directions(permute(questions.draw_arrows(0)))


def drawings():
    """Two shapes instead of two directions."""
    return score_directions(generate(replace(SMALL, bases=("crab", "seven"))))


def score_directions(data):
    found = questions.score_groups(data, ("se2", "translation"))
    return questions.judge_harm({name: [value] for name, value in found.items()})


def plain_network():
    """Two networks with softmax attention."""
    with patch.object(questions, "build_invariant", questions.build_plain):
        found = questions.train_both(0, epochs=1)
    return questions.judge_learned({name: [value] for name, value in found.items()})


ROWS = (
    Altered("ia-figure-1", 0, "three classes", three_classes),
    Altered("ia-figure-1", 1, "three classes", three_classes),
    Altered("ia-figure-2", 0, "permuted labels", mixed_blobs),
    Altered("ia-figure-2", 1, "overlapping blobs", near_blobs),
    Altered("ia-figure-3", 0, "copies in one pose", upright),
    Altered("ia-figure-3", 1, "copies in one pose", upright),
    Altered("ia-figure-3", 2, "translations only", lambda: average("translation")),
    Altered("ia-figure-3", 3, "plain attention", plain_attention),
    Altered("ia-figure-4", 0, "exact poses", lambda: attend(AttentionConfig(steps=2))),
    Altered("ia-figure-4", 0, "permuted labels",
            lambda: attend(AttentionConfig(steps=2, beta=2.0), permuted=True)),
    Altered("ia-figure-4", 1, "permuted labels",
            lambda: attend(AttentionConfig(steps=2), permuted=True)),
    Altered("ia-figure-5", 0, "one step", lambda: descend(1)),
    Altered("ia-figure-5", 1, "two steps", descend),
    Altered("ia-theorem-31", 0, "no alignment", no_alignment),
    Altered("ia-theorem-41", 0, "small constant", too_small_constant),
    *(Altered("ia-question-baselines", at, "plain attention", baselines) for at in range(3)),
    Altered("ia-question-groups", 0, "permuted labels", groups),
    Altered("ia-question-harm", 0, "two shapes", drawings),
    Altered("ia-question-harm", 1, "permuted labels", arrows),
    Altered("ia-question-learned", 0, "plain attention", plain_network),
)  # fmt: skip
