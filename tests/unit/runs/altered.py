"""Claims of entries, computed by the entries' own code from altered inputs or models."""

from collections.abc import Callable
from dataclasses import dataclass

from ia_engine.runs.papers.entry import Claim


@dataclass(frozen=True)
class Altered:
    """One claim that fails after an alteration."""

    entry: str
    claim: int
    """Position among the claims of the entry."""
    alteration: str
    """What differs, such as "permuted labels" or "untrained network"."""
    compute: Callable[[], tuple[Claim, ...]]
    """Returns the claims of the entry, computed by its own code from the altered input."""

    @property
    def name(self) -> str:
        return f"{self.entry}-{self.claim}-{self.alteration.replace(' ', '-')}"
