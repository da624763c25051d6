"""Invariant attention, transformation-invariant clustering and equivariant networks, and figures of
their results."""

from ia_engine import moved as moved

__version__ = "0.1.0"
