"""Guided lessons: captions beside the pages, each of which sets the state that it describes."""
