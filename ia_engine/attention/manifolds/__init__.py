"""Distances between a few images: the landscape of a pair, and the effect of rotating one image."""
