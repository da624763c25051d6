"""Lists the devices that torch finds on this machine, and measures CPU time."""

import time

import torch


def cpu_seconds() -> float:
    """Return the CPU time of this thread if torch uses only one thread, otherwise that of the
    process."""
    return time.thread_time() if torch.get_num_threads() == 1 else time.process_time()


def list_devices() -> tuple[str, ...]:
    """Return the names of torch's devices, fastest first; the CPU is always included."""
    cuda = [f"cuda:{k}" for k in range(torch.cuda.device_count())]
    metal = ["mps"] if torch.backends.mps.is_available() else []
    return (*cuda, *metal, "cpu")


def describe_device(name: str) -> str:
    """Return a readable description of a device."""
    if name.startswith("cuda"):
        return f"{torch.cuda.get_device_name(name)} ({name})"
    return "the GPU of this Mac (mps)" if name == "mps" else "the CPU"
