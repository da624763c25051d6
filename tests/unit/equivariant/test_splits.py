"""Splits, augmentation, schedules, recipes and files for training."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.equivariant.checkpoint import (
    NetworkRecord,
    load_checkpoint,
    load_network,
    load_shipped,
    save_network,
)
from ia_engine.equivariant.networks import build_network, find_network
from ia_engine.equivariant.recipes import AUGMENTATIONS, RECIPES, SCHEDULES, TrainingConfig
from ia_engine.equivariant.splits import load_folder, load_original, rotated_digits, split_images
from ia_engine.errors import EngineError
from ia_engine.params import Config
from tests.tensors import rand
from tests.unit.equivariant.scenes import generator

CONFIG = TrainingConfig(network="p4", iterations=8, batch=8, every=3)


def record(config=CONFIG):
    return NetworkRecord(config.network, config.to_json(), "strokes", "0", 0, 8, 0.1, 0.1, "none")


def test_files_that_are_not_networks_or_training_runs_are_refused(tmp_path):
    path = tmp_path / "x.safetensors"
    with pytest.raises(EngineError, match="does not exist"):
        load_network(path)
    path.write_bytes(b"nothing")
    with pytest.raises(EngineError, match="damaged"):
        load_network(path)
    save_network(path, build_network("z2", device="cpu"), record())
    with pytest.raises(EngineError, match="damaged"):
        load_network(path)  # the record belongs to a different network
    with pytest.raises(EngineError, match="not a training run"):
        load_checkpoint(path)
    with pytest.raises(EngineError, match="alpha-f-p4"):
        load_shipped("alpha-p4")


@pytest.mark.parametrize("name", SCHEDULES)
def test_rates_stay_between_zero_and_the_maximum(name):
    rates = [SCHEDULES[name](k / 20, (0.5, 0.8)) for k in range(21)]
    assert 0 < min(rates) <= max(rates) <= 1
    assert SCHEDULES["steps"](0.6, (0.5, 0.8)) == pytest.approx(0.1)


@pytest.mark.parametrize("name", RECIPES)
def test_recipes_are_unchanged_after_conversion_to_json_and_back(name):
    config: Config = RECIPES[name]
    assert TrainingConfig.from_json(config.to_json()) == config


def test_augmentation_translates_and_mirrors_all_channels_equally():
    v = rand(1, 1, 12, 12).expand(40, 2, -1, -1)
    found = AUGMENTATIONS["shift-flip"](v, generator())
    assert torch.equal(found[:, 0], found[:, 1])
    padded = torch.nn.functional.pad(v[0, 0], (4,) * 4)
    views = [
        view
        for p in range(9)
        for q in range(9)
        for view in (padded[p : p + 12, q : q + 12], padded[p : p + 12, q : q + 12].flip(1))
    ]
    assert all(any(torch.equal(image, view) for view in views) for image in found[:, 0])
    assert len({image.sum().item() for image in found[:, 0]}) > 10


def test_digits_are_split_without_overlap_and_rotated():
    data = rotated_digits(100, 20, 30, source="digits")
    assert [len(part) for part in (data.train, data.validation, data.test)] == [100, 20, 30]
    again = rotated_digits(100, 20, 30, source="digits")
    assert data.digest == again.digest != rotated_digits(100, 20, 30, 1, "digits").digest
    whole = rotated_digits(source="digits")
    assert sum(len(part) for part in (whole.train, whole.validation, whole.test)) <= 1797


def test_images_of_any_source_are_split_and_resized():
    images = rand(40, 3, 20, 20, dtype=torch.float32)
    labels = torch.arange(40, device="cpu") % 2
    made = ImageSet(images, ("x",) * 40, Recipe("mine", CONFIG), labels)
    data = split_images(made)
    assert [len(part) for part in (data.train, data.validation, data.test)] == [26, 6, 8]
    assert data.fit(find_network("p4")).train.images.shape == (26, 1, 28, 28)
    with pytest.raises(EngineError, match="labels"):
        split_images(replace(made, labels=None))
    with pytest.raises(EngineError, match="at most 2 classes"):
        replace(data, classes=9).fit(find_network("densenet-p4"))


def test_a_folder_with_separate_splits_is_read(tmp_path):
    for k, name in enumerate(("train", "validation", "test")):
        images = np.full((4, 96, 96, 3), k, np.uint8)
        np.savez(tmp_path / f"{name}.npz", images=images, labels=np.array([0, 1, 0, 1]))
    data = load_folder(tmp_path)
    assert (data.classes, tuple(data.test.images.shape)) == (2, (4, 3, 96, 96))
    (tmp_path / "test.npz").unlink()
    with pytest.raises(EngineError, match=r"test\.npz"):
        load_folder(tmp_path)


@pytest.mark.parametrize(
    ("shape", "labels", "why"),
    [
        ((4, 8, 8), np.arange(3), r"an integer label for each of 4 images; got int64 \(3,\)"),
        ((4, 8, 8), np.zeros((4, 1), int), r"images; got int64 \(4, 1\)"),
        ((4, 8, 8), np.ones(4), r"images; got float64 \(4,\)"),
        (
            (4, 8, 8),
            np.array([0, 1, -1, 0]),
            "must contain images with labels from 0; got labels from -1",
        ),
        ((0, 8, 8), np.zeros(0, int), "got no images"),
        ((4, 9, 8), np.zeros(4, int), r"\(1, 8, 8\); got \(1, 9, 8\)"),
    ],
)
def test_a_file_that_does_not_fit_the_folder_is_named(tmp_path, shape, labels, why):
    for name in ("train", "test"):
        np.savez(tmp_path / f"{name}.npz", images=np.zeros((2, 8, 8), np.uint8), labels=[0, 1])
    np.savez(tmp_path / "validation.npz", images=np.zeros(shape, np.uint8), labels=labels)
    with pytest.raises(EngineError, match=rf"validation\.npz.*{why}"):
        load_folder(tmp_path)


def test_the_original_files_are_read(tmp_path):
    lines = np.zeros((6, 785), np.float32)
    lines[:, 784] = np.arange(6)
    for name in ("train_valid", "test"):
        np.savetxt(tmp_path / f"mnist_all_rotation_normalized_float_{name}.amat", lines, "%g")
    data = load_original(tmp_path, validation=2)
    assert data.validation.labels.tolist() == [4, 5]
    assert math.prod(data.train.images.shape) == 4 * 784
