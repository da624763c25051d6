"""Collects the images and labels of an upload, and the messages about it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import torch
from torch import Tensor

from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.flaws import describe_flaws
from ia_engine.datasets.uploads import canvas
from ia_engine.datasets.uploads.canvas import UploadConfig, place, stack_up
from ia_engine.datasets.uploads.limits import MOST_VALUES, count
from ia_engine.datasets.uploads.stack import (
    LabelList,
    Refusal,
    Stack,
    classes_by_folder,
    find_partner,
    number_labels,
)
from ia_engine.shapes import Images

MOST_REFUSALS = 200
COMPARED = 6
"""Number of images that are also kept unchanged, for comparison."""

TREATMENTS = {
    canvas.INVERTED: "had a light border and {was} inverted",
    canvas.DARKER: "had ink darker than a dark border and {was} inverted",
    canvas.SUBTRACTED: "had a border that is not 0, which was subtracted",
    canvas.TRANSPARENT: "had a transparent background, now 0",
    canvas.KEPT: "kept the background",
}


COMPLEMENTARY = "inverted colours are complementary; for photographs choose the background keep"


@dataclass(frozen=True)
class UploadResult:
    """The readable images, if any, and a sentence for each file that could not be read."""

    images: ImageSet | None
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]
    before: Images | None = None
    """The first of them unchanged: whole, no margin, no change of background or colour."""
    flaws: tuple[str, ...] = ()
    """Sentences about blank, nearly constant and saturated images; also among the notes."""
    hopeless: Mapping[int, tuple[Refusal, ...]] = field(default_factory=dict)
    """Indices of files without images under any settings, and the reasons."""


class Collector:
    """Collects images on their canvas, their labels, and messages."""

    def __init__(self, config: UploadConfig) -> None:
        channels = 1 if config.color == "gray" else 3
        self.config = config
        self.untouched = replace(config, background="keep", color="auto", margin=0.0, cut="whole")
        self.capacity = min(config.limit, MOST_VALUES // (channels * config.size**2))
        self.pieces: list[Images] = []
        self.before: list[Images] = []
        self.done: list[Tensor] = []
        self.flaws: list[Tensor] = []
        self.names: list[str] = []
        self.labels: list[str | None] = []
        self.folders: list[tuple[str, ...]] = []
        self.sources: list[str] = []
        self.inverted: dict[str, bool] = {}
        self.totals: dict[str, int] = {}
        self.lists: dict[str, LabelList] = {}
        self.refused: list[Refusal] = []
        self.titles: Counter[str] = Counter()
        self.remarks: dict[str, None] = {}
        self.unnamed_refusals = self.left_out = self.passed_over = 0

    @property
    def free(self) -> int:
        """Number of images that still fit."""
        return self.capacity - len(self.names)

    @property
    def found(self) -> int:
        """Number of images, label lists, and files beyond the limit."""
        return len(self.totals) + len(self.lists) + self.left_out

    def title(self, name: str) -> str:
        """The name, with a number appended if another file has the same name."""
        self.titles[name] += 1
        return name if self.titles[name] == 1 else f"{name} ({self.titles[name]})"

    def put(self, source: str, folders: tuple[str, ...], stack: Stack) -> None:
        """Place the images of a stack on the canvas; beyond the limit, only count them."""
        self.totals[source] = stack.total
        n = len(stack.images)
        if not n:
            self.left_out += 1
            return
        images, done, flaws, self.inverted[source] = place(
            stack, self.config, self.inverted.get(source)
        )
        if len(self.names) < COMPARED:
            first = stack.first(COMPARED - len(self.names))
            self.before.append(place(first, self.untouched)[0])
        self.pieces.append(images)
        self.done.append(done)
        self.flaws.append(flaws)
        self.names += stack.names
        self.labels += stack.labels or [None] * n
        self.folders += [folders] * n
        self.sources += [source] * n
        if stack.note:
            self.remarks[stack.note] = None

    def refuse(self, refusal: Refusal) -> None:
        """Store a refusal, up to a readable number of them."""
        if len(self.refused) < MOST_REFUSALS:
            self.refused.append(refusal)
        else:
            self.unnamed_refusals += 1

    def empty(self) -> UploadResult:
        """The set, the refusals and the notes."""
        self._pair_lists()
        if not self.names:
            return UploadResult(None, tuple(self.refused), self._notes(()))
        labels, classes = self._choose_labels()
        images = stack_up(self.pieces)
        flaws = (*describe_flaws(torch.cat(self.flaws)), *self._outvoted())
        notes = self._notes(flaws)
        recipe = Recipe("upload", self.config)
        found = ImageSet(images, tuple(self.names), recipe, labels, classes, notes=notes)
        return UploadResult(found, tuple(self.refused), notes, stack_up(self.before), flaws)

    def _pair_lists(self) -> None:
        """Assign each list of labels to the unlabelled images with the same number."""
        for name, given in self.lists.items():
            partner = find_partner(name, given.total, self._unlabelled())
            if partner is None:
                self.refuse(Refusal(name, _no_partner(name, given.total)))
                continue
            rows = [i for i, source in enumerate(self.sources) if source == partner]
            for row, label in zip(rows, given.labels, strict=False):
                self.labels[row] = label

    def _unlabelled(self) -> dict[str, int]:
        labelled = {s for s, label in zip(self.sources, self.labels, strict=True) if label}
        return {source: total for source, total in self.totals.items() if source not in labelled}

    def _choose_labels(self) -> tuple[Tensor | None, tuple[str, ...]]:
        """Given labels take precedence over folders; either all images have labels or none."""
        given = self.labels if any(self.labels) else classes_by_folder(self.folders)
        known = [label for label in given if label is not None]
        if known and len(known) == len(given):
            return number_labels(known)
        if known:
            missing = count(len(given) - len(known), "image")
            self.remarks[f"no labels: {missing} without a label"] = None
        return None, ()

    def _notes(self, flaws: tuple[str, ...]) -> tuple[str, ...]:
        """Everything that changed the images or omitted some."""
        return (*self._treatments(), *flaws, *self.remarks, *self._omissions())

    def _outvoted(self) -> Iterator[str]:
        n = int((torch.cat(self.done) == canvas.OUTVOTED).sum())
        if n:
            differs = "differs" if n == 1 else "differ"
            yield (
                f"{count(n, 'image')} {differs} from most images of the same file in whether the "
                "border or the ink is brighter: the images of a file are inverted all or none"
            )

    def _treatments(self) -> Iterator[str]:
        done = Counter(torch.cat(self.done).tolist() if self.done else [])
        for key, text in TREATMENTS.items():
            if done[key]:
                was = "was" if done[key] == 1 else "were"
                yield f"{count(done[key], 'image')} {text.format(was=was)}"
        if self.pieces and any(piece.shape[1] == 3 for piece in self.pieces):
            turned = done[canvas.INVERTED] + done[canvas.DARKER]
            yield from [COMPLEMENTARY] * (turned > 0)

    def _omissions(self) -> Iterator[str]:
        taken = Counter(self.sources)
        for source, total in self.totals.items():
            if not taken[source]:
                yield f"{source}: none of its {count(total, 'image')}"
            elif taken[source] < total:
                yield f"{source}: the first {taken[source]:,} of {total:,} images"
        if self.left_out:
            more = (
                "raise the limit"
                if self.capacity == self.config.limit
                else "choose a smaller canvas"
            )
            yield f"{count(self.left_out, 'file')} left out beyond {self.capacity:,} images; {more}"
        if self.passed_over:
            yield f"{count(self.passed_over, 'system file')} in a zip passed over"
        if self.unnamed_refusals:
            yield f"{count(self.unnamed_refusals, 'more file')} refused"


def _no_partner(name: str, length: int) -> str:
    return (
        f"{name}: expected a file of {count(length, 'image')} for these labels in the same upload, "
        "got none; upload both together"
    )
