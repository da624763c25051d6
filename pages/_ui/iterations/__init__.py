"""Parts of the Iterations page."""
