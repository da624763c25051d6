"""One module for each kind of run: what it computes, and its items as arrays and back."""
