"""The parts of the page Manifolds, one file for each panel."""
