"""The films of the site: the components of the app with their data, packed for the browser.

A film is one script. The steps of a run are the bytes that the app would send.
"""

import gzip
import json
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from ia_engine.figures.frames import Frame, encode_film
from ia_engine.figures.mean import MeanFilm
from ia_engine.figures.player import (
    PlayedRun,
    PlayerHeader,
    describe_run,
    encode_step,
    header_of,
)
from ia_engine.files import find_shipped
from ia_engine.runs.attend import Iteration
from ia_engine.runs.catalogue import RUN_KINDS
from ia_engine.runs.clustering.run import Snapshot
from ia_engine.runs.example import load_run
from ia_engine.runs.kinds.clusterings import Film, summarise
from ia_engine.runs.kinds.clusterings import unpack_film as unpack_prototypes
from ia_engine.runs.library import Library
from pages._ui import examples
from pages._ui.components.mean_film import header_of as header_of_mean
from pages._ui.components.mean_film import summarise_step

METHODS: Final = ("ia", "ka")
"""In the order in which the player shows them."""
POSTER: Final = (2, 48)
"""Columns and rows of a poster, and the width of a picture in it [px]."""
LEVEL: Final = 6
"""Compression level of gzip."""


@dataclass(frozen=True, eq=False)
class SitePart:
    """A component of the app: its header, if it has one, and bytes."""

    component: str
    pieces: tuple[bytes, ...]
    header: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class SiteFilm:
    """Components that are shown below one another, and pixels [n h w c] for a poster, if any."""

    parts: tuple[SitePart, ...]
    poster: NDArray[np.uint8] | None = None


def write_film(name: str, film: SiteFilm) -> bytes:
    """Return the script that gives the film to the page."""
    parts = [
        {
            "component": part.component,
            "data": part.header,
            "sizes": [len(piece) for piece in part.pieces],
            "packed": b64encode(gzip.compress(b"".join(part.pieces), LEVEL, mtime=0)).decode(),
        }
        for part in film.parts
    ]
    return f"component.storeFilm({json.dumps(name)}, {json.dumps(parts)});\n".encode()


def draw_poster(film: SiteFilm) -> bytes:
    """Return a PNG with four pictures of the film, evenly spaced."""
    columns, side = POSTER
    if film.poster is None:
        raise ValueError("the film has no poster")
    sheet = Image.new("RGB", (columns * side, columns * side))
    chosen = np.linspace(0, len(film.poster) - 1, columns * columns).round().astype(int)
    for at, pixels in enumerate(film.poster[chosen]):
        drawn = Image.fromarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)
        row, column = divmod(at, columns)
        sheet.paste(drawn.convert("RGB").resize((side, side)), (column * side, row * side))
    file = BytesIO()
    sheet.save(file, "PNG", optimize=True)
    return file.getvalue()


@cache
def film_run(name: str) -> SiteFilm:
    """Return the film of a precomputed run of a lesson."""
    with TemporaryDirectory() as folder:
        with ZipFile(find_shipped(f"lessons/{name}.zip")) as archive:
            archive.extractall(folder)
        kept = Library(Path(folder)).find(name)
        if kept is None:
            raise ValueError(f"lessons/{name}.zip must contain the run {name}")
        return FILMS[kept.kind](name, RUN_KINDS[kept.kind].open(kept))


def film_example() -> SiteFilm:
    """Return the film of the Overview: Experiment 1 with both methods."""
    name = "experiment-1"
    return _film_player(examples.runs_of(name), examples.header_of(name))


def film_digits() -> SiteFilm:
    """Return the film that the page Clustering shows first."""
    arrays = load_run(find_shipped("runs/clustering-digits.safetensors"))[1]
    return _film_prototypes("clustering-digits", unpack_prototypes(arrays))


def _film_iterations(name: str, history: Sequence[Iteration]) -> SiteFilm:
    plan = history[0].plan
    methods = [method for method in METHODS if method in history[0].shown]
    steps = {method: [moment.shown[method] for moment in history] for method in methods}
    runs = [
        describe_run(
            name,
            plan.configs[method],
            [step.frame for step in own],
            plan.moments,
            beta=own[0].beta,
        )
        for method, own in steps.items()
    ]
    header = PlayerHeader(
        sigma=plan.configs[methods[0]].sigma,
        names=plan.names,
        labels=plan.labels,
        classes=plan.classes,
        order="by class" if plan.labels else "as given",
        total=plan.total,
        poses="common",
    )
    return _film_player(runs, header)


def _film_player(runs: Sequence[PlayedRun], header: PlayerHeader) -> SiteFilm:
    pieces = tuple(encode_step(run.run, frame) for run in runs for frame in run.frames)
    part = SitePart("player", pieces, header_of(runs, header, runs[0].run))
    return SiteFilm((part,), _images_of(runs[0].frames[-1]))


def _film_mean(name: str, films: Sequence[MeanFilm]) -> SiteFilm:
    film = films[-1]
    steps = (
        encode_step(name, step.frame, summarise_step(at, step))
        for at, step in enumerate(film.steps)
    )
    pieces = (encode_step(f"{name}.plain", film.plain), *steps)
    shown = [_images_of(step.frame)[:1] for step in (film.steps[0], film.steps[-1])]
    poster = np.concatenate([_images_of(film.plain)[:1], *shown])
    return SiteFilm((SitePart("mean_film", pieces, header_of_mean(film, name)),), poster)


def _film_snapshots(name: str, snapshots: Sequence[Snapshot]) -> SiteFilm:
    return _film_prototypes(name, summarise(snapshots))


def _film_prototypes(name: str, film: Film) -> SiteFilm:
    header = {**asdict(film.numbers), "run": name, "running": False, "autoplay": True, "chosen": 0}
    part = SitePart("prototypes", tuple(encode_film(name, film.pictures)), header)
    return SiteFilm((part,), film.pictures[-1])


def _images_of(frame: Frame) -> NDArray[np.uint8]:
    return np.asarray(frame.arrays["images"], np.uint8)


FILMS: Final[Mapping[str, Callable[[str, Any], SiteFilm]]] = {
    "iterations": _film_iterations,
    "mean": _film_mean,
    "clustering": _film_snapshots,
}
"""Makes a film of the items of a run, by the kind of the run."""
