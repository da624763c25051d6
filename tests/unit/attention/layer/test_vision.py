import pytest
import torch

from ia_engine.attention.layer.rotated_digits import (
    Digits,
    DigitTrainingConfig,
    measure_error,
    train,
    turn_images,
)
from ia_engine.attention.layer.vision import (
    VisionConfig,
    build_invariant,
    build_plain,
    build_unaligned,
)
from ia_engine.errors import EngineError
from tests.tensors import blobs, rand

BUILDERS = (build_plain, build_invariant, build_unaligned)
SMALL = VisionConfig(features=8, hidden=12, heads=2, turns=4)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"image": 8, "patch": 10}, "at most 8 px, the size of the image; got 10 px"),
        ({"features": 30, "heads": 4}, "multiple of heads, 4; got 30"),
        ({"turns": 6}, "1 or a multiple of 4"),
    ],
)
def test_impossible_settings_of_a_network_are_refused(wrong, words):
    with pytest.raises(EngineError, match=words):
        VisionConfig(**wrong)


def test_a_patch_may_fill_the_image_and_a_single_rotation_is_allowed():
    config = VisionConfig(image=10, patch=10, turns=1, features=8, heads=2)
    assert build_invariant(config, "cpu")(blobs(2, size=10, dtype=torch.float32)).shape == (2, 10)


def count(network):
    return sum(parameter.numel() for parameter in network.parameters())


def seeded(build, config=SMALL):
    """The network with parameters from the CPU's generator, regardless of the default device."""
    network = build(config, "cpu")
    with torch.no_grad():
        for seed, parameter in enumerate(network.parameters()):
            parameter.copy_(rand(*parameter.shape, seed=seed, low=-0.5, high=0.5))
    return network


def test_networks_with_and_without_invariance_have_similar_numbers_of_parameters():
    plain, invariant, unaligned = (count(build(VisionConfig(), "cpu")) for build in BUILDERS)
    print(f"\n{plain} parameters without, {invariant} with, {unaligned} unaligned")
    assert abs(invariant - plain) < 0.02 * plain
    assert abs(unaligned - plain) < 0.02 * plain


@pytest.mark.parametrize("build", [build_invariant, build_unaligned])
def test_logits_do_not_change_when_the_image_rotates_by_90_degrees(build):
    network = seeded(build)
    v = blobs(3, size=16, dtype=torch.float32)
    for quarters in (1, 2, 3):
        torch.testing.assert_close(
            network(v.rot90(quarters, (-2, -1))), network(v), atol=1e-4, rtol=1e-4
        )


def test_logits_of_the_plain_network_change_when_the_image_rotates_by_90_degrees():
    network = seeded(build_plain)
    v = blobs(3, size=16, dtype=torch.float32)
    assert not torch.allclose(network(v.rot90(1, (-2, -1))), network(v), atol=1e-2)


def test_training_lowers_the_loss_and_yields_a_result_for_every_epoch():
    v, labels = blobs(24, size=16, dtype=torch.float32), torch.arange(24, device="cpu") % 2
    v = v * (1 + labels[:, None, None, None])
    generator = torch.Generator(device="cpu").manual_seed(0)
    config = DigitTrainingConfig(epochs=4, batch=8, rate=0.01)
    network = seeded(build_invariant)
    epochs = list(train(network, Digits(v, labels, v, labels), config, generator))
    assert [epoch.k for epoch in epochs] == [1, 2, 3, 4]
    assert epochs[-1].loss < epochs[0].loss
    assert epochs[-1].error == measure_error(network, v, labels)


def test_images_rotate_by_at_most_the_given_angle():
    v = blobs(4, size=16)
    generator = torch.Generator(device="cpu").manual_seed(0)
    torch.testing.assert_close(turn_images(v, 0.0, generator), v)
    assert not torch.allclose(turn_images(v, 1.0, generator), v, atol=1e-3)
