"""The Upload tab: the files, the images read from them, their settings, and their copies."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet, Recipe, summarise
from ia_engine.datasets.distortions import copy_images
from ia_engine.datasets.uploads import (
    COMPARED,
    PHOTOGRAPHS,
    Upload,
    UploadConfig,
    UploadResult,
)
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import draw_row
from pages._ui.data.controls import edit_config
from pages._ui.data.distortions import Change, edit_distortions
from pages._ui.panels import explain
from pages._ui.state.data import UploadedConfig, UploadedFiles, data_state
from pages._ui.state.dataset import (
    UPLOAD,
    choose_data,
    requested_recipe,
    source_of,
)
from pages._ui.state.fields import read_value
from pages._ui.state.viewer import upload_of, viewer
from pages._ui.upload_reader import (
    DIGEST_LENGTH,
    PRIVACY_NOTE,
    read_files,
    release_files,
    report_upload,
)

UPLOADER: Final = "files"
TREATMENT: Final = ("background", "color", "cut")
NUMBERS: Final = ("size", "margin", "limit")
READING_SETTINGS: Final = (*TREATMENT, "scale", *NUMBERS)
KINDS: Final = {"drawings": UploadConfig(), "photographs": PHOTOGRAPHS}
"""The settings for drawings, which are placed on a background, and photographs, which are cropped.

`scale` is not among them: it does not depend on the kind of images."""


def upload() -> None:
    """Draw the uploader and the controls of an upload, and show its images."""
    folder = st.toggle("Upload a folder", key="folder", help="Its folders become the classes")
    listed = st.file_uploader(
        "Drop a folder here"
        if folder
        else "Drop images, a zip of folders, or npz, npy or IDX files here",
        accept_multiple_files="directory" if folder else True,
        key=UPLOADER,
        help="The type of each file is recognised from its content. Folders become classes.",
    )
    st.caption(PRIVACY_NOTE)
    files = _find_files(listed)
    if files is None:
        st.info(_describe_no_files())
    elif files.result is not None:
        report_upload(files.result)
        if files.error:
            explain(EngineError(files.error))
        if files.result.images is not None:
            _edit(files, files.result)
    elif files.cancelled:
        st.warning("Reading was cancelled. None of these files is used.")
        st.button("Read again", on_click=_set, args=(replace(files, cancelled=False),))
    else:
        _read(files)
        st.rerun()  # with the result, and without the files that were dropped


def _find_files(listed: Sequence[Any]) -> UploadedFiles | None:
    """Return the files that have just been dropped, or the last files."""
    known = data_state.uploaded
    dropped = known.dropped if known else frozenset[str]()
    here = [file for file in listed if file.file_id not in dropped]
    ids = tuple(file.file_id for file in here)
    if not ids or (known is not None and known.ids == ids):
        return known
    files = tuple(Upload(file.name, file.getvalue()) for file in here)
    config = known.config if known else _config_in_address()
    data_state.uploaded = UploadedFiles(ids, files, config, dropped=dropped)
    return data_state.uploaded


def _config_in_address() -> UploadedConfig:
    """Return the settings in the address; they give the same data for the same files."""
    if source_of(requested_recipe()) != UPLOAD:
        return UploadedConfig()
    try:
        return UploadedConfig.from_values(json.loads(requested_recipe()).get("config", {}))
    except EngineError:
        return UploadedConfig()


def _describe_no_files() -> str:
    held = upload_of(viewer())
    if held is None or held.name != requested_recipe():
        return "You have not uploaded any files yet. Drop files above."
    if held.lent:
        return (
            "The images shown belong to a run of a different user. To use your own images, drop "
            "files above."
        )
    return (
        "The images of your upload are shown, but its files are no longer available. To change "
        "how the images are used, drop the files into the box above again."
    )


def _set(files: UploadedFiles) -> None:
    data_state.uploaded = files


def _read(files: UploadedFiles) -> None:
    """Read the files, keep the files that contain images, and show the images."""
    result = read_files(files.files, files.config, data_state.cancel_reading)
    lost = result.hopeless
    dropped = frozenset(files.ids[at] for at in lost)
    release_files(UPLOADER, dropped)
    useful = [at for at in range(len(files.files)) if at not in lost]
    _use(
        replace(
            files,
            ids=tuple(files.ids[at] for at in useful),
            files=tuple(files.files[at] for at in useful),
            result=replace(result, refused=(*files.hopeless, *result.refused), hopeless={}),
            hopeless=(*files.hopeless, *(reason for at in lost for reason in lost[at])),
            dropped=files.dropped | dropped,
            previous=None,
        )
    )


def _use(files: UploadedFiles) -> None:
    """Store the result, and show its images or their copies unless all files were refused."""
    files = replace(files, error="")
    if files.result is not None and files.result.images is not None:
        try:
            data = _copy(files.result.images, files.config)
            choose_data(data.recipe.to_json(), data)
        except EngineError as error:
            files = replace(files, error=str(error))
    data_state.uploaded = files


def _copy(data: ImageSet, config: UploadedConfig) -> ImageSet:
    """Return the images or their copies, with a recipe that no other upload has."""
    if config.copies:
        data = copy_images(data, config.copies, config.distortions, config.seed)
    applied = config.distortions if config.copies else ()
    signed = replace(config, digest=data.digest[:DIGEST_LENGTH], distortions=applied)
    return replace(data, recipe=Recipe(UPLOAD, signed))


def _edit(files: UploadedFiles, result: UploadResult) -> None:
    """Draw the controls, the first images before and after the conversion, and their copies."""
    key = f"upload {files.ids[0]} {files.stamp}"
    st.subheader("How the images are used")
    _ask_kind(files.config, result, key)
    config = edit_config(files.config, key, (*TREATMENT, "scale"))
    config = edit_config(config, key, NUMBERS, columns=3)
    _compare(result)
    st.subheader("Transformed copies")
    config = edit_config(config, key, ("copies", "seed"), columns=2)
    if config.copies:
        row = edit_distortions(config.distortions, config.size, key, _change_distortions)
        config = replace(config, distortions=row)
    if config == files.config:
        return
    if any(getattr(config, name) != getattr(files.config, name) for name in READING_SETTINGS):
        data_state.read_again(config)
    else:
        _use(replace(files, config=config))
    st.rerun()  # the report above is about the images before


def _ask_kind(config: UploadedConfig, result: UploadResult, key: str) -> None:
    """Ask for the kind of images, which determines all settings at once."""
    kinds = [kind for kind in KINDS if _treat_as(config, kind) == config]
    name = f"kind {kinds} {key}"  # different settings make a new control
    st.segmented_control(
        "The images are",
        list(KINDS),
        default=next(iter(kinds), None),
        key=name,
        on_change=_change_kind,
        args=(name,),
        help="Drawings are placed on an empty background, which rotations need. Photographs are "
        "cropped to the central square, reduced to 128×128 pixels in colour, and not inverted",
    )
    size = summarise(result.images).size if result.images else None
    if "drawings" in kinds and size and size[0] == 3:
        st.info(
            "These images are in colour and are used as drawings, so the colour of their border is "
            "subtracted or the image is inverted. If they are photographs, choose **photographs** "
            "here.",
            icon=":material/photo_library:",
        )


def _treat_as(config: UploadedConfig, kind: str) -> UploadedConfig:
    treatment = {name: getattr(KINDS[kind], name) for name in (*TREATMENT, *NUMBERS)}
    return replace(config, **treatment)


def _change_kind(key: str) -> None:
    """Read the files again with the settings of this kind, and make new controls for them."""
    kind, files = read_value(key, ""), data_state.uploaded
    if kind and files is not None:
        data_state.read_again(_treat_as(files.config, kind), new_controls=True)


def _change_distortions(change: Change) -> None:
    """Change the list of distortions, and make new controls for it."""
    files = data_state.uploaded
    if files is not None:
        config = replace(files.config, distortions=change(files.config.distortions))
        _use(replace(files, config=config, stamp=files.stamp + 1))


def _compare(result: UploadResult) -> None:
    """Show the first images unchanged, and below them the images as they are used."""
    if result.images is None or result.before is None:
        return
    total = len(result.images.names)
    n = min(COMPARED, total)
    for text, v in (
        ("Originals", result.before),
        ("Images as used by the app", result.images.images),
    ):
        st.image(draw_row(v, COMPARED), width="stretch", alt=f"{text}: {n} images")
        st.caption(f"{text}: the first {n} of {total:,}")
