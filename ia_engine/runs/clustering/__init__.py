"""Clustering as a run: what is stored during the run, how it continues, and how it is evaluated."""
