"""Data sets: generated, published and uploaded."""
