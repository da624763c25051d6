"""Controls of Clustering, and photographs of the user."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Annotated, Any, Final

import streamlit as st

from ia_engine.clustering.config import MODULE_NAMES, ClusterConfig
from ia_engine.datasets.data import ImageSet, Recipe
from ia_engine.datasets.uploads import PHOTOGRAPHS, Upload, UploadConfig, UploadResult
from ia_engine.params import Config, Range
from pages._ui.controls import edit
from pages._ui.state.clustering import Photographs, clustering_state
from pages._ui.state.dataset import UPLOAD, choose_data
from pages._ui.upload_reader import (
    DIGEST_LENGTH,
    PRIVACY_NOTE,
    read_files,
    release_files,
    report_upload,
)

GREY: Final = ("affine", "morphology", "tps")
COLOUR: Final = ("color", "projective")
UNLISTED: Final = ("identity", "morphology-signed")
"""Modules that are offered only if the current run uses them."""
TRANSFORMED: Final = ("dti-kmeans", "dti-gmm", "ti")
"""The models whose prototypes are transformed."""
OUT_OF_SIGHT: Final = (
    *("model", "encoder", "batch", "rate", "reassign", "exchange", "start", "curriculum"),
    *("outside", "focus", "colors", "predictors"),
)
"""Settings under More that a caption lists if they differ from the defaults."""
MOST_CLASSES: Final = 40
LARGE: Final = 64 * 64 * 3
"""Images with more values than this get smaller batches, so that the animation is updated often."""


@dataclass(frozen=True)
class Effort(Config):
    """Computing time of a run, and its random seed."""

    budget: Annotated[
        float, Range("", 1, 36_000, "CPU time of one core for the whole run", "s", log=True)
    ] = 60
    seed: Annotated[
        int,
        Range(
            "", 0, 9999, "random seed for the prototypes, the weights and the order of the images"
        ),
    ] = 0


def ask_settings(data: ImageSet) -> tuple[ClusterConfig, Effort]:
    """Draw the controls and read them."""
    usual = _usual(data)
    own = {name: getattr(usual, name) for name in ("k", "batch", "start")}
    clustering_state.set_defaults(data.recipe.to_json(), own)
    row = st.columns([3, 3, 6, 2], gap="medium", vertical_alignment="bottom")
    with row[0]:
        effort = edit(Effort(), only=["budget"])
    with row[1]:
        config = edit(usual, only=["k"], most=len(data.images))
    with row[3].popover("More", help="Model, encoder, training", width="stretch"):
        config, effort = _ask_more(config, effort)
    with row[2]:
        sequence = _ask_modules(data, config)
    changed = [name for name in OUT_OF_SIGHT if getattr(config, name) != getattr(usual, name)]
    if changed:
        named = ", ".join(f"{name} {getattr(config, name)}" for name in changed)
        st.caption(f"Other settings: {named}")
    return replace(config, sequence=sequence), effort


def _usual(data: ImageSet) -> ClusterConfig:
    """Return the defaults: one cluster for each known class, smaller batches of large images."""
    known = len(data.classes) if data.labels is not None else 10
    k = max(1, min(known if 2 <= known <= MOST_CLASSES else 10, len(data.images)))
    if math.prod(data.images.shape[1:]) > LARGE:
        return ClusterConfig(k=k, sequence="", batch=32, start="kmeans", period=20)
    return ClusterConfig(k=k, sequence="")


def _ask_modules(data: ImageSet, config: ClusterConfig) -> str:
    """Ask for modules; return their names in the chosen order, joined by commas."""
    colour = data.images.shape[1] == 3
    key, usual = ("colour_modules", COLOUR) if colour else ("modules", GREY)
    if config.model not in TRANSFORMED:
        st.button("No transformations", disabled=True, width="stretch")
        return ""
    known = clustering_state.read_modules(key, usual)
    with st.popover(" → ".join(known) or "No transformations", width="stretch"):
        modules = st.pills(
            "Transformations, in the order in which you choose them",
            [name for name in MODULE_NAMES if name not in UNLISTED or name in known],
            selection_mode="multi",
            default=usual,
            key=key,
            bind="query-params",
        )
        st.caption(
            "Each prototype is transformed by these modules, one after the other, to fit an image. "
            "color-full can hide patterns in a prototype. The Prototype view shows its channels."
        )
    return ",".join(modules)


def _ask_more(config: ClusterConfig, effort: Effort) -> tuple[ClusterConfig, Effort]:
    config = edit(config, only=["model"])
    if config.model.startswith("dti"):
        config = edit(config, only=["encoder", "predictors"])
    config = edit(config, only=["start", "curriculum", "outside", "colors"])
    left, right = st.columns(2, gap="medium")
    with left:
        config = edit(config, only=["batch", "rate", "focus"])
    with right:
        config = edit(config, only=["reassign", "exchange"])
        effort = edit(effort, only=["seed"])
    return config, effort


@dataclass(frozen=True)
class PhotographsConfig(UploadConfig):
    """The settings used to read photographs, and a digest that identifies them."""

    digest: str = ""


def ask_photographs() -> None:
    """Draw an uploader for a folder of photographs, which become the chosen data set."""
    with st.popover("Photographs", icon=":material/photo_library:", width="stretch"):
        size = PHOTOGRAPHS.size
        st.markdown(
            "Cluster **your own** photographs. The app uses the central square of each, "
            f"{size}×{size} pixels in colour. Folders become classes."
        )
        folder = st.toggle("Upload a folder", True, key="photographs folder")
        key = f"photographs {folder}"
        files = st.file_uploader(
            "Drop a folder of photographs here" if folder else "Drop photographs or a zip here",
            accept_multiple_files="directory" if folder else True,
            key=key,
        )
        st.caption(PRIVACY_NOTE)
        result = _read_photographs(key, files)
        if result is not None:
            report_upload(result)


def _read_photographs(key: str, uploaded: Sequence[Any]) -> UploadResult | None:
    """Return the images of the files; images of new files become the chosen data set."""
    known = clustering_state.photographs
    files = {file.file_id: file for file in uploaded if file.file_id not in known.dropped}
    ids = tuple(files)
    if not ids or ids == known.ids:
        return known.result if ids == known.ids else None
    uploads = [Upload(file.name, file.getvalue()) for file in files.values()]
    cancelled = Photographs(ids, known.dropped)
    cancel = partial(setattr, clustering_state, "photographs", cancelled)
    result = read_files(uploads, PHOTOGRAPHS, cancel)
    dropped = frozenset(ids[at] for at in result.hopeless)
    release_files(key, dropped)
    kept = tuple(file_id for file_id in ids if file_id not in dropped)
    clustering_state.photographs = Photographs(kept, known.dropped | dropped, result)
    if result.images is not None:
        signed = PhotographsConfig(
            **asdict(PHOTOGRAPHS), digest=result.images.digest[:DIGEST_LENGTH]
        )
        data = replace(result.images, recipe=Recipe(UPLOAD, signed))
        choose_data(data.recipe.to_json(), data)
    return result
