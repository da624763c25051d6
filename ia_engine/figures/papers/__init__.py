"""Drawings of our results for the figures and tables of the papers."""
