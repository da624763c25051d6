"""One module for each kind of run: its computation, and the conversion of its items to arrays."""
