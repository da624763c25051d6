"""Clustering as a run that is watched: what is kept of it, how it goes on, what is read in it."""
