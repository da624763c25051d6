"""Pose-invariant distances between images: κ^max (2.2) and its solvers."""
