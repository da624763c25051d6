"""Clustering: the film for the browser, plots and exports."""
