"""How far two images are from one another when pose does not count: κ^max (2.2) and its solvers."""
