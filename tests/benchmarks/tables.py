"""The tables of clusters, told and untold, over ten seeds: how well each method sorts by class."""

from dataclasses import dataclass

from ia_engine.datasets.named import NamedSet
from ia_engine.datasets.published import FASHION, MNIST
from tests.benchmarks.clustering import EXACT, RIVALS, SEEDS, TOP_K, Scores, compare
from tests.benchmarks.results import Found

TOLD, UNTOLD = 0.88, 0.75
ALIKE = 0.02


def figures(rows: list[Scores]) -> dict[str, object]:
    """Mean ARI by method, told the number of classes and not."""
    told = {f"{row.method}, told": round(row.told, 3) for row in rows}
    untold = {
        f"{row.method}, untold": round(row.untold, 3) for row in rows if row.untold is not None
    }
    return told | untold


@dataclass(frozen=True)
class Table:
    """All methods on one set; claims are made of the set whose other split chose the parameters."""

    named: NamedSet
    claimed: bool

    @property
    def name(self) -> str:
        return f"clusters of {self.named.title}"

    def measure(self) -> Found:
        rows = list(compare(self.named, RIVALS))
        affine = rows[0]
        claims = {
            f"told at least {TOLD:g}": affine.told >= TOLD,
            f"untold at least {UNTOLD:g}": (affine.untold or 0) >= UNTOLD,
        }
        return Found(figures(rows), claims if self.claimed else {}, f"0-{SEEDS - 1}")


@dataclass(frozen=True)
class TopK:
    """Iterated attention with the heaviest weights of every column, beside all of them."""

    named: NamedSet = MNIST

    @property
    def name(self) -> str:
        return f"top-k on {self.named.title}"

    def measure(self) -> Found:
        every, most = compare(self.named, (EXACT, TOP_K))
        told = abs(every.told - most.told)
        untold = abs((every.untold or 0) - (most.untold or 0))
        claims = {
            f"told within {ALIKE:g} of exact": told <= ALIKE,
            f"untold within {ALIKE:g} of exact": untold <= ALIKE,
        }
        return Found(figures([every, most]), claims, f"0-{SEEDS - 1}")


TABLES = (Table(MNIST, claimed=True), Table(FASHION, claimed=False), TopK())
