"""Where images come from, and under which licence."""

import json
from collections.abc import Iterable
from typing import Final

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.imageset import Recipe
from ia_engine.datasets.published import NAMED

DRAWINGS: Final = "drawings made for this project (MIT)"
ICONS: Final = "icons of Noto Emoji (Apache-2.0)"
DIGITS: Final = (
    "the test set of UCI's Optical Recognition of Handwritten Digits, of which scikit-learn ships "
    "a copy (the licence of the data is not stated in that package)"
)
FASHION: Final = "garments of Fashion-MNIST (MIT, © 2017 Zalando SE)"
MNIST: Final = "MNIST (CC BY-SA 3.0)"
STATED: Final = {
    "fashion": "MIT, © 2017 Zalando SE",
    "mnist": "CC BY-SA 3.0",
    "svhn": "for non-commercial use only",
}
"""What is known of the licences of the named sets."""
SOURCES: Final = {"digits": DIGITS, "fashion": FASHION, "mnist": MNIST, "mnist-all": MNIST}


def origin(recipe: Recipe, *, lent: bool = False) -> str:
    """Whose images these are and what may be done with them, in one sentence.

    Files are lent where a run of somebody else brought them.
    """
    if recipe.source == "upload" and lent:
        return (
            "files of another user, which belong to a run that you opened: it keeps the images "
            "and their names on the app's machine, until its owner deletes it"
        )
    if recipe.source == "upload":
        return (
            "files of yours, held in the app's memory until your session ends; a run of them keeps "
            "the images and their names on the app's machine, until you delete it on the page Runs"
        )
    if recipe.source == "blobs":
        return "random numbers; free of any licence"
    config = json.loads(recipe.config.to_json())
    if "set" in config:
        return _published(config["set"])
    if "bases" in config:
        return "; ".join(dict.fromkeys(_families(config["bases"])))
    return SOURCES.get(config.get("source", "digits"), DIGITS)


def _published(name: str) -> str:
    licence = STATED.get(name, "licence not known here: see there")
    return f"{NAMED[name].title}, {NAMED[name].host} ({licence})"


def _families(bases: Iterable[str]) -> Iterable[str]:
    for base in bases:
        if base in BASES:
            yield ICONS if BASES[base].family == "icons" else DRAWINGS
        else:
            yield SOURCES[base.split(":")[0]]
