"""Invariant attention, transformation-invariant clustering, equivariant networks, and figures of
them."""

from ia_engine import moved as moved
