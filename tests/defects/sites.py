"""A site is a place in a source file that can be changed; a defect is such a change."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Site:
    """A site whose bytes from `start` to `end` can be replaced by `text`."""

    operator: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Defect:
    """Full lines of a file and their replacement.

    `line` is the line where `before` begins in the tree from which the defect was drawn.
    `occurrence` is the index of `before` among identical blocks.
    """

    file: str
    line: int
    operator: str
    before: str
    after: str
    occurrence: int = 0

    def apply(self, tree: Path) -> None:
        path = tree / self.file
        path.write_bytes(self.patch(path.read_bytes().decode()).encode())

    def patch(self, source: str) -> str:
        """The source with the defect; raises ValueError if its lines do not occur."""
        starts = _occurrences(source, self.before)
        if len(starts) <= self.occurrence:
            raise ValueError(
                f"{self.file} must contain the lines of the defect {self.occurrence + 1} times; "
                f"found {len(starts)}. State the current lines in `now`:\n{self.before}"
            )
        start = starts[self.occurrence]
        return source[:start] + self.after + source[start + len(self.before) :]

    def lines(self, source: str) -> range:
        """The numbers of the lines that the defect changes, counted from 1."""
        start = _occurrences(source, self.before)[self.occurrence]
        first = source.count("\n", 0, start) + 1
        return range(first, first + self.before.count("\n") + 1)


def make_defect(file: str, source: bytes, site: Site) -> Defect:
    """A defect with the full lines around a site, before and after the change.

    Examples
    --------
    >>> make_defect("a.py", b"x = 1\ny = x + x\n", Site("arithmetic", 12, 13, "-")).after
    'y = x - x'
    """
    start = source.rfind(b"\n", 0, site.start) + 1
    end = source.find(b"\n", site.end)
    end = len(source) if end < 0 else end
    before = source[start:end].decode()
    after = (source[start : site.start] + site.text.encode() + source[site.end : end]).decode()
    text = source.decode()
    at = len(source[:start].decode())
    return Defect(
        file=file,
        line=source.count(b"\n", 0, start) + 1,
        operator=site.operator,
        before=before,
        after=after,
        occurrence=_occurrences(text, before).index(at),
    )


def _occurrences(source: str, block: str) -> list[int]:
    """The positions at which a block of full lines begins."""
    found = []
    at = source.find(block)
    while at >= 0:
        end = at + len(block)
        whole = (at == 0 or source[at - 1] == "\n") and source[end : end + 1] in ("", "\n")
        if whole:
            found.append(at)
        at = source.find(block, at + 1)
    return found
