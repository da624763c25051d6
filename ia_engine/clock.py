"""CPU time of the work at hand, on a machine that others use as well."""

import time

import torch


def cpu_seconds() -> float:
    """This thread's where torch computes in it alone, else the whole process's."""
    return time.thread_time() if torch.get_num_threads() == 1 else time.process_time()
