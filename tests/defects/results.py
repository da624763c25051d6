"""The drawn defects, and the results of both suites for them, stored in `drawn.json`."""

import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Final

from tests.defects.sites import Defect

FILE: Final = Path(__file__).parent / "drawn.json"


@dataclass(frozen=True)
class Result:
    """The result of a suite for one defect."""

    killed_by: str | None
    """The test that fails with the defect and passes without it."""
    scope: str
    """Tests that ran: "closest", "touching" (all whose coverage includes the lines) or "whole"."""
    note: str = ""


@dataclass
class Drawn:
    """A defect with its number, its current lines if they were rewritten, and its results."""

    number: int
    defect: Defect
    now: dict[str, str | int] | None = None
    """The fields of the defect that differ in the current sources; they are edited by hand."""
    results: dict[str, Result] = field(default_factory=dict)
    equivalent: str = ""
    """The reason why no test can detect the defect, or ""."""
    successor: str = ""
    """The current test that should kill the defect, if it differs from the test in the old
    suite.
    """

    @property
    def today(self) -> Defect:
        return replace(self.defect, **(self.now or {}))

    @property
    def closest(self) -> str | None:
        """The current test to run first, with all its parameters."""
        old = self.results.get("old")
        first = self.successor or (old and old.killed_by) or ""
        return first.split("[", maxsplit=1)[0] or None


def read_drawn() -> list[Drawn]:
    stored = json.loads(FILE.read_text("utf-8"))
    return [
        Drawn(
            number=one["number"],
            defect=Defect(**one["defect"]),
            now=one["now"],
            results={suite: Result(**result) for suite, result in one["results"].items()},
            equivalent=one["equivalent"],
            successor=one.get("successor", ""),
        )
        for one in stored
    ]


def write_drawn(drawn: list[Drawn]) -> None:
    stored = [asdict(one) for one in drawn]
    FILE.write_text(json.dumps(stored, indent=1, ensure_ascii=False) + "\n", "utf-8")


def format_table(drawn: list[Drawn]) -> str:
    """A Markdown table: one row per defect, one column per suite."""
    rows = ["| defect | place | change | old suite | new suite |", "|---|---|---|---|---|"]
    for one in drawn:
        defect = one.defect
        place = f"`{defect.file}:{defect.line}`"
        cells = [_cell(one, suite) for suite in ("old", "new")]
        rows.append(f"| {one.number} | {place} | {defect.operator} | {' | '.join(cells)} |")
    for suite in ("old", "new"):
        results = [one.results[suite] for one in drawn if suite in one.results]
        killed = sum(result.killed_by is not None for result in results)
        rows.append(f"\n{suite} suite: {killed} of {len(results)} killed")
    return "\n".join(rows)


def _cell(one: Drawn, suite: str) -> str:
    result = one.results.get(suite)
    if result is None:
        return "not run"
    if result.killed_by:
        return f"`{result.killed_by}`"
    if one.equivalent:
        return f"equivalent: {one.equivalent}"
    return f"**survived** ({result.scope}) {result.note}".strip()
