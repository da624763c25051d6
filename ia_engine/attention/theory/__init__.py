"""Theorems 3.1 and 4.1, computed."""
