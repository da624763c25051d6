"""Values of the papers' tables: DTI clustering, Tables 1 to 3, and attentive G-CNNs, Table 1.

All values are in percent. None stands for a value that the paper does not give.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ia_engine.clustering.config import ClusterConfig
from ia_engine.clustering.recipes import ABLATIONS
from ia_engine.runs.tables.rows import ROWS, Row

AVERAGE, BEST, LEAST = "average", "best run", "lowest loss"


@dataclass(frozen=True)
class Quoted:
    """A value of a paper's table: one method on one data set."""

    table: str
    """The folder of the results for the same data set."""
    method: str
    value: float
    """Test error, or ACC: the average over the runs unless `how` says otherwise."""
    spread: float | None = None
    """Standard deviation over the runs."""
    nmi: float | None = None
    least: float | None = None
    """ACC of the run with the lowest loss."""
    least_nmi: float | None = None
    runs: int = 10
    how: str = AVERAGE
    note: str = ""


def find_quoted(row: Row) -> Quoted:
    """Return the value of the paper for a row that `make tables` computes.

    >>> from ia_engine.runs.tables.rows import ROWS
    >>> find_quoted(ROWS[0]).value
    2.048
    """
    method = row.title
    if isinstance(row.config, ClusterConfig):
        method = method.removesuffix(f", {row.config.encoder} encoder")
    return next(q for q in QUOTED if (q.table, q.method) == (row.table, method))


def find_competitors(table: str) -> tuple[Quoted, ...]:
    """Return the other rows of the paper's table, which this project does not compute.

    >>> [quoted.method for quoted in find_competitors("mnist-color")][:2]
    ['VaDE', 'IMSAT']
    """
    own = {find_quoted(row).method for row in ROWS if row.table == table}
    return tuple(q for q in QUOTED if q.table == table and q.method not in {*own, *COMPUTED})


COMPUTED: Final = ("DTI K-means", "DTI GMM", "affine, morphology, tps")
"""Methods whose rows are computed here, or would be if the data were available."""
SETS: Final = ("mnist", "mnist-test", "usps", "fashion", "frgc", "svhn")
"""The columns of Table 1."""
AUGMENTED: Final = "with data augmentation"
PRETRAINED: Final = "features of the best VaDE run"

Both = tuple[float, float | None] | None
"""ACC and NMI, or None."""
COMPETITORS: Final[tuple[tuple[str, int, str, str, tuple[Both, ...]], ...]] = (
    ("DEC", 9, BEST, "",
     ((86.3, 83.4), (85.6, 83.0), (76.2, 76.7), (51.8, 54.6), (37.8, 50.5), None)),
    ("InfoGAN", 5, BEST, "", ((89.0, 86.0), None, None, (61.0, 59.0), None, None)),
    ("VaDE", 10, BEST, "", ((94.5, 87.6), None, (56.6, 51.2), (57.8, 63.0), None, None)),
    ("ClusterGAN", 5, BEST, "", ((95.0, 89.0), None, None, (63.0, 64.0), None, None)),
    ("JULE", 3, AVERAGE, "",
     ((96.4, 91.3), (96.1, 91.5), (95.0, 91.3), (56.3, 60.8), (46.1, 57.4), None)),
    ("DEPCT", 5, AVERAGE, "",
     ((96.5, 91.7), (96.3, 91.5), (96.4, 92.7), (39.2, 39.2), (47.0, 61.0), None)),
    ("DSCDAN", 10, AVERAGE, "",
     ((97.8, 94.1), (98.0, 94.6), (86.9, 85.7), (66.2, 64.5), None, None)),
    ("SpectralNet", 5, AVERAGE, PRETRAINED, ((97.1, 92.4), None, None, None, None, None)),
    ("IMSAT", 12, AVERAGE, AUGMENTED, ((98.4, None), None, None, None, None, None)),
    ("IMSAT", 12, AVERAGE, f"{AUGMENTED}, GIST features", (None,) * 5 + ((57.3, None),)),
    ("ADC", 20, AVERAGE, AUGMENTED, ((98.7, None), None, None, None, (43.7, None), (38.6, None))),
    ("SCAE", 5, AVERAGE, AUGMENTED, ((98.7, None), None, None, None, None, None)),
    ("SCAE", 5, AVERAGE, "Sobel filters", (None,) * 5 + ((55.3, None),)),
    ("IIC", 5, AVERAGE, AUGMENTED, ((98.4, None), None, None, None, None, None)),
    ("IIC", 5, LEAST, AUGMENTED, ((99.2, None), None, None, None, None, None)),
    ("K-means", 10, AVERAGE, "",
     ((54.8, 50.2), (55.9, 51.2), (65.3, 61.2), (54.1, 51.4), (22.7, 26.5), (12.2, None))),
    ("GMM", 10, AVERAGE, "",
     ((54.2, 51.7), (55.6, 54.7), (66.0, 60.9), (49.7, 51.2), (24.2, 27.9), (11.6, None))),
)  # fmt: skip
"""Table 1: method, number of runs, aggregate, note, and ACC and NMI on each of `SETS`."""


def _list_competitors() -> Iterator[Quoted]:
    for method, runs, how, note, cells in COMPETITORS:
        for table, cell in zip(SETS, cells, strict=True):
            if cell is not None:
                yield Quoted(table, method, cell[0], nmi=cell[1], runs=runs, how=how, note=note)


def _deep(
    table: str, kmeans: tuple[float | None, ...], gmm: tuple[float | None, ...], note: str = ""
) -> Iterator[Quoted]:
    """Yield both models: ACC, NMI, and both of the run with the lowest loss."""
    for method, values in (("DTI K-means", kmeans), ("DTI GMM", gmm)):
        acc, nmi, least, least_nmi = values
        assert acc is not None
        yield Quoted(table, method, acc, None, nmi, least, least_nmi, note=note)


GAUSSIAN: Final = "with Gaussian weights"

QUOTED: Final = (
    *_list_competitors(),
    *_deep("mnist", (97.3, 94.0, 97.2, 93.8), (95.9, 93.2, 97.1, 93.7)),
    *_deep("mnist-test", (96.6, 94.6, 98.0, 95.3), (97.8, 94.7, 98.0, 95.1)),
    *_deep("usps", (86.4, 88.2, 89.8, 89.5), (84.5, 87.2, 87.3, 89.0)),
    *_deep("fashion", (61.2, 63.7, 57.4, 64.1), (59.6, 62.2, 68.2, 66.3)),
    *_deep("frgc", (39.6, 48.7, 41.1, 49.7), (40.1, 48.9, 41.6, 51.1)),
    *_deep("svhn", (44.5, None, 62.6, None), (57.4, None, 63.3, None), GAUSSIAN),
    *_deep("svhn", (36.4, None, 39.6, None), (36.7, None, 39.5, None), "without weights"),
    Quoted("mnist-1k", "VaDE", 49.6, 5.6, runs=5),
    Quoted("mnist-1k", "IMSAT", 67.9, 2.3, runs=5),
    Quoted("mnist-1k", "IIC", 63.4, 0.4, least=63.2, runs=5),
    Quoted("mnist-1k", "DTI K-means", 79.8, 6.9, least=90.5),
    Quoted("mnist-1k", "DTI GMM", 80.8, 7.2, least=87.1),
    Quoted("mnist-color", "VaDE", 11.9, 1.2, runs=5),
    Quoted("mnist-color", "IMSAT", 10.6, 0.1, runs=5),
    Quoted("mnist-color", "IIC", 10.6, 0.0, least=10.6, runs=5),
    Quoted("mnist-color", "DTI K-means", 96.7, 0.1, least=96.8),
    Quoted("mnist-color", "DTI GMM", 96.0, 0.2, least=95.8),
    Quoted("affnist", "IMSAT", 18.2, 2.6, runs=5, note="VaDE diverges"),
    Quoted("affnist", "IIC", 57.6, 0.0, least=57.6, runs=5),
    Quoted("affnist", "DTI K-means", 95.5, 3.3, least=97.0),
    Quoted("affnist", "DTI GMM", 93.3, 5.9, least=97.0),
    *(Quoted("table-3", name, acc, least=least, runs=1 if name == "TI, all three" else 10)
      for name, (acc, least) in ABLATIONS.items()),
    *(Quoted("rot-mnist", name, error, spread, runs=5) for name, error, spread in (
        ("p4-CNN", 2.048, 0.045), ("α_RH-p4-CNN", 1.980, 0.032), ("BIG 19 p4-CNN", 1.796, 0.035),
        ("α-p4-CNN", 1.696, 0.021), ("BIG 15 p4-CNN", 1.848, 0.019),
        ("α_CH-p4-CNN", 1.825, 0.048), ("α_SP-p4-CNN", 1.761, 0.027),
        ("BIG 11 p4-CNN", 1.996, 0.083), ("α_F-p4-CNN", 1.795, 0.028),
    )),
)  # fmt: skip
