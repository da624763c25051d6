"""The errors that pages and the shell catch."""


class EngineError(ValueError):
    """An error whose message says what was expected, what it got, and what to change."""


class Lost(EngineError):
    """Another process of the same run has ended."""

    def __init__(self) -> None:
        super().__init__(
            "another process of this run has died or was stopped, so it cannot go on; what was "
            "finished is kept: give the same command again to do the rest"
        )
