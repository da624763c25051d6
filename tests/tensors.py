"""Tensors for tests. They are always on the CPU, because the default device may be `meta`."""

import torch


def tensor(numbers, dtype=torch.float64):
    return torch.tensor(numbers, dtype=dtype, device="cpu")


def rand(*shape, seed=0, low=0.0, high=1.0, dtype=torch.float64):
    """Uniform random numbers between low and high, determined by the seed."""
    generator = torch.Generator(device="cpu").manual_seed(seed)
    draw = torch.rand(shape, generator=generator, dtype=torch.float64, device="cpu")
    return (low + (high - low) * draw).to(dtype)


def blobs(n=1, channels=1, *, size=33, seed=0, sigma=2.5, reach=0.2, dtype=torch.float64):
    """Smooth images [n c size size] of three Gaussian blobs within reach · size of the centre."""
    axis = torch.arange(size, dtype=torch.float64, device="cpu") - (size - 1) / 2
    places = rand(n, channels, 3, 2, seed=seed, low=-reach * size / 1.5, high=reach * size / 1.5)
    heights = rand(n, channels, 3, seed=seed + 1, low=0.2, high=0.8)
    lines = (-(axis - places[..., None]).square() / (2 * sigma**2)).exp()
    return torch.einsum("nck,nckh,nckw->nchw", heights, lines[..., 0, :], lines[..., 1, :]).to(
        dtype
    )
