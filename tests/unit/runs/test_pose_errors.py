"""Only poses that a run has computed exactly are compared with the true poses."""

import pytest

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.datasets.recipes import RECIPES, make
from ia_engine.runs.attend import attend, plan
from ia_engine.runs.attend_measures import measure_poses

pytestmark = pytest.mark.cpu_only("generated data are on the CPU")


def test_only_images_that_were_compared_exactly_with_their_reference_have_errors():
    data = make(RECIPES["experiment-1"])
    config = AttentionConfig(group="se2", steps=1, pairs="nearest", nearest=2)
    step = next(attend(plan([config], data, len(data.names)), data)).shown["ia"]
    found = measure_poses(step, data, len(data.names))
    assert 0 < len(found.rows) < len(data.names)
    assert found.unknown == len(data.names) - len(found.rows)
    rows = found.rows.tolist()
    labels = data.labels.tolist()
    for row in rows:
        own = [other for other in rows if labels[other] == labels[row]]
        assert any(not step.rough[own, other].any() for other in own)
