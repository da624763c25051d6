"""The parts of the page Clustering."""
