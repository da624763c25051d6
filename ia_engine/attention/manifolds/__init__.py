"""Distances of a few images: the landscape of a pair, and the effect of a rotation by the user."""
