"""The invariant mean (2.3)-(2.7) and Algorithm 1."""
