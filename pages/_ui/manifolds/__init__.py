"""Parts of the Manifolds page, one file for each panel."""
