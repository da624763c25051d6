"""The distances that a stored run has for the advice on β."""

from dataclasses import replace

import pytest
import torch

from ia_engine.attention.advice import advise
from ia_engine.attention.iteration import AttentionConfig, normalise, weigh_images
from ia_engine.datasets.experiments import BlobsConfig, make_blobs
from ia_engine.datasets.generated import GeneratedConfig, generate
from ia_engine.runs.attend import attend, known_distances, plan

BLOBS = make_blobs(BlobsConfig(blobs=3, points=5))
CONFIG = AttentionConfig(method="ka", beta=0.8, steps=2)


def run(data, config=CONFIG):
    planned = plan((config,), data, 60)
    return planned, [moment.shown[config.method] for moment in attend(planned, data)]


def advice_of(data):
    _, steps = run(data)
    return advise(known_distances(steps[0].frame, CONFIG), CONFIG.beta, CONFIG.steps)


def test_the_advice_does_not_depend_on_the_labels():
    shuffled = replace(BLOBS, labels=BLOBS.labels.flip(0).roll(3))
    assert advice_of(shuffled) == advice_of(BLOBS)


@pytest.mark.parametrize("kernel", ["rbf", "laplace", "softmax"])
def test_the_weights_for_the_advice_are_those_of_the_run(kernel):
    images = generate(GeneratedConfig(copies=2, size=24))
    config = replace(CONFIG, kernel=kernel)
    _, steps = run(images, config)
    W, _ = weigh_images(
        config,
        normalise(images.images),
        torch.tensor(steps[0].frame.arrays["d2"], device="cpu"),
        None,
    )
    known = known_distances(steps[0].frame, config)
    torch.testing.assert_close(known.weigh(config.beta).float(), W, atol=1e-5, rtol=1e-4)
