"""The papers' numbers of parameters, which the Papers page shows beside ours."""

import pytest

from ia_engine.equivariant.networks import find_network
from ia_engine.runs.papers.attentive_tables import CELLS, DIGITS, OBJECTS, agrees

ROUNDED_FURTHER = "resnet44-alpha-f-p4m"
"""The paper's table rounds 2,693,911 to 2.70 million."""
PUBLISHED = [
    *((name, row[1], 1000) for name, row in DIGITS.rows.items()),
    *((name, row.parameters, table.size) for table in (OBJECTS, CELLS)
      for name, row in table.rows.items()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "published", "unit"), PUBLISHED, ids=[row[0] for row in PUBLISHED]
)
def test_published_numbers_of_parameters_are_those_of_the_networks_after_rounding(
    name, published, unit
):
    ours = find_network(name).parameters / unit
    assert agrees(ours, published) == (name != ROUNDED_FURTHER)


def test_the_entry_states_which_number_of_parameters_differs():
    assert agrees(2.694, 2.69)
    assert not agrees(2.694, 2.70)
    assert [name for name, row in OBJECTS.rows.items() if row.exception] == [ROUNDED_FURTHER]
    assert "2,693,911" in OBJECTS.rows[ROUNDED_FURTHER].exception
    assert find_network(ROUNDED_FURTHER).parameters == 2_693_911


def test_both_columns_of_table_2_are_quoted():
    columns = {name for row in OBJECTS.rows.values() for name, _ in row.errors}
    assert columns == {"CIFAR10", "CIFAR10+"}
    assert dict(OBJECTS.rows["all-cnn-alpha-f-p4"].errors)["CIFAR10+"] == 7.05
