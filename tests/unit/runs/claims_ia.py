"""Alterations of inputs or models for which the claims of Invariant Attention's entries fail."""

from dataclasses import replace
from functools import cache
from unittest.mock import patch

import torch

from ia_engine.attention.distances.alignment import Euclidean
from ia_engine.attention.iteration import AttentionConfig, normalise
from ia_engine.attention.theory import contraction
from ia_engine.attention.weights import weigh
from ia_engine.datasets.experiments import (
    EXPERIMENT_1,
    Experiment2Config,
    make_blobs,
    make_experiment_2,
)
from ia_engine.datasets.generated import generate
from ia_engine.images import blur, pixel_grid
from ia_engine.runs.papers import invariant as figures
from ia_engine.runs.papers import invariant_iterations as iterations
from ia_engine.runs.papers import invariant_manifolds as manifolds
from ia_engine.runs.papers import invariant_mean as means
from ia_engine.runs.papers import invariant_questions as questions
from ia_engine.runs.papers import invariant_theorems as theorems
from tests.unit.runs.altered import Altered

SMALL = replace(EXPERIMENT_1, copies=3, size=32)
PAIR = range(2)
"""Seeds of a comparison by the spread of paired seeds."""


def permute(data):
    """The same images with labels in the order 0, 1, 2, 0, 1, 2, …"""
    n, classes = len(data.labels), len(data.labels.unique())
    return replace(data, labels=torch.arange(n, device="cpu") % classes)


@cache
def approach(data):
    return [manifolds.approach(data, seed) for seed in PAIR]


def coincide(data=manifolds.THREES):
    return manifolds.judge(approach(data), approach(manifolds.CLASSES))


def collapse(alter=lambda data: data, **shape):
    blobs = [make_blobs(replace(figures.BLOBS, seed=seed, **shape)) for seed in PAIR]
    return figures.judge_collapse([figures.follow_points(alter(data)) for data in blobs])


def average(group="se2", method="ia", **drawings):
    data = generate(replace(EXPERIMENT_1, **drawings))
    return figures.judge_means([figures.average_classes(data, group, method)])


@cache
def attend(config=iterations.UNFINISHED, alter=None):
    alter = alter or (lambda data: data)
    data = [alter(generate(replace(SMALL, seed=seed))) for seed in PAIR]
    return iterations.judge([iterations.attend_to(one, config) for one in data])


@cache
def descend(digit=3, rate=1.0):
    """A mean of four small digits, compared with four examples of each; it should be a 3."""
    config = replace(means.DESCENT)
    object.__setattr__(config, "rate", rate)  # a negative rate is not permitted
    found = []
    for seed in PAIR:
        three = Experiment2Config("digits", copies=4, seed=seed)
        data = make_experiment_2(replace(three, digit=digit))
        small = replace(make_experiment_2(three), images=data.images[..., ::2, ::2])
        with patch.object(means, "EXAMPLES", 4):
            found.append(means.find_three(small, config))
    return means.judge_descent(found)


def contract():
    constants = tuple(c for c in theorems.GRID if c <= theorems.CONSTANT)
    found = [theorems.find_ratios(theorems.ONE_CLASS, seed, constants) for seed in PAIR]
    return theorems.judge_contraction(found)


@cache
def contract_with_permuted_weights():
    def permuted(d2, beta):
        return weigh(d2, beta).roll(len(d2) // 2, 1)

    with patch.object(contraction, "weigh", permuted):
        return contract()


def solve(draw=theorems.draw_threes):
    return theorems.judge_solutions([theorems.compare_solutions(draw(0), 0)])


def draw_spots(seed):
    """Two discs, each with a spot; the spots do not overlap at any angle."""
    grid = pixel_grid(45, 45, torch.zeros(1, device="cpu"))

    def disc(q, radius):
        return ((grid - grid.new_tensor([0.0, q])).norm(dim=-1) <= radius).float()

    images = torch.stack([disc(0.0, 5.0) + disc(q, 1.5) for q in (8.0, 18.0)])[:, None]
    return normalise(blur(images, 1.0))


@cache
def baselines(distance=questions.POSES):
    """Three seeds, with invariant distances or, as an alteration, with pixel distances."""
    runs = {name: [] for name in questions.METHODS}
    for seed in range(3):
        scores = questions.score_methods(questions.draw_digit_copies(seed), seed, distance)
        for name, score in scores.items():
            runs[name].append(score)
    return questions.judge_first(runs, "invariant attention", "")


def groups(alter=lambda data: data):
    data = alter(questions.draw_digit_copies(0))
    found = questions.score_groups(data, ("translation", "se2"))
    return questions.judge_groups({name: [value] for name, value in found.items()})


def directions(data=None):
    found = questions.score_groups(data or questions.draw_arrows(0), ("se2", "translation"))
    return questions.judge_harm({name: [value] for name, value in found.items()})


def learn(networks=questions.NETWORKS):
    """The networks without augmentation, after one epoch."""
    compared = {name: networks[name] for name in ("softmax attention", "invariant attention")}
    with patch.object(questions, "NETWORKS", compared):
        found = questions.train_all(0, epochs=1)
    return questions.judge_learned({name: [value] for name, value in found.items()})


PLAIN_NETWORKS = {name: (questions.build_plain, turn) for name, (_, turn) in
                  questions.NETWORKS.items()}  # fmt: skip

CONTROLS = {
    "ia-figure-1": coincide,
    "ia-figure-2": collapse,
    "ia-figure-3": average,
    "ia-figure-4": attend,
    "ia-figure-5": descend,
    "ia-theorem-31": solve,
    "ia-theorem-41": contract,
    "ia-question-baselines": baselines,
    "ia-question-groups": groups,
    "ia-question-harm": directions,
    "ia-question-learned": learn,
}
"""The same computations as in ROWS, without an alteration: all claims hold."""

ROWS = (
    *(Altered("ia-figure-1", at, "three classes", lambda: coincide(manifolds.CLASSES))
      for at in range(2)),
    Altered("ia-figure-2", 0, "permuted labels", lambda: collapse(permute)),
    Altered("ia-figure-2", 1, "narrow blobs", lambda: collapse(spread=0.2)),
    Altered("ia-figure-2", 2, "overlapping blobs", lambda: collapse(spread=0.3, radius=0.8)),
    Altered("ia-figure-3", 0, "copies in one pose", lambda: average(distortions=())),
    Altered("ia-figure-3", 1, "copies of one drawing in one pose",
            lambda: average(distortions=(), bases=("crab",))),
    Altered("ia-figure-3", 2, "translations only", lambda: average("translation")),
    Altered("ia-figure-3", 3, "plain attention", lambda: average(method="ka")),
    Altered("ia-figure-4", 0, "exact poses", lambda: attend(AttentionConfig(steps=2))),
    *(Altered("ia-figure-4", at, "permuted labels", lambda: attend(alter=permute))
      for at in (1, 2, 3)),
    *(Altered("ia-figure-5", at, "steps in the wrong direction", lambda: descend(rate=-1.0))
      for at in (0, 1)),
    *(Altered("ia-figure-5", at, "another digit", lambda: descend(digit=0)) for at in (2, 3)),
    Altered("ia-theorem-31", 0, "images without a unique mean", lambda: solve(draw_spots)),
    Altered("ia-theorem-41", 0, "permuted weights", contract_with_permuted_weights),
    *(Altered("ia-question-baselines", at, "plain attention", lambda: baselines(Euclidean()))
      for at in range(3)),
    Altered("ia-question-groups", 0, "permuted labels", lambda: groups(permute)),
    Altered("ia-question-harm", 0, "two shapes",
            lambda: directions(generate(replace(SMALL, bases=("crab", "seven"))))),
    Altered("ia-question-harm", 1, "permuted labels",
            lambda: directions(permute(questions.draw_arrows(0)))),
    Altered("ia-question-learned", 0, "plain attention", lambda: learn(PLAIN_NETWORKS)),
)  # fmt: skip
