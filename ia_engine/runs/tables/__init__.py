"""Computes the papers' tables at the papers' own schedules, seed by seed (`make tables`)."""
