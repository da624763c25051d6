"""Parts of the page Iterations."""
