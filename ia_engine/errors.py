"""The errors that pages and the shell catch."""


class EngineError(ValueError):
    """An error whose message explains what was expected, what was received, and what to change."""


class Lost(EngineError):
    """Another process of the same run has ended."""

    def __init__(self) -> None:
        super().__init__(
            "another process of this run has died or was stopped, so the run cannot continue; "
            "finished work is stored: run the same command again to compute the rest"
        )
