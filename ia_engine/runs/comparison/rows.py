"""A result as a row: what the shell prints, what a table shows, what a file keeps."""

from ia_engine.runs.comparison.config import TITLES
from ia_engine.runs.comparison.result import Result

Cell = str | int | float | None
MEGABYTE = 1e6


def to_row(result: Result) -> dict[str, Cell]:
    """Under the names that scripts depend on; memory in bytes."""
    measures = result.measures
    return {
        "method": result.method,
        "seconds": result.seconds,
        "acc": measures.acc if measures else None,
        "nmi": measures.nmi if measures else None,
        "ari": measures.ari if measures else None,
        "clusters": result.clusters,
        "purity": measures.purity if measures else None,
        "memory": result.memory,
        "finished": int(result.finished),
        "note": result.note,
    }


def to_words(result: Result) -> dict[str, Cell]:
    """Under the names on the screen."""
    measures, memory = result.measures, result.memory
    return {
        "method": TITLES[result.method],
        "ACC [%]": round(100 * measures.acc, 1) if measures else None,
        "NMI": round(measures.nmi, 3) if measures else None,
        "ARI": round(measures.ari, 3) if measures else None,
        "purity [%]": _percent(measures.purity) if measures else None,
        "clusters": result.clusters,
        "CPU s": round(result.seconds, 3),
        "memory [MB]": None if memory is None else round(memory / MEGABYTE, 1),
        "note": result.note,
    }


def _percent(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 1)
