"""Clustering: film for the browser, plots and exports."""
