"""Parts of the Clustering page."""
