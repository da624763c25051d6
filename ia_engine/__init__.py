"""Invariant attention, transformation-invariant clustering, and their visualisation."""

from ia_engine import moved as moved
