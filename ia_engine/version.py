"""The version of the package, which the build, saved runs and the citation state."""

__version__ = "0.1.0"
