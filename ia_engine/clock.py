"""CPU time of a computation on a shared machine."""

import time

import torch


def cpu_seconds() -> float:
    """CPU time of this thread if torch uses only one, otherwise of the process."""
    return time.thread_time() if torch.get_num_threads() == 1 else time.process_time()
