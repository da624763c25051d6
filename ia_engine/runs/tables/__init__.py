"""Computes the tables of the papers with the schedules of the papers, seed by seed (`make
tables`)."""
