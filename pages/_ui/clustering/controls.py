"""Controls of Clustering, and photographs of the viewer."""

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
from pages._ui.panels import note_unused
from pages._ui.reading import DIGEST, KEPT, read_files, release, report
from pages._ui.state.dataset import UPLOAD, choose

GREY: Final = ("affine", "morphology", "tps")
COLOUR: Final = ("color", "projective")
UNLISTED: Final = ("identity", "morphology-signed")
"""Modules that are offered only where a run that is open uses them."""
TRANSFORMED: Final = ("dti-kmeans", "dti-gmm", "ti")
MOST_CLASSES: Final = 40
LARGE: Final = 64 * 64 * 3
"""Images of more values than this are seen few at a time, so that the film moves."""
OF: Final = "data that K was set for"


@dataclass(frozen=True)
class Effort(Config):
    """How long a run computes, and what it draws by chance."""

    budget: Annotated[
        float,
        Range(
            "", 1, 36_000, "the best it can in so much computing time: one core's", "s", log=True
        ),
    ] = 60
    seed: Annotated[int, Range("", 0, 9999, "of the first prototypes, weights and order")] = 0


@dataclass(frozen=True)
class Asked:
    """What is to be run, and for how long."""

    config: ClusterConfig
    effort: Effort


def ask(data: ImageSet) -> Asked:
    """Draw the knobs and read them."""
    _forget(data)
    config = _usual(data)
    effort = Effort()
    row = st.columns([3, 3, 6, 2], gap="medium", vertical_alignment="bottom")
    with row[0]:
        effort = edit(effort, only=["budget"])
    with row[1]:
        config = edit(config, only=["k"], most=len(data.images))
    with row[3].popover("More", help="Model, encoder, training", width="stretch"):
        config, effort = _ask_more(config, effort)
    with row[2]:
        sequence = _ask_sequence(data, config)
    _say_more(config, _usual(data))
    return Asked(replace(config, sequence=sequence), effort)


def _ask_sequence(data: ImageSet, config: ClusterConfig) -> str:
    """The modules in the order in which they were chosen; colours begin with others than grey."""
    colour = data.images.shape[1] == 3
    key, usual = ("colour_modules", COLOUR) if colour else ("modules", GREY)
    if config.model not in TRANSFORMED:
        st.button("No transformations", disabled=True, width="stretch")
        return ""
    wanted = st.query_params.get_all(key)
    asked = [name for name in wanted if name in MODULE_NAMES]
    if key not in st.session_state and len(asked) < len(wanted):
        unknown = next(name for name in wanted if name not in MODULE_NAMES)
        legal = f"some of {', '.join(MODULE_NAMES)}"
        note_unused(key, unknown, legal, f"{', '.join(asked or usual)} is used")
    known = st.session_state.get(key, asked or usual)
    with st.popover(" → ".join(known) or "No transformations", width="stretch"):
        chosen = st.pills(
            "Transformations, in the order in which they are chosen",
            [name for name in MODULE_NAMES if name not in UNLISTED or name in known],
            selection_mode="multi",
            default=usual,
            key=key,
            bind="query-params",
        )
        st.caption(
            "Each prototype is moved through these, one after the other, to fit an image. "
            "color-full can hide patterns in a prototype: the view Prototype shows its channels."
        )
    return ",".join(chosen)


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


def _say_more(config: ClusterConfig, usual: ClusterConfig) -> None:
    """Knobs that are out of sight are named where they are not as usual."""
    names = ("model", "encoder", "batch", "rate", "reassign", "exchange", "start", "curriculum")
    words = [
        f"{name} {getattr(config, name)}"
        for name in (*names, "outside", "focus", "colors", "predictors")
        if getattr(config, name) != getattr(usual, name)
    ]
    if words:
        st.caption("Other settings: " + ", ".join(words))


def _usual(data: ImageSet) -> ClusterConfig:
    """As many clusters as known classes; large images few at a time, and looked at more often."""
    known = len(data.classes) if data.labels is not None else 10
    k = max(1, min(known if 2 <= known <= MOST_CLASSES else 10, len(data.images)))
    if math.prod(data.images.shape[1:]) > LARGE:
        return ClusterConfig(k=k, sequence="", batch=32, start="kmeans", period=20)
    return ClusterConfig(k=k, sequence="")


def _forget(data: ImageSet) -> None:
    """What was set for other data goes back to what is usual for these."""
    recipe = data.recipe.to_json()
    before = st.session_state.get(OF, recipe)
    st.session_state[OF] = recipe
    if before != recipe:
        usual = _usual(data)
        st.session_state.update({name: getattr(usual, name) for name in ("k", "batch", "start")})


READ: Final = "photographs that were read"


@dataclass(frozen=True)
class Photographs(UploadConfig):
    """How they were read, and the digest by which they are known again."""

    digest: str = ""


@dataclass(frozen=True, eq=False)
class Read:
    """The files that were read, those that were dropped, and the result (None: cancelled)."""

    ids: tuple[str, ...] = ()
    dropped: frozenset[str] = frozenset()
    result: UploadResult | None = None


def bring_photographs() -> None:
    """A place to drop a folder on; whatever is read of it becomes the chosen data."""
    with st.popover("Photographs", icon=":material/photo_library:", width="stretch"):
        size = PHOTOGRAPHS.size
        st.markdown(
            f"Cluster photographs of **your own**: the middle square of each, {size}×{size} pixels "
            "in colour. Folders become classes."
        )
        folder = st.toggle("A whole folder", True, key="photographs folder")
        key = f"photographs {folder}"
        came = st.file_uploader(
            "Drop a folder of photographs here" if folder else "Drop photographs or a zip here",
            accept_multiple_files="directory" if folder else True,
            key=key,
        )
        st.caption(KEPT)
        result = _newest(key, came)
        if result is not None:
            report(result)


def _newest(key: str, came: Sequence[Any]) -> UploadResult | None:
    """What is read of the files; those that have just been dropped become the chosen data."""
    known = st.session_state.get(READ, Read())
    files = {file.file_id: file for file in came if file.file_id not in known.dropped}
    ids = tuple(files)
    if not ids or ids == known.ids:
        return known.result if ids == known.ids else None
    uploads = [Upload(file.name, file.getvalue()) for file in files.values()]
    result = read_files(uploads, PHOTOGRAPHS, partial(_keep, Read(ids, known.dropped)))
    dropped = frozenset(ids[at] for at in result.hopeless)
    release(key, dropped)
    kept = tuple(file_id for file_id in ids if file_id not in dropped)
    _keep(Read(kept, known.dropped | dropped, result))
    if result.images is not None:
        signed = Photographs(**asdict(PHOTOGRAPHS), digest=result.images.digest[:DIGEST])
        data = replace(result.images, recipe=Recipe(UPLOAD, signed))
        choose(data.recipe.to_json(), data)
    return result


def _keep(read: Read) -> None:
    st.session_state[READ] = read
