"""Every figure and every table of the three papers: what it says, and what is computed here."""

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
    """The entry of this id."""
    if name not in ENTRIES:
        raise EngineError(f"an entry is one of {', '.join(ENTRIES)}; got {name!r}")
    return ENTRIES[name]
