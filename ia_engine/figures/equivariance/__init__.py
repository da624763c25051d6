"""What the page Equivariance shows: whole turns as bytes, drawings and plots."""
