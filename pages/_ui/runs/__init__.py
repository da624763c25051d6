"""Runs on the pages: start, watch, resume, open and list them, whatever their kind."""
