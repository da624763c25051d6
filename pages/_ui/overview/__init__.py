"""Parts of the page Overview."""
