"""Equivariance: full rotations for the browser, drawings, plots and exports."""
