"""Drawings of computed results of the papers' figures and tables."""
