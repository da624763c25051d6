"""Reads uploaded files into one set of images. A file that cannot be read does not affect the
others."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

import torch
from torch import Tensor

from ia_engine.datasets.data import ImageSet, Recipe, describe_flaws
from ia_engine.datasets.uploads import canvas
from ia_engine.datasets.uploads.archive import (
    File,
    Member,
    classes_by_folder,
    folders_of,
    is_system_file,
    kind_of_archive,
    open_archive,
)
from ia_engine.datasets.uploads.arrays import read_idx_file, read_npy, read_npz, read_torch
from ia_engine.datasets.uploads.canvas import (
    UploadConfig,
    find_common_length,
    find_placement,
    place,
    stack_up,
)
from ia_engine.datasets.uploads.limits import (
    FREE_BYTES,
    FREE_PIXELS,
    MOST_VALUES,
    PIXELS_PER_BYTE,
    READABLE,
    Budget,
    Found,
    LabelList,
    Refusal,
    Stack,
    check_depth,
    count,
    find_partner,
    number_labels,
    recognise,
    refuse_kind,
    show_name,
)
from ia_engine.datasets.uploads.pictures import read_picture
from ia_engine.errors import EngineError
from ia_engine.images import Images
from ia_engine.poses.placement import Placement

T = TypeVar("T")
Reader = Callable[[str, bytes, Budget], Iterator[Found]]
Progress = Callable[[float], None]

PICTURES: Final = ("png", "jpeg", "webp", "gif")
READERS: Final[dict[str, Reader]] = {
    **dict.fromkeys(PICTURES, read_picture),
    "npy": read_npy,
    "npz": read_npz,
    "idx": read_idx_file,
    "gzip": read_idx_file,
    "torch": read_torch,
}
MOST_REFUSALS: Final = 200
COMPARED: Final = 6
"""Number of images that are also kept unchanged, so that they can be compared."""
SAME_SCALE: Final = 1.01
"""Largest ratio of two scales at which the sizes of pictures count as comparable."""


@dataclass(frozen=True)
class UploadResult:
    """The images that could be read, if any, and a sentence for each file that could not be
    read."""

    images: ImageSet | None
    refused: tuple[Refusal, ...]
    notes: tuple[str, ...]
    before: Images | None = None
    """The first images unchanged: not cropped, without a margin, and with their background and
    colours."""
    flaws: tuple[str, ...] = ()
    """Sentences about blank, nearly constant and saturated images, which `notes` also contains."""
    hopeless: Mapping[int, tuple[Refusal, ...]] = field(default_factory=dict)
    """The reasons why files cannot yield images under any settings, by the index of the file."""


def read_upload(
    files: Sequence[File], config: UploadConfig, progress: Progress = lambda share: None
) -> UploadResult:
    """Return all images in the files, on one canvas with a background of 0, and the refused files.

    One file is read at a time. Of unsupported files, and of pictures beyond the limit, only the
    first bytes are read. `progress` is called with the fraction read so far, for every file in a
    zip and every part of a file. If it raises an exception, reading stops. For a common scale, the
    files are read twice, because the longest side determines it; the recipe of the images states
    this side.
    """
    if config.fit == "each" or config.longest:
        return _read_once(files, config, progress)
    first = _read_once(files, replace(config, fit="each"), lambda share: progress(share / 2))
    if first.images is None:
        return first
    longest = find_common_length(first.images.placements, config)
    return _read_once(
        files, replace(config, longest=longest), lambda share: progress((1 + share) / 2)
    )


def _read_once(files: Sequence[File], config: UploadConfig, progress: Progress) -> UploadResult:
    collector = Collector(config)
    size = sum(file.size for file in files)
    pixels = FREE_PIXELS + PIXELS_PER_BYTE * size
    budget = Budget(collector.free, pixels, FREE_BYTES + size, config.scale)
    before, hopeless = 0, dict[int, tuple[Refusal, ...]]()
    for at, file in enumerate(files):
        name, refused, found = show_name(file.name), len(collector.refused), collector.found
        for entry in _or_refusal(name, "zip", partial(_open, name, file, collector, budget)):
            share = (before + getattr(entry, "share", 0.0) * file.size) / max(1, size)
            progress(share)
            if isinstance(entry, Refusal):
                collector.refuse(entry)
            else:
                _read(entry, collector, budget, partial(progress, share))
        before += file.size
        if collector.found == found:
            hopeless[at] = tuple(collector.refused[refused:])
    progress(1.0)
    return replace(collector.make_result(), hopeless=hopeless)


def describe_scales(placements: Sequence[Placement]) -> Iterator[str]:
    """Yield a sentence if pictures were scaled by different factors."""
    scales = [place.scale[0] for place in placements]
    if scales and max(scales) > SAME_SCALE * min(scales):
        yield (
            f"each picture was scaled to the canvas, by {min(scales):.3g} to {max(scales):.3g}, so "
            "their sizes are not comparable"
        )


@dataclass(frozen=True)
class UploadEntry:
    """A file, its kind, and the fraction of its zip that has been read so far."""

    file: File
    kind: str
    share: float = 0.0


class Collector:
    """Collects images on the canvas, their labels, and messages."""

    def __init__(self, config: UploadConfig) -> None:
        channels = 1 if config.color == "gray" else 3
        self.config = config
        self.untouched = replace(
            config, background="keep", color="auto", margin=0.0, cut="whole", fit="each"
        )
        self.capacity = min(config.limit, MOST_VALUES // (channels * config.size**2))
        self.pieces: list[Images] = []
        self.before: list[Images] = []
        self.done: list[Tensor] = []
        self.flaws: list[Tensor] = []
        self.names: list[str] = []
        self.placements: list[Placement] = []
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
        """Number of images that can still be added."""
        return self.capacity - len(self.names)

    @property
    def found(self) -> int:
        """Number of files with images, lists of labels, and files beyond the limit."""
        return len(self.totals) + len(self.lists) + self.left_out

    def title(self, name: str) -> str:
        """Return the name, with a number appended if another file has the same name."""
        self.titles[name] += 1
        return name if self.titles[name] == 1 else f"{name} ({self.titles[name]})"

    def put(self, source: str, folders: tuple[str, ...], stack: Stack) -> None:
        """Place the images of a stack on the canvas. Beyond the limit, the file is only counted."""
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
        self.placements += [find_placement(stack, self.config)] * n
        self.done.append(done)
        self.flaws.append(flaws)
        self.names += stack.names
        self.labels += stack.labels or [None] * n
        self.folders += [folders] * n
        self.sources += [source] * n
        if stack.note:
            self.remarks[stack.note] = None

    def refuse(self, refusal: Refusal) -> None:
        """Store a refusal. Beyond MOST_REFUSALS, it is only counted."""
        if len(self.refused) < MOST_REFUSALS:
            self.refused.append(refusal)
        else:
            self.unnamed_refusals += 1

    def make_result(self) -> UploadResult:
        """Return the set of images, the refusals and the notes."""
        self._assign_label_lists()
        if not self.names:
            return UploadResult(None, tuple(self.refused), self._notes(()))
        labels, classes = self._choose_labels()
        images = stack_up(self.pieces)
        flaws = (*describe_flaws(torch.cat(self.flaws)), *self._describe_outvoted())
        notes = self._notes(flaws)
        recipe = Recipe("upload", self.config)
        found = ImageSet(
            images,
            tuple(self.names),
            recipe,
            labels,
            classes,
            notes=notes,
            placements=tuple(self.placements),
        )
        return UploadResult(found, tuple(self.refused), notes, stack_up(self.before), flaws)

    def _assign_label_lists(self) -> None:
        """Assign each list of labels to the unlabelled file that has the same number of images."""
        for name, given in self.lists.items():
            pairs = zip(self.sources, self.labels, strict=True)
            labelled = {source for source, label in pairs if label}
            free = {source: n for source, n in self.totals.items() if source not in labelled}
            partner = find_partner(name, given.total, free)
            if partner is None:
                reason = (
                    f"{name}: expected a file of {count(given.total, 'image')} for these labels "
                    "in the same upload; got none: upload both together"
                )
                self.refuse(Refusal(name, reason))
                continue
            rows = [i for i, source in enumerate(self.sources) if source == partner]
            for row, label in zip(rows, given.labels, strict=False):
                self.labels[row] = label

    def _choose_labels(self) -> tuple[Tensor | None, tuple[str, ...]]:
        """Return the labels and classes. Labels in the files take precedence over folders, and
        either all images have labels or none."""
        given = self.labels if any(self.labels) else classes_by_folder(self.folders)
        known = [label for label in given if label is not None]
        if known and len(known) == len(given):
            return number_labels(known)
        if known:
            missing = len(given) - len(known)
            have = "has" if missing == 1 else "have"
            self.remarks[f"labels ignored: {count(missing, 'image')} {have} none"] = None
        return None, ()

    def _notes(self, flaws: tuple[str, ...]) -> tuple[str, ...]:
        """Return sentences about changed and omitted images."""
        return (
            *self._describe_treatments(),
            *describe_scales(self.placements),
            *flaws,
            *self.remarks,
            *self._describe_omissions(),
        )

    def _describe_outvoted(self) -> Iterator[str]:
        n = int((torch.cat(self.done) == canvas.OUTVOTED).sum())
        if n:
            differs = "differs" if n == 1 else "differ"
            yield (
                f"{count(n, 'image')} {differs} from most images in the same file in whether "
                "the border or the ink is brighter; of each file, either all or none are inverted"
            )

    def _describe_treatments(self) -> Iterator[str]:
        done = Counter(torch.cat(self.done).tolist() if self.done else [])
        for key, text in canvas.TREATMENTS.items():
            if done[key]:
                was = "was" if done[key] == 1 else "were"
                yield f"{count(done[key], 'image')} {text.format(was=was)}"
        if any(piece.shape[1] == 3 for piece in self.pieces) and (
            done[canvas.INVERTED] + done[canvas.DARKER]
        ):
            yield canvas.COMPLEMENTARY

    def _describe_omissions(self) -> Iterator[str]:
        used = Counter(self.sources)
        for source, total in self.totals.items():
            if not used[source]:
                yield f"{source}: none of its {count(total, 'image')} were used"
            elif used[source] < total:
                yield f"{source}: only the first {used[source]:,} of {total:,} images were used"
        if self.left_out:
            limited = self.capacity == self.config.limit
            more = "raise the limit" if limited else "choose a smaller canvas"
            was = "was" if self.left_out == 1 else "were"
            yield (
                f"{count(self.left_out, 'file')} {was} omitted because the limit of "
                f"{self.capacity:,} images was reached; {more}"
            )
        if self.passed_over:
            was = "was" if self.passed_over == 1 else "were"
            yield f"{count(self.passed_over, 'system file')} in a zip {was} ignored"
        if self.unnamed_refusals:
            was = "was" if self.unnamed_refusals == 1 else "were"
            yield f"{count(self.unnamed_refusals, 'more file')} {was} refused"


def _open(
    name: str, file: File, collector: Collector, budget: Budget
) -> Iterator[UploadEntry | Refusal]:
    """Yield the file itself, or the files in it if it is a zip."""
    check_depth(file.name)
    kind = recognise(file.head)
    if kind != "zip":
        yield UploadEntry(file, kind)
        return
    with open_archive(name, file.content) as archive:
        kind = kind_of_archive(archive)
        if kind != "zip":
            yield UploadEntry(file, kind)
            return
        files = [info for info in archive.infolist() if not info.is_dir()]
        useful = [info for info in files if not is_system_file(info.filename)]
        collector.passed_over += len(files) - len(useful)
        if not useful:
            raise EngineError(f"{name}: expected pictures in the zip; got none: add pictures to it")
        for at, info in enumerate(useful):
            member = Member(archive, info, budget)
            share = at / len(useful)
            for found in _or_refusal(show_name(info.filename), "file", member.recognise):
                yield found if isinstance(found, Refusal) else UploadEntry(member, found, share)
            if not budget.bytes:  # nothing more can be unpacked; the last refusal explains why
                return


def _read(
    entry: UploadEntry, collector: Collector, budget: Budget, progress: Callable[[], None]
) -> None:
    """Add one file, or its refusal, to the collector."""
    file, kind = entry.file, entry.kind
    name = collector.title(show_name(file.name))
    reader = READERS.get(kind)
    if reader is None:
        collector.refuse(Refusal(name, refuse_kind(name, kind)))
        return
    if kind in PICTURES and not collector.free:
        collector.left_out += 1
        return
    budget.images = collector.free

    def collect() -> Iterator[Refusal]:
        for found in reader(name, file.content, budget):
            progress()
            if isinstance(found, LabelList):
                collector.lists[name] = found
            else:
                collector.put(name, folders_of(file.name), found)
        yield from ()

    for refusal in _or_refusal(name, READABLE[kind], collect):
        collector.refuse(refusal)


def _or_refusal(name: str, what: str, find: Callable[[], Iterator[T]]) -> Iterator[T | Refusal]:
    """Yield the items of `find`; the first failure becomes a refusal and ends the iteration."""
    try:
        yield from find()
    except EngineError as error:
        yield Refusal(name, str(error))
    except Exception:  # hostile bytes can cause any error in a decoder
        reason = f"{name}: expected an intact {what}; got a damaged {what}: export it again"
        yield Refusal(name, reason)
