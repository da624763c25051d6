"""What a page waits for is many small operations: shared out among threads they take longer."""

import torch


def compute_alone() -> None:
    """Let this thread compute with one core; those that run already keep theirs."""
    torch.set_num_threads(1)
