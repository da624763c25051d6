"""The engine from a shell: one file per command, named after the command."""
