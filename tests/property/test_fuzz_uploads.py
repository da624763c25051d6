"""No mutated file raises an exception, affects other files or is refused without a reason."""

import numpy as np
import pytest

from ia_engine.datasets.uploads import UploadConfig
from tests.crafted import GOOD, npy, packed
from tests.fuzz.uploads import draw_uploads, read_mutant

CASES = 200
PARTS = 4
GRID = np.linspace(-1, 1, 128).reshape(2, 8, 8)
FAILED = {
    "beyond float32": lambda: npy(GRID * 3.5e38),
    "beyond float32, one value": lambda: npy(np.where(GRID > 0.99, 3.5e38, GRID)),
    "the whole range of float64": lambda: npy(GRID * np.finfo(np.float64).max),
    "two large values whose mean overflows": lambda: npy(
        np.where(np.arange(128).reshape(2, 8, 8) % 2, 1.7e308, 1.6e308)
    ),
    "smallest values": lambda: npy(GRID * 1e-320),
    "a scalar (no axes)": lambda: npy(np.array(3.5)),
    "negative constant": lambda: npy(np.full((2, 8, 8), -3.0)),
    "a stack around zero": lambda: npy(GRID * 4.9),
    "32,000 folders": lambda: packed([("a/" * 32_000 + "x.png", GOOD)]),
}
"""Inputs that once raised an exception, were dropped or were read as black images."""


@pytest.mark.parametrize("part", range(PARTS))
def test_mutated_files_are_read_or_refused(part):
    cases = list(draw_uploads(CASES))[part::PARTS]
    assert [wrong for wrong in (read_mutant(*case) for case in cases) if wrong] == []


@pytest.mark.parametrize("name", FAILED)
@pytest.mark.parametrize("scale", ["stack", "image"])
def test_files_that_once_caused_failures_are_read_or_refused(name, scale):
    assert read_mutant(name, FAILED[name](), UploadConfig(size=16, scale=scale)) == ""


def test_the_same_seed_gives_the_same_files_and_a_different_seed_does_not():
    one, two = (list(draw_uploads(20, seed=3)) for _ in range(2))
    assert one == two
    assert one != list(draw_uploads(20, seed=4))
