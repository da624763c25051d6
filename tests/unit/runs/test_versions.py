"""Outputs of the modules on which the papers' tables depend, rounded to agree on any processor.

If one of these tests fails because numbers changed on purpose, raise the version in
`ia_engine.runs.tables.rows.VERSIONS` and pin the new outputs: older results will then be rejected.
"""

import pytest
import torch

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.model import Dti
from ia_engine.clustering.modules import MODULES, Canvas
from ia_engine.clustering.predictors import build_encoder
from ia_engine.clustering.training import train as cluster
from ia_engine.datasets.handwriting import WrittenConfig, make_colored
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
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(splits, "_read", lambda named, split: splits.Part(images, labels))
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


def images(channels=1, n=6):
    return rand(n, channels, 12, 12, low=0.0, dtype=torch.float64)


def module_outputs(name, channels=1):
    part = MODULES[name](name, Canvas(channels, 12, 12), images(channels))
    params = rand(6, part.count, seed=5, low=-0.3, dtype=torch.float64)
    v = part.act(images(channels), params)
    return [v.mean().item(), v[2, 0, 3, 4].item()]


def encoder_outputs(name):
    encoder = build_encoder(name, 1, 12, images(), scenes.generator(2)).eval()
    y = encoder(images())
    return [y.mean().item(), y[1].max().item()]


def predictor_outputs():
    found = []
    for model in ("dti-kmeans", "dti-gmm"):
        config = ClusterConfig(model=model, k=3, sequence="affine")
        dti = Dti(config, images()[:3], scenes.generator(4))
        loss = dti.loss(images(), 1).value
        loss.backward()
        found += [loss.item(), dti.comparison.prototypes.grad.abs().sum().item()]
    return found


def clustering_outputs():
    found = []
    for model in ("dti-kmeans", "dti-gmm"):
        config = ClusterConfig(model=model, k=3, sequence="affine", batch=4, iterations=12,
                               period=4, shares=(0.1, 0.9))  # fmt: skip
        *_, last = cluster(config, images(n=16), seed=1, rhythm=1000.0)
        found += [last.progress.loss, last.state.prototypes.mean().item()]
    return found


def coloured_digits():
    digits = make_colored(WrittenConfig("digits", 20)).images.double()
    return [digits.mean().item(), digits[3, 1, 14, 14].item()]


PINNED = {
    ("rotated MNIST", 1): (rotated_digits, [240, 199, 0.423354, 0.6964875]),
    ("group convolutions", 1): (lambda: network_outputs("p4"), [0.2804462, 0.2203221]),
    ("attention", 1): (
        lambda: network_outputs("alpha-f-p4", "alpha-rh-p4", "alpha-p4"),
        [0.0225287, 0.0007255, 0.0010088, -0.0014278, 0.0309616, 0.0486314],
    ),
    ("prototypes and predictors", 1): (
        predictor_outputs,
        [0.07552228, 0.2844792, 0.7068223, 0.2494252],
    ),
    ("clustering", 1): (clustering_outputs, [0.1106452, 0.4910089, 0.7135125, 0.4911381]),
    ("quick encoder", 1): (lambda: encoder_outputs("quick"), [0.2016602, 0.8853622]),
    ("resnet20 encoder", 1): (lambda: encoder_outputs("resnet20"), [4.33272, 14.68555]),
    ("affine", 1): (lambda: module_outputs("affine"), [0.5017945, 0.4652834]),
    ("color", 1): (lambda: module_outputs("color", 3), [0.9333456, 0.3071757]),
    ("morphology", 1): (lambda: module_outputs("morphology"), [0.718033, 0.7913659]),
    ("tps", 1): (lambda: module_outputs("tps"), [0.5043095, 0.4141315]),
    ("MNIST-color", 1): (coloured_digits, [0.4846001, 0.2860963]),
    ("training", 1): (training_outputs, [2.6395051, 1.6332593]),
}  # fmt: skip


@pytest.mark.parametrize(("name", "version"), PINNED)
def test_a_module_computes_the_numbers_of_its_version(name, version):
    assert VERSIONS[name] == version, "pin the outputs of this version"
    compute, expected = PINNED[name, version]
    found = [float(x) for x in compute()]
    assert found == pytest.approx(expected, rel=1e-4, abs=1e-6), "raise the version of this module"


def test_the_outputs_of_every_module_are_pinned():
    assert {name for name, _ in PINNED} == set(VERSIONS)
