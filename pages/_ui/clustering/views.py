"""What is shown below the film, one thing at a time."""

from collections.abc import Callable, Mapping
from typing import Final

from pages._ui.clustering.change import show_change
from pages._ui.clustering.exports import show_files
from pages._ui.clustering.measures import show_confusion
from pages._ui.clustering.prototype import show_prototype
from pages._ui.clustering.run import Seen
from pages._ui.clustering.samples import show_outliers, show_samples
from pages._ui.controls import choose_one

VIEW: Final = "view"
VIEWS: Final[Mapping[str, Callable[[Seen], None]]] = {
    "Samples": show_samples,
    "Prototype": show_prototype,
    "Outliers": show_outliers,
    "Confusion": show_confusion,
    "Change": show_change,
    "Export": show_files,
}


def ask_view() -> str:
    """Which view is wanted."""
    return choose_one("View", list(VIEWS), next(iter(VIEWS)), key=VIEW, hidden=True)
