"""Errors that the pages and the shell catch and display."""


class EngineError(ValueError):
    """An error whose message explains what was expected, what was received, and what to change."""


class Lost(EngineError):
    """Raised when another process of the same run has ended."""

    def __init__(self) -> None:
        super().__init__(
            "another process of this run has ended, so the run cannot continue. Finished work is "
            "saved: run the same command again to compute the rest"
        )
