"""Invariant attention as a layer for other networks."""
