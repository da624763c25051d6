"""A tiny vision transformer with invariant attention against one without, on unseen turns."""

from tests.benchmarks.rotated_digits import INVARIANT, LIMIT, PLAIN, learn


def test_invariant_attention_saves_a_third_of_the_errors_on_unseen_turns():
    plain, invariant = learn(PLAIN, seed=0), learn(INVARIANT, seed=0)
    print("", plain, invariant, sep="\n")
    assert abs(invariant.parameters - plain.parameters) <= 0.02 * plain.parameters
    assert invariant.error <= LIMIT * plain.error
