"""Results of a run: clusters, merges, measures and the embedding."""
