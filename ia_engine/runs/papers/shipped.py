"""Outcomes in files: papers.json with all text and numbers, papers.npz with the arrays."""

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


@dataclass(frozen=True, eq=False)
class ShippedResult:
    """An outcome with its budget, time, seed, date and command."""

    outcome: Outcome
    status: str
    budget: float
    """Allowed CPU seconds."""
    seconds: float
    """CPU seconds that were used."""
    seed: int
    date: str
    command: str


def save_results(folder: Path, results: Mapping[str, ShippedResult]) -> None:
    """Write both files; equal results give equal bytes."""
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
            f"the papers' results cannot be read ({error}): run make papers"
        ) from error


def load_shipped_results() -> dict[str, ShippedResult]:
    """The results that the project ships; EngineError if a file is missing or was changed."""
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
        **{field.name: getattr(kept, field.name) for field in fields(kept) if
           field.name != "outcome"},
        "numbers": [asdict(number) for number in outcome.numbers],
        "claims": [asdict(claim) for claim in outcome.claims],
        "data": outcome.data,
        "stand_in": outcome.stand_in,
        "answers": outcome.answers,
        "panels": panels,
    }  # fmt: skip


def _read(values: dict[str, Any], arrays: Mapping[str, Array]) -> ShippedResult:
    outcome = Outcome(
        numbers=tuple(Number(**number) for number in values["numbers"]),
        claims=tuple(Claim(**claim) for claim in values["claims"]),
        panels=tuple(_read_panel(panel, arrays) for panel in values["panels"]),
        data=values["data"],
        stand_in=values["stand_in"],
        answers=tuple(values["answers"]),
    )
    own = (field.name for field in fields(ShippedResult) if field.name != "outcome")
    return ShippedResult(outcome=outcome, **{name: values[name] for name in own})


def _read_panel(values: dict[str, Any], arrays: Mapping[str, Array]) -> Panel:
    found: dict[str, Any] = {
        name: arrays[value["array"]] if isinstance(value, dict) else _tuples(value)
        for name, value in values.items()
        if name != "kind"
    }
    return PANELS[values["kind"]](**found)


def _tuples(value: object) -> object:
    """Replace lists by tuples, since JSON has no tuples."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value
