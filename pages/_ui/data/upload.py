"""What was read of an upload and what was refused, and the images before and after."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet, Recipe, summarise
from ia_engine.datasets.distortions import Distortion, copy_images
from ia_engine.datasets.generated import SEED
from ia_engine.datasets.uploads import (
    COMPARED,
    PHOTOGRAPHS,
    Refusal,
    Upload,
    UploadConfig,
    UploadResult,
)
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import draw_row
from ia_engine.params import Range
from pages._ui.data.controls import ask
from pages._ui.data.distortions import Change, edit_distortions
from pages._ui.panels import explain, plain
from pages._ui.reading import read_files, release
from pages._ui.state.dataset import UPLOAD, asked, choose, source_of, upload_of, viewer

LISTED: Final = 6
REMEDY: Final = (
    "Compare the images below before and after, and change the **scale** or the **background**."
)


def report(result: UploadResult) -> None:
    """What was read, and a sentence for every file that was not."""
    if result.images is not None:
        n, classes = len(result.images.names), len(result.images.classes)
        of = f" in {classes} class{'es' * (classes != 1)}" if classes else ", without classes"
        read = f"{n:,} image{'s' * (n != 1)} read{of}"
        if result.flaws:
            flaws = "".join(f"\n- {plain(flaw)}" for flaw in result.flaws)
            st.warning(f"{read}, but:\n{flaws}\n\n{REMEDY}", icon=":material/warning:")
        else:
            st.success(f"{read}.", icon=":material/check:")
    elif not result.refused:
        st.error("No image was found in these files: drop PNG, JPEG, WebP, GIF, npz or IDX.")
    if result.refused:
        _refusals(result.refused, nothing=result.images is None)


def compare(result: UploadResult) -> None:
    """The first images as they came, and below them as they are used."""
    if result.images is None or result.before is None:
        return
    total = len(result.images.names)
    n = min(COMPARED, total)
    for text, v in (("Originals", result.before), ("As they are used", result.images.images)):
        st.image(draw_row(v, COMPARED), width="stretch", alt=f"{text}: {n} images")
        st.caption(f"{text}: the first {n} of {total:,}")


def _refusals(refused: Sequence[Refusal], nothing: bool) -> None:
    n = len(refused)
    head = f"{n:,} file{'s were' if n > 1 else ' was'} refused"
    lines = [f"- {plain(refusal.reason)}" for refusal in refused]
    if nothing:
        head = f"Nothing could be read, and the data are unchanged: {head}"
    text = "\n".join([f"{head}:", "", *lines[:LISTED]])
    (st.error if nothing else st.warning)(text)
    if n > LISTED:
        with st.expander(f"The other {n - LISTED:,}"):
            st.markdown("\n".join(lines[LISTED:]))


UPLOADER: Final = "files"
BROUGHT: Final = "files brought"
DIGEST: Final = 16
COLOURED: Final = 3
KEPT: Final = (
    "Files stay in the app's memory until your session ends, and no other viewer is shown them. A "
    "run keeps its images and their names on the app's machine until you delete it on the page "
    "Runs; anyone with the run's address can open it."
)
CHOICES: Final = ("background", "color", "cut")
SCALING: Final = ("scale",)
"""Not among the choices, which depend on whether the files are drawings or photographs."""
NUMBERS: Final = ("size", "margin", "limit")
PERHAPS: Final = (
    "These are in colour and used as drawings: the colour of their border is taken away, or the "
    "whole is inverted. If they are photographs, choose **photographs** here."
)
KINDS: Final = {"drawings": UploadConfig(), "photographs": PHOTOGRAPHS}
"""What files may show, and how each is treated: a drawing is placed, a photograph is cut."""


@dataclass(frozen=True)
class UploadedConfig(UploadConfig):
    """How an upload was read and copied, and the digest by which it is known again."""

    copies: Annotated[
        int, Range("n_b", 0, 100, "transformed copies of each image; 0: the images themselves")
    ] = 0
    seed: Annotated[int, SEED] = 0
    distortions: tuple[Distortion, ...] = (Distortion(),)
    digest: str = ""


@dataclass(frozen=True, eq=False)
class Brought:
    """The files of an upload, how they are used, and what was read of them.

    Files in which nothing was found are not among `files`, so that their memory is free.
    """

    ids: tuple[str, ...]
    files: tuple[Upload, ...]
    config: UploadedConfig
    result: UploadResult | None = None
    """None if the files still have to be read."""
    hopeless: tuple[Refusal, ...] = ()
    """Why files were dropped."""
    dropped: frozenset[str] = frozenset()
    """The ids of these files, which the browser goes on listing."""
    error: str = ""
    stamp: int = 0
    """Rises when the controls have to be made anew."""
    previous: "Brought | None" = None
    """What was read with other settings, to return to if this reading is cancelled."""
    cancelled: bool = False


def bring() -> None:
    """A place to drop files on; whatever is read of them becomes the chosen data."""
    folder = st.toggle("A whole folder", key="folder", help="Its folders become the classes")
    came = st.file_uploader(
        "Drop a folder here" if folder else "Drop images, a zip of folders, npz, npy or IDX here",
        accept_multiple_files="directory" if folder else True,
        key=UPLOADER,
        help="The kind of a file is recognised by its content. Folders become classes.",
    )
    st.caption(KEPT)
    brought = _newest(came)
    if brought is None:
        st.info(_tell_nothing())
        return
    if brought.result is None and not brought.cancelled:
        _read(brought)
        st.rerun()  # with the result, and without the files that were dropped
    if brought.result is None:
        st.warning("Reading was cancelled. None of these files is used.")
        st.button("Read again", on_click=_set, args=(replace(brought, cancelled=False),))
        return
    report(brought.result)
    if brought.error:
        explain(EngineError(brought.error))
    if brought.result.images is not None:
        _treat(brought, brought.result)


def _tell_nothing() -> str:
    """Why there are no files here, although images of some may stand beside it."""
    held = upload_of(viewer())
    if held is None or held.name != asked():
        return "Nothing has been uploaded yet: drop files above."
    if held.lent:
        return (
            "The images beside this belong to a run of another user. Nothing of yours has "
            "been uploaded: drop files above."
        )
    return (
        "Your upload stands beside this, but its files are not here any more: to change how they "
        "are used, drop them above again."
    )


def _newest(came: Sequence[Any]) -> Brought | None:
    """The files that have just been dropped, or else the last ones."""
    known: Brought | None = st.session_state.get(BROUGHT)
    dropped = known.dropped if known else frozenset()
    here = [file for file in came if file.file_id not in dropped]
    ids = tuple(file.file_id for file in here)
    if not ids or (known is not None and known.ids == ids):
        return known
    files = tuple(Upload(file.name, file.getvalue()) for file in here)
    config = known.config if known else _config_asked()
    brought = Brought(ids, files, config, dropped=dropped)
    _set(brought)
    return brought


def _set(brought: Brought) -> None:
    st.session_state[BROUGHT] = brought


def _read(brought: Brought) -> None:
    """Read the files, keep those in which anything was found, and look at the images."""
    result = read_files(brought.files, brought.config, _cancel)
    lost = result.hopeless
    dropped = frozenset(brought.ids[at] for at in lost)
    release(UPLOADER, dropped)
    kept = [at for at in range(len(brought.files)) if at not in lost]
    _use(
        replace(
            brought,
            ids=tuple(brought.ids[at] for at in kept),
            files=tuple(brought.files[at] for at in kept),
            result=replace(result, refused=(*brought.hopeless, *result.refused), hopeless={}),
            hopeless=(*brought.hopeless, *(reason for at in lost for reason in lost[at])),
            dropped=brought.dropped | dropped,
            previous=None,
        )
    )


def _cancel() -> None:
    """Return to the settings before, if there are any."""
    brought: Brought = st.session_state[BROUGHT]
    if brought.previous is None:
        _set(replace(brought, cancelled=True))
    else:
        _set(replace(brought.previous, stamp=brought.stamp + 1))


def _use(brought: Brought) -> None:
    """Keep what was read, and look at it unless all files were refused."""
    brought = replace(brought, error="")
    if brought.result is not None and brought.result.images is not None:
        try:
            data = _copy(brought.result.images, brought.config)
            choose(data.recipe.to_json(), data)
        except EngineError as error:
            brought = replace(brought, error=str(error))
    _set(brought)


def _copy(data: ImageSet, config: UploadedConfig) -> ImageSet:
    """The images or their copies, with a recipe that tells them from other uploads."""
    if config.copies:
        data = copy_images(data, config.copies, config.distortions, config.seed)
    done = config.distortions if config.copies else ()
    signed = replace(config, digest=data.digest[:DIGEST], distortions=done)
    return replace(data, recipe=Recipe(UPLOAD, signed))


def _config_asked() -> UploadedConfig:
    """How the upload that the address names was used, so that the same files give the same data."""
    if source_of(asked()) != UPLOAD:
        return UploadedConfig()
    try:
        return UploadedConfig.from_values(json.loads(asked()).get("config", {}))
    except EngineError:
        return UploadedConfig()


def _treat(brought: Brought, result: UploadResult) -> None:
    """The controls, the first images before and after, and copies of them."""
    key = f"upload {brought.ids[0]} {brought.stamp}"
    st.subheader("How they are used")
    _ask_kind(brought, result, key)
    config = ask(brought.config, key, (*CHOICES, *SCALING))
    config = ask(config, key, NUMBERS, columns=3)
    compare(result)
    st.subheader("Transformed copies of them")
    config = ask(config, key, ("copies", "seed"), columns=2)
    if config.copies:
        row = edit_distortions(config.distortions, config.size, key, _restructure)
        config = replace(config, distortions=row)
    if config == brought.config:
        return
    names = (*CHOICES, *SCALING, *NUMBERS)
    if any(getattr(config, name) != getattr(brought.config, name) for name in names):
        _set(replace(brought, config=config, result=None, previous=brought))
    else:
        _use(replace(brought, config=config))
    st.rerun()  # the report above is about the images before


def _ask_kind(brought: Brought, result: UploadResult, key: str) -> None:
    """All settings at once, for drawings or for photographs."""
    config, images = brought.config, result.images
    now = {name: _treated_as(config, kind) == config for name, kind in KINDS.items()}
    name = f"kind {now} {key}"  # other knobs make it anew
    st.segmented_control(
        "They are",
        list(KINDS),
        default=next((kind for kind in KINDS if now[kind]), None),
        key=name,
        on_change=_treat_as,
        args=(name,),
        help="Drawings are placed on an empty background, which turning needs. Of photographs the "
        "middle square is used, 128×128 in colour, and nothing is inverted",
    )
    size = summarise(images).size if images else None
    if now["drawings"] and size and size[0] == COLOURED:
        st.info(PERHAPS, icon=":material/photo_library:")


def _treated_as(config: UploadedConfig, kind: UploadConfig) -> UploadedConfig:
    return replace(config, **{name: getattr(kind, name) for name in (*CHOICES, *NUMBERS)})


def _treat_as(key: str) -> None:
    """Read again with the settings of this kind, and make new controls for them."""
    brought: Brought = st.session_state[BROUGHT]
    kind = st.session_state[key]
    if kind is not None:
        config = _treated_as(brought.config, KINDS[kind])
        again = replace(brought, config=config, result=None, previous=brought)
        _set(replace(again, stamp=brought.stamp + 1))


def _restructure(change: Change) -> None:
    """Another list of distortions, and controls that are made anew from it."""
    brought: Brought = st.session_state[BROUGHT]
    config = replace(brought.config, distortions=change(brought.config.distortions))
    _use(replace(brought, config=config, stamp=brought.stamp + 1))
