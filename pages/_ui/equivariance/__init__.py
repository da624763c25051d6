"""The parts of the page Equivariance."""
