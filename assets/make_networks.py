"""Train the networks that the Equivariance page shows first: `python -m assets.make_networks`.

They learn digits of MNIST that are rotated by any angle. The images are not saved. Training all
three networks takes about five minutes on one core.
"""

import sys
from dataclasses import replace

import torch

from ia_engine.datasets.named import is_here
from ia_engine.datasets.published import MNIST
from ia_engine.equivariant.checkpoint import FOLDER, SHIPPED, NetworkRecord, save_network
from ia_engine.equivariant.recipes import RECIPES
from ia_engine.equivariant.splits import Splits, rotated_digits
from ia_engine.equivariant.training import train

SEED = 0
ITERATIONS = 900
COMMAND = "python -m assets.make_networks"


def main(names: tuple[str, ...] = SHIPPED) -> None:
    """Train each network for ITERATIONS iterations; the validation split selects the weights."""
    if not is_here(MNIST):
        print(
            "the networks are unchanged: MNIST is not on this machine; download it on the Data page"
        )
        return
    torch.set_num_threads(1)
    data = rotated_digits(seed=SEED, source="mnist")
    FOLDER.mkdir(exist_ok=True)
    for name in names:
        make_network(name, data)


def make_network(name: str, data: Splits) -> None:
    config = replace(RECIPES["quick"], network=name, iterations=ITERATIONS)
    for step in train(config, data, SEED):
        if step.validation_error is not None:
            print(f"{name} {step.iteration}: {step.validation_error:.4f}", flush=True)
    assert step.test_error is not None
    record = NetworkRecord(
        network=name,
        config=config.to_json(),
        data=data.about,
        digest=data.digest,
        seed=SEED,
        iterations=step.iteration,
        validation_error=step.best_error,
        test_error=step.test_error,
        command=COMMAND,
    )
    save_network(FOLDER / f"{name}.safetensors", step.network, record)
    print(f"{name}: test error {step.test_error:.4f} after {step.seconds:.0f} CPU seconds")


if __name__ == "__main__":
    main(tuple(sys.argv[1:]) or SHIPPED)
