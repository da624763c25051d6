import torch

from ia_engine.attention.distances.templates import list_ink, prepare
from ia_engine.transforms import GROUPS
from tests.tensors import blobs, rand
from tests.unit.attention.scenes import drawing

SE2 = GROUPS["se2"]


def test_products_with_the_listed_pixels_equal_those_with_all_pixels():
    templates = prepare(torch.cat([drawing("crab"), drawing("seven")]), SE2)
    ink = list_ink(templates)
    assert ink.points.shape[2] < 0.8 * templates.points.shape[1]
    listed, every = ink.jets.flatten(2), templates.jets.mT
    wanted = every[:, :1] @ every.mT
    found = listed[:, :1] @ listed.mT
    assert ((found - wanted).abs() < 1e-3 * every.norm(dim=2)[:, None]).all()
    torch.testing.assert_close(ink.square, templates.square, rtol=1e-4, atol=0)


def test_lists_of_pixels_are_no_longer_than_the_templates_need():
    v = torch.cat([blobs(1, size=31, sigma=2), torch.zeros_like(blobs(1, size=31))])
    v = torch.cat([v, rand(1, 1, 31, 31)])
    ink = list_ink(prepare(v, SE2))
    assert ink.count[1] == 0
    assert ink.take(slice(0, 1)).points.shape[2] == ink.count[0] < ink.count[2]
    blank = ink.take(slice(1, 2))
    assert blank.points.shape[2] == 1
    assert (blank.jets == 0).all()


def test_sparse_lists_contain_about_half_of_the_pixels():
    templates = prepare(drawing("snail"), SE2)
    every, sparse = list_ink(templates, 0.03), list_ink(templates, 0.03, sparse=True)
    assert 0.45 < int(sparse.count) / int(every.count) < 0.55
