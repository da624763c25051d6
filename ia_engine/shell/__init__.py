"""The engine from a shell: one file per command, whose name is the command's."""
