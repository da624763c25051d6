"""Runs on the pages: starting, watching, resuming, opening and listing runs of any kind."""
