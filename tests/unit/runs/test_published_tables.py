"""The tables of the paper that the page Papers shows beside our results."""

import pytest

from ia_engine.equivariant.networks import find_network
from ia_engine.runs.papers.attentive_tables import CELLS, DIGITS, OBJECTS

ROUNDED_FURTHER = {"resnet44-alpha-f-p4m": 2700}
"""The paper's table rounds 2,693,911 to 2.70 million."""


@pytest.mark.parametrize(
    ("name", "published", "unit"),
    [
        pytest.param(name, row[1], unit, id=name)
        for table, unit in ((DIGITS, 10), (OBJECTS, 10_000), (CELLS, 10))
        for name, row in table.rows.items()
    ],
)
def test_published_parameters_are_those_of_the_networks_rounded(name, published, unit):
    half_up = (find_network(name).parameters + unit // 2) // unit * unit / 1000
    assert published == ROUNDED_FURTHER.get(name, half_up)
