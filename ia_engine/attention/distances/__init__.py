"""Distances between images that ignore pose: κ^max (2.2) and its solvers."""
