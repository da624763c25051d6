"""What the record of a run states: the method as a sentence, its settings, and what to cite."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from ia_engine.params import Config


@dataclass(frozen=True)
class Citation:
    """A publication, as text and as the fields of a BibTeX entry."""

    key: str
    kind: str
    fields: Mapping[str, str]

    def to_text(self) -> str:
        """Return author, title, where it appeared, and year."""
        author = self.fields["author"].strip("{}").replace(" and ", ", ")
        rest = [self.fields[name] for name in ("booktitle", "year", "note") if name in self.fields]
        if "version" in self.fields:
            rest.append(f"version {self.fields['version']}")
        return f"{'. '.join(filter(None, (author, self.fields['title'], ', '.join(rest))))}."

    def to_bibtex(self) -> str:
        lines = (f"  {name} = {{{value}}}" for name, value in self.fields.items())
        return f"@{self.kind}{{{self.key},\n" + ",\n".join(lines) + "\n}\n"


INVARIANT: Final = Citation(
    "invariant-attention",
    "unpublished",
    {
        "author": "Anonymous authors",
        "title": "Invariant Attention: Provable Clustering Under Transformations",
        "note": "Under double-blind review",
    },
)
DTI: Final = Citation(
    "dti-clustering",
    "inproceedings",
    {
        "author": "Tom Monnier and Thibault Groueix and Mathieu Aubry",
        "title": "Deep Transformation-Invariant Clustering",
        "booktitle": "Advances in Neural Information Processing Systems",
        "year": "2020",
    },
)
ATTENTIVE: Final = Citation(
    "attentive-group-convolutions",
    "inproceedings",
    {
        "author": "David W. Romero and Erik J. Bekkers and Jakub M. Tomczak and Mark Hoogendoorn",
        "title": "Attentive Group Equivariant Convolutional Networks",
        "booktitle": "International Conference on Machine Learning",
        "year": "2020",
    },
)
GROUP_TITLES: Final[Mapping[str, str]] = {
    "translation": "translations",
    "rotation": "rotations",
    "se2": "SE(2), rotations and translations",
    "similarity": "similarities",
    "affine": "affine maps",
    "projective": "projective maps",
}
"""How a sentence names a group. Other groups have their own names."""


C_co = TypeVar("C_co", bound=Config, covariant=True)


@dataclass(frozen=True)
class StoredConfig(Generic[C_co]):
    """A config as a run stores it. Runs of earlier versions lack some of its settings."""

    title: str
    """The method to which the config belongs; "" if there is only one."""
    config: C_co
    names: frozenset[str]
    """The settings that the run stores."""

    def stores(self, *names: str) -> bool:
        return set(names) <= self.names


@dataclass(frozen=True)
class Statement:
    """What a run did, according to its record."""

    done: str
    """The method, as a sentence without a full stop."""
    configs: Sequence[StoredConfig[Config]]
    papers: Sequence[Citation]
    on: str = ""
    """The number of images or points, such as "18 of 36 images"; "" if it is not stored."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Other settings, which belong to no config."""


def read_stored(config: type[C_co], text: str, title: str = "") -> StoredConfig[C_co]:
    """Read a config that `to_json` wrote, and note which settings it contains."""
    return StoredConfig(title, config.from_json(text), frozenset(json.loads(text)))


def name_group(group: str) -> str:
    """Return how a sentence names a group.

    >>> name_group("affine")
    'affine maps'
    """
    return GROUP_TITLES.get(group, group)


def list_words(words: Sequence[str]) -> str:
    """Join words with commas and "and".

    >>> list_words(["affine", "morphology", "tps"])
    'affine, morphology and tps'
    """
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def count_images(size: int, total: int, unit: str = "images") -> str:
    """Return how many of the images were used.

    >>> count_images(18, 18), count_images(100, 1797)
    ('18 images', '100 of 1,797 images')
    """
    return f"{size:,} {unit}" if size == total else f"{size:,} of {total:,} {unit}"


def format_setting(value: object) -> str:
    """Return a setting as text, with all digits that distinguish it.

    >>> format_setting(15.0), format_setting(("affine", "tps")), format_setting("")
    ('15', 'affine, tps', 'none')
    """
    if isinstance(value, bool) or value is None:
        return "none" if value is None else str(value).lower()
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, list | tuple):
        return ", ".join(map(format_setting, value)) or "none"
    if isinstance(value, Mapping):
        return "; ".join(f"{name} {format_setting(part)}" for name, part in value.items()) or "none"
    return str(value) or "none"
