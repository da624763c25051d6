"""Clustering as pictures: bytes for the film, tables of images, plots and files to keep."""
