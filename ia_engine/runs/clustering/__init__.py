"""Clustering runs: stored snapshots, continuation and evaluation."""
