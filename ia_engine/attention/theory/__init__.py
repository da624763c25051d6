"""Numerical checks of Theorems 3.1 and 4.1."""
