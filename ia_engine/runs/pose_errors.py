"""Compares the poses that a run has found in its data with the true poses of the copies."""

import torch

from ia_engine.datasets.data import Data, PointSet, thin
from ia_engine.datasets.true_poses import find_orders, read_true_matrices, split_classes
from ia_engine.poses.errors import PoseErrors, compare_poses
from ia_engine.runs.attend import MethodStep


def measure_poses(step: MethodStep, data: Data, size: int) -> PoseErrors | None:
    """Return the errors of the poses of the first iteration of a run on `size` rows of the data;
    None if the true poses are unknown or the method has none."""
    part, matrices = thin(data, size), step.frame.arrays.get("matrices")
    if isinstance(part, PointSet) or matrices is None:
        return None
    true = read_true_matrices(part)
    if true is None:
        return None
    found = torch.tensor(matrices, device="cpu").unflatten(-1, (3, 3))
    d2 = torch.tensor(step.frame.arrays["d2"], device="cpu")
    classes = split_classes(part, true).cpu()
    width, orders = part.images.shape[-1], find_orders(part)
    return compare_poses(
        true.cpu(), found, d2, classes, width=width, orders=orders, rough=step.rough
    )
