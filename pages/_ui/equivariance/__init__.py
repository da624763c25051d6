"""The parts of the page Equivariance, one file for each view."""
