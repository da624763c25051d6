"""The documentation page about computer clusters states the values of the cost model."""

import re
from pathlib import Path

import pytest

from ia_engine.attention.distances.costs import price_all_pairs, price_nearest, tabulate_costs

PAGE = (Path(__file__).parents[3] / "docs" / "cluster.md").read_text("utf-8")


def test_the_table_on_the_page_contains_the_values_of_the_model():
    (table,) = re.findall(r"<!-- costs.*?-->\n(.*?)\n<!-- end of costs -->", PAGE, re.DOTALL)
    assert table == tabulate_costs()


def test_the_work_on_pairs_is_divided_among_all_processes_and_the_work_on_images_is_not():
    for price in (price_all_pairs, price_nearest):
        one, two, endless = (price(1000, processes=n).seconds for n in (1, 2, 10**9))
        assert two - endless == pytest.approx((one - endless) / 2)
        assert endless == pytest.approx(0.9)


def test_twice_as_many_images_have_four_times_as_many_pairs():
    assert price_all_pairs(200_000).disk == 4 * price_all_pairs(100_000).disk
    ratio = price_all_pairs(2 * 10**6).seconds / price_all_pairs(10**6).seconds
    assert ratio == pytest.approx(4, rel=1e-3)
    assert price_nearest(100_000, 20).disk == 2 * price_nearest(100_000, 10).disk
