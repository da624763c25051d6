"""Clustering runs: their snapshots, their continuation and their evaluation."""
