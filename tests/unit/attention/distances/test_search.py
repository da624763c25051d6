from itertools import product

import pytest
import torch
from torch.nn import functional

from ia_engine.attention.distances import search
from ia_engine.attention.distances.alignment import GlobalSearch
from ia_engine.attention.distances.search import Spectra
from ia_engine.attention.distances.templates import prepare
from ia_engine.attention.iteration import normalise
from ia_engine.datasets.bases import load_digits
from ia_engine.transforms import GROUPS
from tests.tensors import rand

TRANSLATION = GROUPS["translation"]


def squares(n=24, size=40):
    """Images of three squares at random positions, which are not connected."""
    v = torch.zeros(n, 1, size, size, dtype=torch.float64, device="cpu")
    places = rand(n, 3, 2, seed=1, low=1, high=size - 8).long()
    sides = rand(n, 3, seed=2, low=3, high=8).long()
    for i, k in product(range(n), range(3)):
        (p, q), side = places[i, k].tolist(), int(sides[i, k])
        v[i, 0, p : p + side, q : q + side] = 0.4 + 0.3 * k
    return normalise(v)


def digits():
    return normalise(load_digits(28)[0][:40].double())


def correlate(v):
    """⟨v_i(x + s), v_j(x)⟩ at all translations s by whole pixels, [n n 2h 2w], by the FFT."""
    wave = torch.fft.rfft2(v[:, 0], s=(2 * v.shape[-2], 2 * v.shape[-1]))
    return torch.fft.irfft2(wave[:, None] * wave.conj(), s=(2 * v.shape[-2], 2 * v.shape[-1]))


@pytest.mark.parametrize("images", [digits, squares])
def test_no_translation_by_whole_pixels_gives_a_smaller_distance(images):
    v = images()
    d2 = GlobalSearch(TRANSLATION).align(v).d2
    least = 2 - 2 * correlate(v).amax((2, 3))
    assert (d2 - least).max() < 0.002


def test_starts_are_the_highest_peaks_of_the_correlation_in_descending_order():
    v = squares(8)
    templates = prepare(v, TRANSLATION)
    index = torch.arange(8, device="cpu").expand(8, 8)
    found = Spectra.of(templates).search(index, 4)
    origin = templates.origin[:, :2, 2]
    shift = (found[..., 0, :2, 2] + origin[index] - origin[:, None]).round().long()
    table, row = correlate(v), torch.arange(8, device="cpu")[:, None]
    there = table[index, row, shift[..., 0] % 80, shift[..., 1] % 80]
    torch.testing.assert_close(there, table[index, row].amax((2, 3)))


def test_starts_do_not_depend_on_the_number_of_pairs_searched_at_once(monkeypatch):
    spectra = Spectra.of(prepare(squares(5), TRANSLATION))
    index, rows = torch.tensor([[0, 3], [1, 4]], device="cpu"), torch.tensor([2, 0], device="cpu")
    every = spectra.search(index, 3, rows)
    monkeypatch.setattr(search, "SPECTRUM_TABLE", 1)
    torch.testing.assert_close(spectra.search(index, 3, rows), every)


def test_starts_do_not_depend_on_rounding_errors():
    """One square fits each of three squares equally well."""
    v = torch.zeros(2, 1, 40, 40, device="cpu")
    v[0, 0, 16:22, 16:22] = 1
    for p, q in ((3, 5), (17, 30), (29, 11)):
        v[1, 0, p : p + 6, q : q + 6] = 1
    index = torch.tensor([[1], [0]], device="cpu")
    wanted = Spectra.of(prepare(normalise(v), TRANSLATION)).search(index, 3)
    assert (wanted[1, 0, :, :2, 2].diff(dim=0).norm(dim=-1) > 10).all(), (
        "the starts must be in three different places"
    )
    for seed in range(8):
        noise = 1e-7 * rand(*v.shape, seed=seed, low=-1, high=1).float()
        found = Spectra.of(prepare(normalise(v * (1 + noise)), TRANSLATION)).search(index, 3)
        torch.testing.assert_close(found, wanted, rtol=0, atol=1e-3)


def test_large_windows_are_searched_on_a_coarser_grid():
    v = functional.interpolate(squares(6), scale_factor=4, mode="nearest")
    assert Spectra.of(prepare(v, TRANSLATION)).pitch == 3
    d2 = GlobalSearch(TRANSLATION).align(normalise(v)).d2
    least = 2 - 2 * correlate(normalise(v)).amax((2, 3))
    assert (d2 - least).mean() < 0.01
