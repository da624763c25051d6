"""Invariant attention, transformation-invariant clustering and what is needed to see them."""

from ia_engine import moved as moved
