"""Tasks that the tests compute twice: in one process, and divided between two processes."""

from dataclasses import replace
from unittest.mock import patch

import torch
from torch import nn

from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.nearest import NearestSearch
from ia_engine.attention.distances.shared import find_nearest, share
from ia_engine.attention.iteration import normalise
from ia_engine.clustering.predictors import ENCODERS, ResNetEncoder
from ia_engine.clustering.training import train as train_clusters
from ia_engine.distributed.ranks import Workshop, share_norms
from ia_engine.equivariant.recipes import TrainingConfig
from ia_engine.equivariant.splits import Part
from ia_engine.equivariant.training import train as train_network
from ia_engine.transforms import GROUPS
from tests.tensors import rand
from tests.unit.clustering.scenes import config, shapes
from tests.unit.equivariant.scenes import splits

SE2 = GROUPS["se2"]
ITERATIONS = 50


def distances(ranks):
    """Distances of all pairs and of nearest pairs of images, in many blocks."""
    v = normalise(rand(100, 1, 8, 8, dtype=torch.float32))
    solvers = {"all": GlobalSearch(SE2), "nearest": NearestSearch(SE2, k=4)}
    found = {name: share(x, Workshop(ranks)).align(v) for name, x in solvers.items()}
    few = find_nearest(solvers["nearest"], v, Workshop(ranks))
    d2 = {f"d2.{name}": x.d2 for name, x in found.items()} | {"d2.few": few.d2}
    return {**d2, **{f"tau.{name}": x.tau for name, x in found.items()}}


def small(channels, size):
    """A ResNet with two blocks; each normalisation waits for the other process four times per
    step.
    """
    stem = nn.Sequential(nn.Conv2d(channels, 8, 3, 1, 1, bias=False), nn.BatchNorm2d(8), nn.ReLU())
    return ResNetEncoder(stem, 8, (8, 16), 1)


@patch.dict(ENCODERS, resnet20=small)
def clusters(ranks):
    """The losses of DTI clustering with an odd batch size and with reassigned clusters."""
    images = shapes(21, dtype=torch.float64)[0]
    found = {}
    for model, encoder in (("dti-kmeans", "resnet20"), ("dti-gmm", "quick")):
        chosen = config(
            model=model, k=4, encoder=encoder, sequence="affine,morphology",
            batch=7, iterations=ITERATIONS, reassign=0.7, curriculum="off",
        )  # fmt: skip
        steps = [step.progress for step in train_clusters(chosen, images, 0, None, 0, ranks=ranks)]
        found[f"{model}.loss"] = torch.tensor([step.loss for step in steps[1:]])
        found[f"{model}.sizes"] = torch.stack([step.sizes for step in steps])
        found[f"{model}.reassigned"] = torch.tensor([len(step.reassigned) for step in steps])
    return found


def mixture(ranks):
    """The state of DTI GMM after steps with large errors, which the common variance follows."""
    images = 2 * rand(21, 1, 12, 12)
    chosen = config(
        model="dti-gmm", k=3, sequence="affine", batch=7, iterations=20,
        curriculum="shares", shares=(0.4, 0.9),
    )  # fmt: skip
    *_, step = train_clusters(chosen, images, 0, ranks=ranks)
    return dict(step.state.tensors)


def network(ranks):
    """The losses of a p4 network with dropout on translated and mirrored images."""
    chosen = TrainingConfig(
        network="p4", iterations=ITERATIONS, batch=7, augment="shift-flip", rate=1e-3, every=25
    )
    data = splits()
    parts = (
        Part(part.images.double(), part.labels) for part in (data.train, data.validation, data.test)
    )
    data = replace(data, **dict(zip(("train", "validation", "test"), parts, strict=True)))
    steps = list(train_network(chosen, data, 0, ranks=ranks))
    errors = [step.validation_error for step in steps if step.validation_error is not None]
    losses = torch.tensor([step.loss for step in steps], dtype=torch.float64)
    return {"loss": losses, "errors": torch.tensor([*errors, steps[-1].test_error])}


def norms(ranks):
    """Results and gradients of a batch normalisation of which each rank has a part of the batch."""
    v = rand(5, 3, 4, 4, low=-1)
    part = ranks.part(len(v))
    holder = nn.Sequential(nn.BatchNorm2d(3, dtype=torch.float64, device="cpu"))
    with torch.no_grad():
        holder[0].weight.copy_(torch.tensor([0.5, 1.0, 2.0]))
    share_norms(holder, ranks)
    mine = v[part].clone().requires_grad_()
    found = holder(mine)
    (found**3 * rand(5, 3, 4, 4, seed=1)[part]).sum().backward()
    ranks.add_gradients(holder.parameters())
    whole = [torch.zeros_like(v) for _ in range(2)]
    for x, own in zip(whole, (found, mine.grad), strict=True):
        x[part] = own.detach()
    kept = {name: x.detach().clone() for name, x in holder.state_dict().items()}
    slopes = {"weight": holder[0].weight.grad, "bias": holder[0].bias.grad}
    return {"found": ranks.sum(whole[0]), "slope": ranks.sum(whole[1]), **kept, **slopes}


TASKS = {task.__name__: task for task in (distances, clusters, mixture, network, norms)}
