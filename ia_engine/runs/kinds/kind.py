"""A kind of run: what it computes, how its items are saved, and how a saved run is described."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import torch

from ia_engine.attention.iteration import Step
from ia_engine.datasets.data import Data
from ia_engine.runs.kinds.data import OWN, to_given
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays, Record

T = TypeVar("T")

ABSENT: Final = "–"


@dataclass(frozen=True, eq=False)
class Resumption:
    """The plan of a run that continues another one, and where it starts."""

    plan: Any
    start: Any
    repeated: int = 0
    """The number of items of the earlier run with which the new one begins."""


def _never(_: Sequence[Any]) -> None:
    return None


@dataclass(frozen=True, eq=False)
class RunKind(Generic[T]):
    """One kind of run. A plan states what is computed; the run yields items of type T.

    >>> from ia_engine.runs.catalogue import RUN_KINDS
    >>> RUN_KINDS["mean"].title, RUN_KINDS["mean"].unit
    ('Mean', 'iteration')
    """

    id: str
    """Stored in every saved run, so it never changes."""
    title: str
    unit: str
    """What `count` counts."""
    work: Callable[[Any, Any, Any], Iterator[T]]
    """The items of a plan on its data; the third argument is where to start (None: at the data)."""
    expected: Callable[[Any, Any], int]
    """The number of items, about, of a plan and a start."""
    describe: Callable[[Any], str] = str
    """A plan's config as JSON, for the record."""
    seed: Callable[[Any], int] = lambda _: 0
    device: Callable[[Any], str] = lambda _: "cpu"
    pack: Callable[[T], Arrays | None] | None = None
    """An item as arrays, or None if nothing of it is saved; no function if no run is saved."""
    unpack: Callable[[Kept], Sequence[T]] = lambda _: ()
    """The items of a saved run."""
    show: Callable[[Kept], Sequence[Any]] | None = None
    """The items as a page shows them, if these are others than the saved ones."""
    steps: Callable[[Kept, torch.device, str], Iterator[Step]] | None = None
    """The steps of one method of attention with all their arrays; None for other kinds."""
    state: Callable[[T], bytes | None] = lambda _: None
    """What the next step needs besides the items; None for items that bring nothing new."""
    count: Callable[[Kept], int] = lambda kept: kept.steps
    """How far a saved run is, in units; called only if it has a step."""
    numbers: Callable[[Kept], Mapping[str, str]] = lambda _: {}
    """The results of the last step by name; called only if there is one."""
    resume: Callable[[Sequence[Any]], Resumption | None] = _never
    """How an interrupted run continues, from its items as the page shows them; None if never."""

    @property
    def saved(self) -> bool:
        """True if runs of this kind are saved."""
        return self.pack is not None

    @property
    def resumable(self) -> bool:
        return self.resume is not _never

    def open(self, kept: Kept) -> Sequence[Any]:
        """The items of a saved run as its page shows them."""
        return (self.show or self.unpack)(kept)

    def begin_record(self, title: str, plan: object, data: Data | None) -> tuple[Record, Arrays]:
        """The record of a new run and the arrays it starts with; no data if it makes its own."""
        config, seed, device = self.describe(plan), self.seed(plan), self.device(plan)
        if data is None:
            return Record(OWN, config, seed, "", device, title), {}
        record = Record(data.recipe.to_json(), config, seed, data.digest, device, title)
        return record, to_given(data)


def format_number(value: object) -> str:
    """A number or a setting as text, for a table."""
    if value is None:
        return ABSENT
    return f"{value:.4g}" if isinstance(value, float) else str(value)
