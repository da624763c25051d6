"""Runs of the pages in the library: every item as arrays and back, by kind."""
