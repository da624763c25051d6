"""Lists every figure and table of the three papers, with its statement and its computation."""

from typing import Final

from ia_engine.errors import EngineError
from ia_engine.runs.papers import attentive, dti, invariant
from ia_engine.runs.papers.entry import Entry

PAPERS: Final = {
    "ia": "Invariant Attention",
    "dti": "Deep Transformation-Invariant Clustering",
    "gcnn": "Attentive Group Convolutions",
}
ENTRIES: Final = {
    entry.id: entry for entry in (*invariant.ENTRIES, *dti.ENTRIES, *attentive.ENTRIES)
}


def find_entry(name: str) -> Entry:
    """Return the entry with this ID."""
    if name not in ENTRIES:
        raise EngineError(f"an entry must be one of {', '.join(ENTRIES)}; got {name!r}")
    return ENTRIES[name]
