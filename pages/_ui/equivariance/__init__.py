"""Parts of the Equivariance page."""
