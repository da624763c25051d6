"""Projects: one file with runs, their names and notes, and data sets."""
