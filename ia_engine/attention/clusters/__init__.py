"""What a run is read as: clusters, merges, measures and the plane of the distances."""
