"""Measures how well each method's clusters agree with the classes, with K given and K estimated."""

from dataclasses import dataclass

from ia_engine.datasets.named import NamedSet
from ia_engine.datasets.published import FASHION, MNIST
from tests.benchmarks.clustering import EXACT, RIVALS, SEEDS, TOP_K, Scores, compare
from tests.benchmarks.results import Found

GIVEN, ESTIMATED = 0.88, 0.75
ALIKE = 0.02


def figures(rows: list[Scores]) -> dict[str, object]:
    """Mean ARI by method, with K given and K estimated."""
    given = {f"{row.method}, K given": round(row.given, 3) for row in rows}
    estimated = {
        f"{row.method}, K estimated": round(row.estimated, 3)
        for row in rows
        if row.estimated is not None
    }
    return given | estimated


@dataclass(frozen=True)
class Table:
    """All methods on one set; claims are made if the parameters were chosen on its other split."""

    named: NamedSet
    claimed: bool

    @property
    def name(self) -> str:
        return f"clusters of {self.named.title}"

    def measure(self) -> Found:
        rows = list(compare(self.named, RIVALS))
        affine = rows[0]
        claims = {
            f"ARI with K given at least {GIVEN:g}": affine.given >= GIVEN,
            f"ARI with K estimated at least {ESTIMATED:g}": (affine.estimated or 0) >= ESTIMATED,
        }
        return Found(figures(rows), claims if self.claimed else {}, f"0-{SEEDS - 1}")


@dataclass(frozen=True)
class TopK:
    """Iterated attention with only the largest weights of every column, compared with all
    weights.
    """

    named: NamedSet = MNIST

    @property
    def name(self) -> str:
        return f"top-k on {self.named.title}"

    def measure(self) -> Found:
        every, most = compare(self.named, (EXACT, TOP_K))
        given = abs(every.given - most.given)
        estimated = abs((every.estimated or 0) - (most.estimated or 0))
        claims = {
            f"ARI with K given within {ALIKE:g} of exact": given <= ALIKE,
            f"ARI with K estimated within {ALIKE:g} of exact": estimated <= ALIKE,
        }
        return Found(figures([every, most]), claims, f"0-{SEEDS - 1}")


TABLES = (Table(MNIST, claimed=True), Table(FASHION, claimed=False), TopK())
