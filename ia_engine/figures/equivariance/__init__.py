"""Figures of equivariance: full rotations for the browser, drawings, plots and exports."""
