"""The solver's speed, in CPU time relative to the bare floor of the same run.

The targets are those of an idle machine (`limit`); a busy one slows the solver, which fills the
cache, by more than the floor, which does not: hence the headroom. Larger sets: tests.benchmarks.
"""

import pytest

from tests.benchmarks.measures import DIGITS, ITERATIONS, PAIRS, SMALL

pytestmark = pytest.mark.timed

HEADROOM = {PAIRS: 2.0, DIGITS: 2.0, SMALL: 3.0, ITERATIONS: 1.0}
"""Small sets bear the cost of preparing each image, which a thousand images hardly feel."""


@pytest.mark.parametrize("benchmark", HEADROOM, ids=lambda b: b.name)
def test_attention_stays_near_the_bare_floor(benchmark):
    found = benchmark.measure()
    print(f"{benchmark.name}: {found.ratio}, target {found.limit}, {found.unit}")
    assert found.ratio <= HEADROOM[benchmark] * found.limit
