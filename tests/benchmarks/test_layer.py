"""Compares tiny vision transformers with and without invariant attention on unseen rotations."""

from functools import partial

from ia_engine.attention.layer.rotated_digits import DigitTrainingConfig
from tests.benchmarks import rotated_digits
from tests.benchmarks.rotated_digits import INVARIANT, PLAIN, learn

EPOCHS, LIMIT = 4, 0.8
"""`make bench` trains for ten epochs with three seeds; the errors are then lower by a third."""


def test_invariant_attention_makes_fewer_errors_on_unseen_rotations(monkeypatch):
    monkeypatch.setattr(
        rotated_digits, "DigitTrainingConfig", partial(DigitTrainingConfig, epochs=EPOCHS)
    )
    plain, invariant = learn(PLAIN, seed=0), learn(INVARIANT, seed=0)
    print("", plain, invariant, sep="\n")
    assert abs(invariant.parameters - plain.parameters) <= 0.02 * plain.parameters
    assert invariant.error <= LIMIT * plain.error
