"""Stores outcomes in two files: papers.json with text and values, papers.npz with arrays."""

import io
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np

from ia_engine.errors import EngineError
from ia_engine.figures.papers.panels import PANELS, Array, Panel
from ia_engine.files import ASSETS, find_shipped
from ia_engine.runs.papers.entry import Claim, Number, Outcome

FOLDER: Final = ASSETS / "papers"
FILES: Final = ("papers/papers.json", "papers/papers.npz")
VERSION: Final = 1


@dataclass(frozen=True)
class ShippedResult:
    """An outcome with the settings and the time of its computation."""

    outcome: Outcome
    budget: float
    """Allowed CPU seconds."""
    seconds: float
    """CPU seconds that were used."""
    seed: int
    date: str
    command: str
    commit: str = ""
    """The commit of the code; "" in results that were stored without it."""
    machine: str = ""
    """The processor and the instruction set that torch used."""


def save_results(folder: Path, results: Mapping[str, ShippedResult]) -> None:
    """Write both files; identical results give byte-identical files."""
    arrays: dict[str, Array] = {}
    encoded = {name: _encode(name, kept, arrays) for name, kept in results.items()}
    text = json.dumps({"version": VERSION, "results": encoded}, ensure_ascii=False, indent=1)
    content = io.BytesIO()
    np.savez_compressed(content, allow_pickle=False, **arrays)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "papers.json").write_text(text + "\n", "utf-8")
    (folder / "papers.npz").write_bytes(content.getvalue())


def load_results(folder: Path = FOLDER) -> dict[str, ShippedResult]:
    """Read the results that `save_results` wrote; empty if there are none."""
    if not (folder / "papers.json").is_file():
        return {}
    try:
        stored = json.loads((folder / "papers.json").read_text("utf-8"))
        if stored["version"] != VERSION:
            raise KeyError("version")
        with np.load(folder / "papers.npz", allow_pickle=False) as arrays:
            return {name: _read(values, arrays) for name, values in stored["results"].items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, BadZipFile) as error:
        raise EngineError(
            f"the papers' results cannot be read ({error}): run 'make papers'"
        ) from error


def load_shipped_results() -> dict[str, ShippedResult]:
    """Load the results of the project; raise EngineError if a file is missing or was changed."""
    for name in FILES:
        find_shipped(name)
    return load_results()


def _encode(name: str, kept: ShippedResult, arrays: dict[str, Array]) -> dict[str, Any]:
    panels = []
    for at, panel in enumerate(kept.outcome.panels):
        values: dict[str, Any] = {"kind": type(panel).__name__}
        for field in fields(panel):
            value = getattr(panel, field.name)
            if isinstance(value, np.ndarray):
                key = f"{name}/{at}/{field.name}"
                arrays[key], values[field.name] = value, {"array": key}
            else:
                values[field.name] = value
        panels.append(values)
    outcome = kept.outcome
    return {
        **_other_fields(kept, "outcome"),
        **_other_fields(outcome, "panels"),
        "numbers": [asdict(number) for number in outcome.numbers],
        "claims": [asdict(claim) for claim in outcome.claims],
        "panels": panels,
    }


def _other_fields(value: ShippedResult | Outcome, left_out: str) -> dict[str, Any]:
    names = (field.name for field in fields(value) if field.name != left_out)
    return {name: getattr(value, name) for name in names}


def _read(values: dict[str, Any], arrays: Mapping[str, Array]) -> ShippedResult:
    """Read a result; fields that are newer than the file have their defaults."""
    outcome = Outcome(**{
        **_stored(Outcome, values),
        "numbers": tuple(Number(**number) for number in values["numbers"]),
        "claims": tuple(Claim(**claim) for claim in values["claims"]),
        "panels": tuple(_read_panel(panel, arrays) for panel in values["panels"]),
    })  # fmt: skip
    return ShippedResult(outcome=outcome, **_stored(ShippedResult, values))


def _stored(kind: type[Outcome | ShippedResult], values: dict[str, Any]) -> dict[str, Any]:
    names = (field.name for field in fields(kind) if field.name in values)
    return {name: _tuples(values[name]) for name in names}


def _read_panel(values: dict[str, Any], arrays: Mapping[str, Array]) -> Panel:
    found: dict[str, Any] = {
        name: arrays[value["array"]] if isinstance(value, dict) else _tuples(value)
        for name, value in values.items()
        if name != "kind"
    }
    return PANELS[values["kind"]](**found)


def _tuples(value: object) -> object:
    """Replace lists with tuples, since JSON has no tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
