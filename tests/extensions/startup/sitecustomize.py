"""Python imports this file at its start if its folder is in PYTHONPATH."""

from tests.extensions.loading import install

install()
