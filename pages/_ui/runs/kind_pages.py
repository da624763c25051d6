"""Which page shows a kind of run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class KindPage:
    """The script of a page, and the icon of one kind of its runs."""

    script: str
    icon: str


KIND_PAGES: Final[Mapping[str, KindPage]] = {
    "iterations": KindPage("pages/iterations.py", "grid_on"),
    "attention": KindPage("pages/iterations.py", "terminal"),
    "mean": KindPage("pages/mean.py", "join_inner"),
    "other-poses": KindPage("pages/mean.py", "replay"),
    "clustering": KindPage("pages/clustering.py", "bubble_chart"),
    "side-by-side": KindPage("pages/clustering.py", "compare"),
    "comparison": KindPage("pages/compare.py", "leaderboard"),
    "sweep": KindPage("pages/compare.py", "show_chart"),
    "race": KindPage("pages/equivariance.py", "rotate_left"),
    "paper-entry": KindPage("pages/papers.py", "article"),
    "fetch": KindPage("pages/data.py", "image"),
}
"""By the kind's id."""


def page_of(kind: str) -> str:
    """The script of the page that shows runs of the kind with this id.

    >>> page_of("sweep")
    'pages/compare.py'
    """
    return KIND_PAGES[kind].script
