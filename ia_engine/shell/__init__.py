"""The command line of the engine, with one module per command."""
