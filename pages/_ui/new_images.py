"""New images beside the clusters of a finished run: upload, clusters, aligned images, distances."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.datasets.uploads import Upload, UploadConfig, UploadResult, match_settings
from ia_engine.figures.predictions import draw_predictions, tabulate_predictions
from ia_engine.predict import Model, Prediction
from pages._ui.components.prototypes import TableTexts, show_pictures
from pages._ui.panels import explaining, show_count
from pages._ui.state.new_images import NewImages, new_images_state
from pages._ui.upload_reader import read_files, report_upload
from pages._ui.wording import number

FAR: Final = {
    "mean": "The distance is that to the nearest image of the run. An image is **far** if this "
    "distance is larger than that of every image of the run to its nearest other image. With n "
    "images in the run, a new image of the same kind is far with a probability of at most 1/(n + "
    "1).",
    "prototype": "The distance is the error of the prototype that fits best. An image is **far** "
    "if its error is larger than that of every image of the run. The prototypes were fitted to "
    "these images, so new images of the same kind have larger errors and can be far too.",
}
"""What the distance and the mark mean, by what stands for a cluster."""
SHOWN: Final = 12
"""Number of images whose pictures are drawn; the table lists all of them."""
MOST: Final = 200
"""Maximum number of new images that are read at once."""
COLUMNS: Final = {
    "cluster": st.column_config.NumberColumn(width="small"),
    "distance": st.column_config.NumberColumn(
        format="%.4g", help="Distance to the nearest image or the prototype of the cluster"
    ),
    "weight": st.column_config.NumberColumn(
        format="percent", help="Share of the image's weight that is assigned to its cluster"
    ),
    "far": st.column_config.CheckboxColumn(
        help="The distance is larger than every distance within the run"
    ),
}


def show_new_images(
    run: str, data: ImageSet, build: Callable[[], Model], *, rule: str, centre: str
) -> None:
    """Ask for new images, and show the cluster of each.

    `run` is a key of the run and its state, `data` are its images, `build` returns its clusters,
    `rule` names the cluster that an image joins, and `centre` the image that stands for a cluster.
    """
    st.markdown(
        f"Upload images that are not part of this run. Each joins {rule}, and is aligned with "
        f"this cluster. The run does not change."
    )
    with explaining():
        config = match_settings(data.images, data.recipe.to_json())
        result = _read(run, config)
        if result is None:
            return
        report_upload(result)
        if result.images is None:
            return
        with st.spinner("Comparing the new images with the clusters"):
            model = _build(run, build)
            found = _predict(run, result.images.digest, model, result.images)
        _show(run, result.images, found, model, centre)


def _read(run: str, config: UploadConfig) -> UploadResult | None:
    """Draw the uploader, and return the images of its files; None without files."""
    files: Sequence[Any] = st.file_uploader(
        "Drop new images, a zip, or npz, npy or IDX files here",
        accept_multiple_files=True,
        key=f"new images {run}",
        help=f"They are placed on a canvas of {config.size}×{config.size} px, like the images of "
        "this run, and their background is removed in the same way.",
    )
    ids = tuple(file.file_id for file in files)
    if not ids:
        return None
    known = new_images_state.read
    if (known.run, known.ids) != (run, ids):
        cancelled = NewImages(run, ids)
        cancel = partial(setattr, new_images_state, "read", cancelled)
        uploads = [Upload(file.name, file.getvalue()) for file in files]
        limited = replace(config, limit=MOST)
        known = NewImages(run, ids, read_files(uploads, limited, cancel))
        new_images_state.read = known
    if known.result is None:
        st.warning("Reading was cancelled. Remove the files and drop them again to read them.")
    return known.result


@st.cache_resource(max_entries=4, show_spinner=False)
def _build(run: str, _build_model: Callable[[], Model]) -> Model:
    return _build_model()


@st.cache_resource(max_entries=4, show_spinner=False)
def _predict(run: str, digest: str, _model: Model, _data: ImageSet) -> Prediction:
    return _model.predict(_data.images)


def _show(run: str, data: ImageSet, found: Prediction, model: Model, centre: str) -> None:
    rows = tabulate_predictions(data.names, found)
    sides = ("new image", "aligned", f"{centre} of its cluster")
    shown = rows[:SHOWN]
    far = sum(row["far"] for row in rows)
    if far:
        st.warning(
            f"{far} of {len(rows)} images {'is' if far == 1 else 'are'} far from every cluster: "
            f"{'its' if far == 1 else 'their'} distance is larger than every distance within the "
            f"run (above {number(float(f'{model.limit:.3g}'))}).",
            icon=":material/report:",
        )
    texts = TableTexts(
        columns=len(shown),
        heads=[f"cluster {row['cluster']}" for row in shown],
        sides=sides,
        captions=[*([""] * (2 * len(shown))), *map(_caption, shown)],
        about=[f"{row['image']}: {side}" for side in sides for row in shown],
        marked=[at for at, row in enumerate(shown) if row["far"]],
    )
    pictures = draw_predictions(data.images, found, model.centres, SHOWN)
    show_pictures(pictures, texts, key=f"new images of {run}")
    show_count(len(shown), len(rows), "new images")
    st.dataframe(rows, hide_index=True, width="stretch", column_config=COLUMNS)
    st.caption(FAR[centre])


def _caption(row: dict[str, Any]) -> str:
    distance = number(float(f"{row['distance']:.3g}"))
    weight = f", weight {100 * row['weight']:.0f} %" if "weight" in row else ""
    return f"{distance}{weight}{', far' if row['far'] else ''}"
