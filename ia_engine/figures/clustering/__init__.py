"""Figures of a clustering run: plots and exports."""
