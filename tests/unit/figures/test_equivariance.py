"""Maps during a full rotation, and figures of them."""

import base64
import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import torch
from PIL import Image

from ia_engine.equivariant import race as race_module
from ia_engine.equivariant.checkpoint import load_shipped
from ia_engine.equivariant.digits import HAND, SCRIBBLED, draw_digit, draw_strokes, fit, read_pad
from ia_engine.equivariant.groups import P4, P4M, Z2
from ia_engine.equivariant.maps import picture_convolution, weigh_ink
from ia_engine.equivariant.measures import compare_regimes, compare_strides
from ia_engine.equivariant.networks import make_untrained
from ia_engine.equivariant.orbit import turn_each, turn_once
from ia_engine.equivariant.race import RaceConfig, count_steps, run_race
from ia_engine.errors import EngineError
from ia_engine.figures.equivariance.convolution import draw_convolution
from ia_engine.figures.equivariance.curves import draw_answers, draw_race
from ia_engine.figures.equivariance.strides import draw_regimes, draw_responses, draw_supports
from ia_engine.figures.equivariance.turning import (
    Turning,
    pack_turning,
    to_bytes,
    to_signed,
    widen,
)
from ia_engine.figures.svg import DESCENT, GLOBAL, RAMP
from tests.frames import decode
from tests.tensors import tensor

pytestmark = pytest.mark.cpu_only("draws with Pillow, and the networks are on the CPU")


@pytest.fixture(scope="module")
def orbits():
    v = draw_digit(3)
    return {
        "attentive": turn_once(make_untrained("alpha-f-p4"), P4, v, count=8),
        "plain": turn_once(make_untrained("z2"), Z2, v, count=8),
    }


def test_attention_rotates_exactly_with_the_image_at_multiples_of_90_degrees(orbits):
    orbit = orbits["attentive"]
    maps = [orbit.composed["kept"].heat, orbit.composed["removed"].heat, orbit.features]
    for turned in [*maps, *(layer.spatial for layer in orbit.layers)]:
        assert float(turned.error[::2].max()) < 1e-5
    assert float(orbit.composed["kept"].heat.error[1::2].min()) > 0.01, (
        "45° is not an element of the group"
    )


def test_maps_of_a_mirrored_image_are_exact_in_p4m_but_not_in_p4():
    v = draw_digit(3)
    for name, group, exact in (("alpha-f-p4m", P4M, True), ("alpha-f-p4", P4, False)):
        orbit = turn_once(make_untrained(name), group, v, count=4, mirrored=True)
        assert torch.equal(orbit.images[0], v[0].flip(-1))
        maps = [orbit.composed["kept"].heat, orbit.features]
        for turned in [*maps, *(layer.spatial for layer in orbit.layers)]:
            worst = float(turned.error.max())
            assert worst < 1e-5 if exact else worst > 0.005
            torch.testing.assert_close(turned.upright.shape, turned.back.shape[1:])


def test_maps_of_a_plain_network_do_not_rotate_with_the_image(orbits):
    assert float(orbits["plain"].features.error[2:].min()) > 0.05
    assert not orbits["plain"].composed
    assert not orbits["plain"].layers


def test_predictions_are_the_same_at_all_multiples_of_90_degrees(orbits):
    p = orbits["attentive"].probabilities
    assert (p[::2] - p[0]).abs().max() < 1e-5
    assert (
        orbits["plain"].probabilities[::2] - orbits["plain"].probabilities[0]
    ).abs().max() > 0.01


def test_the_arrows_of_maps_rotate_with_the_image(orbits):
    """A rotation by 90° moves the cells, and maps the arrow (p, q) to (-q, p)."""
    arrows = orbits["attentive"].composed["kept"].arrows
    moved = torch.rot90(arrows[0], 1, (0, 1))
    expected = torch.stack([-moved[..., 1], moved[..., 0]], -1)
    assert (arrows[2] - expected).abs().max() < 1e-4


def test_rotations_are_anticlockwise_and_exact_at_multiples_of_90_degrees():
    f = torch.arange(9.0).view(1, 1, 3, 3)
    found = turn_each(f, tensor([torch.pi / 2]))
    assert found[0, 0].tolist() == torch.rot90(f[0, 0]).tolist()
    bright = torch.zeros(1, 1, 9, 9)
    bright[0, 0, 4, 8] = 1  # a point to the right of the centre
    eighth = turn_each(bright, tensor([torch.pi / 4]))[0, 0]
    p, q = divmod(int(eighth.argmax()), 9)
    assert (p < 4, q > 4) == (True, True), "the point must move up and stay to the right"


def test_rotating_a_batch_is_the_same_as_rotating_its_images_one_by_one():
    v = draw_digit(4)
    angles = torch.arange(6) * 0.3
    once = turn_each(v.expand(6, -1, -1, -1), angles)
    alone = torch.cat([turn_each(v, angle[None]) for angle in angles])
    assert (once - alone).abs().max() < 1e-6


def test_encoded_maps_contain_every_angle_and_can_be_decoded(orbits):
    turnings = [
        Turning(name, orbit, P4.names if orbit.layers else Z2.names)
        for name, orbit in orbits.items()
    ]
    header, arrays = decode(pack_turning(turnings, list("0123456789"), "key", 90.0, True))
    assert header["degrees"] == [0, 45, 90, 135, 180, 225, 270, 315]
    assert [view["name"] for view in header["rows"][0]["views"]] == ["1 − αX", "αX", "features"]
    assert [view["name"] for view in header["rows"][1]["views"]] == ["features"]
    assert arrays["images"].shape == (8, 28, 28)
    assert len(header["layers"]) == 7
    for layer in header["layers"]:
        assert arrays[layer["heat"]].shape == (8, 4, layer["side"], layer["side"])
        assert arrays[layer["channel"]].shape == (8, layer["channels"], 4)
    for row in header["rows"]:
        for view in row["views"]:
            assert arrays[view["heat"]].max() == 255, "the scale must end at the largest value"
            assert arrays[view["error"]].shape == (8,)


def test_scales_span_at_least_a_hundredth_so_that_rounding_errors_are_invisible():
    assert widen(0.2, 0.8) == (0.2, 0.8)
    assert widen(1 - 3e-6, 1.0) == (0.99, 1.0)
    assert widen(0.0, 3e-6) == (0.0, 0.01)
    assert widen(5.0, 5.0) == pytest.approx((4.995, 5.005))
    found = picture_convolution(make_untrained("alpha-f-p4"), draw_digit(3), 2, 0, 0)
    noise = torch.rand_like(found.attention) * 3e-6
    drawn = draw_convolution(replace(found, attention=1 - noise), RAMP)
    (block,) = re.findall(r'<g data-term="attention">(.*?)</g>', drawn, re.DOTALL)
    for data in re.findall(r"base64,([^\"]+)", block):
        tile = np.asarray(Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB"))
        assert tile.reshape(-1, 3).std(0).max() < 1, "the tile must have nearly one colour"


def test_values_are_rounded_and_clipped_when_they_are_converted_to_bytes():
    assert to_bytes(tensor([-1.0, 0.0, 1.0, 2.0, 9.0]), 2).tolist() == [0, 0, 128, 255, 255]
    assert to_signed(tensor([-9.0, -1.0, 0.0, 0.5])).tolist() == [-127, -127, 0, 64]


@pytest.mark.parametrize("digit", range(10))
def test_the_digits_drawn_for_this_project_are_centred_and_span_twenty_pixels(digit):
    v = draw_digit(digit)
    assert v.shape == (1, 1, 28, 28)
    ink = (v[0, 0] > 0).nonzero()
    assert int((ink.amax(0) - ink.amin(0)).max()) + 1 == 20
    p = torch.arange(28.0)
    centre = [float((v[0, 0].sum(axis) * p).sum() / v.sum()) for axis in (0, 1)]
    assert max(abs(x - 13.5) for x in centre) < 1
    assert len(HAND) == 10


def test_a_drawn_digit_is_fitted_and_invalid_ones_are_refused_with_the_reason():
    square = np.zeros((56, 56), np.uint8)
    square[5:15, 5:30] = 255
    v = read_pad(base64.b64encode(square.tobytes()).decode())
    assert v.shape == (1, 1, 28, 28)
    assert float(v.max()) == 1
    for text, words in (("%%", "base64"), ("AAAA", "square"), ("", "square")):
        with pytest.raises(EngineError, match=words):
            read_pad(text)
    with pytest.raises(EngineError, match="empty"):
        fit(torch.zeros(1, 1, 28, 28))


def test_strides_break_the_equivariance_of_attention_maps_but_pooling_does_not():
    strided, exact = compare_regimes(draw_digit(5))
    assert max(strided.errors) > 0.05
    assert max(exact.errors) < 1e-5
    assert_sound(draw_regimes((strided, exact), RAMP))


def test_only_the_plain_network_misclassifies_the_rotated_scribbled_3():
    v = draw_strokes(SCRIBBLED)
    for name, group in (("z2", Z2), ("p4", P4), ("alpha-f-p4", P4)):
        orbit = turn_once(load_shipped(name).network, group, v, count=24)
        right = int((orbit.probabilities.argmax(1) == 3).sum())
        assert orbit.said == 3
        assert right < 12 if name == "z2" else right == 24


def test_attention_on_ink_and_beside_it_can_be_compared_at_any_size():
    v = draw_digit(3)
    on, beside = weigh_ink(v[0, 0], v)
    assert on > 0.7
    assert beside < 0.1
    assert weigh_ink(torch.full((4, 4, 9, 9), 0.25), v) == pytest.approx((0.25, 0.25))


def test_only_attention_is_drawn_in_the_colours_of_the_theme():
    found = picture_convolution(make_untrained("alpha-f-p4"), draw_digit(2), 3)
    light, dark = (draw_convolution(found, ramp).split("<g ") for ramp in (RAMP[::-1], RAMP))
    differ = [a != b for a, b in zip(light, dark, strict=True)]
    assert differ == ['data-term="attention"' in part for part in light]


def test_all_filters_of_a_convolution_and_any_attention_are_drawn():
    v = draw_digit(2)
    for name, layer in (("alpha-f-p4", 1), ("alpha-f-p4", 3), ("p4", 2), ("z2", 2)):
        found = picture_convolution(make_untrained(name), v, layer)
        drawn = draw_convolution(found, RAMP)
        assert_sound(drawn)
        assert ("attention" in drawn) == (found.attention is not None)
        frames = {int(slice_) for slice_ in re.findall(r"slice (\d) of", drawn)}
        assert len(frames) == (found.filters.shape[1] if found.filters.shape[1] > 1 else 0)


@pytest.mark.parametrize(("side", "stride"), [(8, 1), (8, 2), (9, 2)])
def test_a_filter_covers_the_same_pixels_after_a_rotation_if_the_layer_is_exact(side, stride):
    found = compare_strides(side, stride)
    drawn = draw_supports(side, stride, 3, 1, pooled=False)
    rings = re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" fill="none" stroke="(#\w+)"', drawn)
    blue, orange = ({(x, y) for x, y, ink in rings if ink == one} for one in (GLOBAL, DESCENT))
    assert (blue == orange) == found.exact
    assert_sound(drawn)
    assert_sound(draw_responses(found))


def test_a_race_has_the_expected_number_of_steps_and_ends_with_a_test_of_all_networks(monkeypatch):
    monkeypatch.setattr(race_module, "NETWORKS_RACED", ("z2", "p4"))
    config = RaceConfig(iterations=10, digits=200)
    races = list(run_race(config))
    assert len(races) == count_steps(config)
    last = races[-1]
    assert [point.iteration for point in last.curves["p4"]] == [5, 10]
    assert all(lane[-1].test is not None for lane in last.curves.values())
    assert "200 to learn" in last.about
    for race in (races[0], last):
        assert_sound(draw_race(race))


def test_the_polar_plot_is_valid_and_shows_the_shares(orbits):
    label = orbits["attentive"].said
    drawn = draw_answers(orbits, label)
    assert_sound(drawn)
    assert f"attentive predicts {label} at" in drawn


def assert_sound(drawn):
    root = ElementTree.fromstring(drawn)
    drawings = [root] if root.tag == "svg" else list(root)
    assert all(len(drawing.attrib["aria-label"]) > 8 for drawing in drawings)
    assert not re.search(r"nan|inf\b", re.sub('base64,[^"]*', "", drawn))
