"""The test commands: `make test`, `make test-matrix` and `make quick`."""
