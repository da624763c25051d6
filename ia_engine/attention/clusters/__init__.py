"""Results of a run: clusters, merges, scores and the embedding."""
