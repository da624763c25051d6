"""What a data set is, in numbers and words that need no tensors."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from ia_engine.datasets.blobs import PointSet
from ia_engine.datasets.thinning import Data


@dataclass(frozen=True)
class Summary:
    """How many rows of which size, the classes with their counts, and what was done to them."""

    n: int
    size: tuple[int, int, int] | None
    """Channels, height and width [px]; None for points in the plane."""
    classes: Mapping[str, int]
    digest: str
    notes: tuple[str, ...]


def summarise(data: Data) -> Summary:
    """Classes without an image are counted too: 0 is an answer."""
    counts = Counter([] if data.labels is None else data.labels.tolist())
    if isinstance(data, PointSet):
        blobs = {f"blob {label + 1}": count for label, count in sorted(counts.items())}
        return Summary(len(data.points), None, blobs, data.digest, ())
    classes = {title: counts[label] for label, title in enumerate(data.classes)}
    n, *size = data.images.shape
    return Summary(n, (size[0], size[1], size[2]), classes, data.digest, data.notes)
