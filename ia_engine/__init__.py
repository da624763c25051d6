"""Invariant attention, transformation-invariant clustering and what is needed to see them."""
