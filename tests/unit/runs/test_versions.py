"""Outputs of the modules that the papers' tables depend on, rounded to hold on any processor.

If one of these tests fails because numbers changed on purpose, raise the version in
`ia_engine.runs.tables.rows.VERSIONS` and pin the new outputs: older results are then rejected.
"""

import pytest
import torch

from ia_engine.equivariant import splits
from ia_engine.equivariant.networks import build_network
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.splits import rotated_mnist
from ia_engine.equivariant.training import train
from ia_engine.runs.tables.rows import VERSIONS
from tests.tensors import rand
from tests.unit.equivariant import scenes

pytestmark = pytest.mark.cpu_only("numbers are compared")


def rotated_digits():
    """Sums of the labels and moments of the pixels of some rotated digits."""
    images = (255 * rand(70_000, 1, 4, 4)).round().byte()
    labels = torch.arange(70_000) % 10
    parts = {
        "train": (images[:60_000], labels[:60_000]),
        "test": (images[60_000:], labels[60_000:]),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splits, "_read", lambda named, split: splits.Part(*parts[split]))
        data = rotated_mnist()
    sizes = [len(part) for part in (data.train, data.validation, data.test)]
    assert sizes == [10_000, 2_000, 50_000]
    x = data.validation.images[:20].double()
    return [data.train.labels[:50].sum(), data.test.labels[-50:].sum(), x.mean(), x[3, 0, 1, 2]]


def network_outputs(*names):
    found = []
    for name in names:
        network = build_network(name, scenes.generator(3), device="cpu", dtype=torch.float64)
        y = network.eval()(rand(2, 1, 28, 28, dtype=torch.float64))
        found += [y.mean().item(), y[1, 3].item()]
    return found


def training_outputs():
    data = scenes.splits(16)
    parts = [splits.Part(part.images.double(), part.labels)
             for part in (data.train, data.validation, data.test)]  # fmt: skip
    data = splits.Splits(*parts, data.classes, data.about)
    config = TrainingConfig(network="p4", iterations=3, batch=8, rate=1e-3, schedule="constant")
    steps = list(train(config, data, seed=1))
    return [steps[0].loss, steps[2].loss]


PINNED = {
    ("rotated MNIST", 1): (rotated_digits, [240, 199, 0.423354, 0.6964875]),
    ("group convolutions", 1): (lambda: network_outputs("p4"), [0.2804462, 0.2203221]),
    ("attention", 1): (
        lambda: network_outputs("alpha-f-p4", "alpha-rh-p4", "alpha-p4"),
        [0.0225287, 0.0007255, 0.0010088, -0.0014278, 0.0309616, 0.0486314],
    ),
    ("training", 1): (training_outputs, [2.6395051, 1.6332593]),
}  # fmt: skip


@pytest.mark.parametrize(("name", "version"), PINNED)
def test_a_module_computes_the_numbers_of_its_version(name, version):
    assert VERSIONS[name] == version, "pin the outputs of this version"
    compute, expected = PINNED[name, version]
    found = [float(x) for x in compute()]
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6), "raise the version of this module"


def test_every_module_is_pinned():
    assert {name for name, _ in PINNED} == set(VERSIONS)
