"""The view of a data set: a gallery, its counts, its source and files to download."""

import json
from collections.abc import Iterable
from typing import Final

import streamlit as st

from ia_engine.datasets.bases import BASES
from ia_engine.datasets.data import (
    Data,
    ImageSet,
    PointSet,
    Recipe,
    Summary,
    pack_data,
    summarise,
    thin,
)
from ia_engine.datasets.published import NAMED
from ia_engine.datasets.recipes import DATASETS, load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import Gallery, draw_clickable, draw_gallery, fade
from ia_engine.figures.style import plot_points
from pages._ui.components.drawing import show_drawing
from pages._ui.panels import download, escape, explain, show_count, show_misleading, show_plot
from pages._ui.state.data import data_state
from pages._ui.state.dataset import UPLOAD, is_lent, last_recipe, title
from pages._ui.state.selection import START, runs_state, select_pair, selected

DIGEST: Final = 12
MAX_CLASSES: Final = 30
"""Maximum number of classes listed outside an expander."""
DIGIT_WIDTH: Final = 1.5
"""Width of a digit of a number, relative to a letter of its label."""
FADED: Final = 60
"""Number of images in the misleading example of brightness."""
COLORS: Final = {1: "grey", 3: "RGB"}

DRAWINGS: Final = "drawings made for this project (MIT)"
ICONS: Final = "icons of Noto Emoji (Apache-2.0)"
DIGITS: Final = (
    "the test set of UCI's Optical Recognition of Handwritten Digits, of which scikit-learn "
    "includes a copy (the package does not specify the licence of the data)"
)
FASHION: Final = "garments of Fashion-MNIST (MIT, © 2017 Zalando SE)"
MNIST: Final = "MNIST (CC BY-SA 3.0)"
SOURCES: Final = {"digits": DIGITS, "fashion": FASHION, "mnist": MNIST, "mnist-all": MNIST}
LICENCES: Final = {
    "fashion": "MIT, © 2017 Zalando SE",
    "mnist": "CC BY-SA 3.0",
    "svhn": "for non-commercial use only",
}
"""The known licences of published sets."""


def show_set(data: Data) -> None:
    """Show the chosen data, and a link that starts a run on Iterations."""
    facts = summarise(data)
    st.subheader(escape(title(last_recipe())))
    with st.container(border=True):
        st.page_link(
            "pages/iterations.py",
            label=":primary[**Run attention on this data set**]",
            icon=":material/play_circle:",
            icon_position="right",
            query_params={"data": last_recipe(), START: runs_state.make_start()},
            width="stretch",
        )
    if isinstance(data, PointSet):
        _show_points(data, facts)
    else:
        _show_clickable(_cached_gallery(data, facts), facts)
        _show_selection(data)
        _warn(data)
    _show_numbers(facts)
    _show_classes(facts, _class_of(data, selected().i))
    for note in facts.notes:
        st.markdown(f"- {escape(note)}")
    st.caption(f"From {escape(origin(data.recipe, lent=is_lent(last_recipe())))}.")
    _show_downloads(data, facts)


def show_preview(recipe: str) -> None:
    """Show part of data that are too large to be made at every change of a control."""
    st.subheader("Preview")
    try:
        data = make(load_recipe(recipe))
    except EngineError as error:
        explain(error)
        return
    facts = summarise(data)
    if isinstance(data, PointSet):
        _show_points(data, facts)
    else:
        gallery = _cached_gallery(data, facts)
        st.image(gallery.png, width="stretch", alt=_describe(gallery, facts))
        show_count(gallery.shown, gallery.total, "images")
    st.caption(f"{facts.n:,} images of a larger set that has not been made yet.")


def _show_points(data: PointSet, facts: Summary) -> None:
    show_plot(plot_points(data), "points", facts.digest)
    st.caption("Points in the plane, coloured by the blob that each was drawn from.")


def _cached_gallery(data: Data, facts: Summary) -> Gallery:
    digest, gallery = data_state.gallery
    if gallery is None or digest != facts.digest:
        gallery = draw_gallery(data)
        data_state.gallery = (facts.digest, gallery)
    return gallery


def _describe(gallery: Gallery, facts: Summary) -> str:
    rows = ", with a new row for each class" if gallery.by_class else ""
    names = ", ".join(list(facts.classes)[:MAX_CLASSES])
    return f"A gallery of {gallery.shown} images{rows}" + (f": {names}" if names else "")


def _show_clickable(gallery: Gallery, facts: Summary) -> None:
    """Show the gallery; a click on an image selects it."""

    def clicked(row: int, column: int) -> None:
        if (row, column) in gallery.places:
            at = gallery.places.index((row, column))
            select_pair(gallery.rows, (at, at))

    pair = selected().pair(gallery.rows)
    show_drawing(draw_clickable(gallery, pair, _describe(gallery, facts)), "gallery", clicked)
    show_count(gallery.shown, gallery.total, "images")


def _show_selection(data: Data) -> None:
    """Show the names of the selected images, and a button that deselects them."""
    rows = [row for row in (selected().i, selected().j) if row is not None]
    if not rows or not isinstance(data, ImageSet):
        return
    names = " and ".join(f"image {row + 1}, {_name(data, row)}" for row in rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/select: Selected on all pages: {names}")
        st.button("Deselect", key="let go", type="tertiary", on_click=select_pair, args=((), None))


def _name(data: ImageSet, row: int) -> str:
    name, its_class = data.names[row], _class_of(data, row)
    return escape(f"{name} ({its_class})" if its_class.lower() not in name.lower() else name)


def _class_of(data: Data, row: int | None) -> str:
    """Return the class of an image, or "" if it is not known."""
    if row is None or not isinstance(data, ImageSet) or data.labels is None:
        return ""
    return data.classes[int(data.labels[row])]


def _warn(data: Data) -> None:
    show_misleading(
        "If there is not enough space for all images, the same number of images is shown for each "
        "class; the counts are below. You also notice brightness, but attention does not: each "
        "image is scaled to norm 1 before any distance is computed, so every method treats an "
        "image and its pale copy as equal. In addition, one image pixel covers several screen "
        "pixels, so an image that looks smooth may not be smooth.",
        key="misleads brightness",
        draw=lambda: _draw_faded(data),
    )


def _draw_faded(data: Data) -> None:
    part = thin(data, FADED)
    if isinstance(part, ImageSet):
        faded = draw_gallery(fade(part), FADED)
        st.image(faded.png, width="stretch", alt="The same images, every second one pale")
        st.caption(
            "The same images, but every second image is pale. None of the distances that "
            "attention uses change."
        )


def _show_numbers(facts: Summary) -> None:
    values = {"n, images": f"{facts.n:,}"}
    if facts.size is None:
        values = {"n, points": f"{facts.n:,}"}
    else:
        channels, height, width = facts.size
        values["w × h [px]"] = f"{width} × {height}"
        values["c, channels"] = f"{channels} ({COLORS[channels]})"
    values["classes"] = f"{len(facts.classes)}" if facts.classes else "–"
    widths = [max(len(label), DIGIT_WIDTH * len(value)) for label, value in values.items()]
    for column, (label, value) in zip(st.columns(widths), values.items(), strict=True):
        column.metric(
            label, value, help=None if value != "–" else "The files do not contain classes"
        )


def _show_classes(facts: Summary, selected_class: str) -> None:
    """Show the classes with their numbers of images; the selected image's class is highlighted."""
    counted = [f"{escape(name)} **{n:,}**" for name, n in facts.classes.items()]
    for at, name in enumerate(facts.classes):
        if name == selected_class:
            counted[at] = f":orange-background[{counted[at]}]"
    if not counted:
        return
    if len(counted) <= MAX_CLASSES:
        st.markdown("Classes: " + " · ".join(counted))
        return
    with st.expander(f"{len(counted)} classes"):
        st.markdown(" · ".join(counted))


def origin(recipe: Recipe, *, lent: bool = False) -> str:
    """Return the source and the licence of images as text.

    `lent` is true if the files belong to a run of a different user.
    """
    if recipe.source == UPLOAD and lent:
        return (
            "files of a different user, which belong to a run that you opened; the run keeps the "
            "images and their names on the app's machine until its owner deletes it"
        )
    if recipe.source == UPLOAD:
        return (
            "your files, kept in the app's memory until your session ends; a run that uses them "
            "keeps the images and their names on the app's machine until you delete it on the Runs "
            "page"
        )
    return _origin_of_set(recipe)


def _origin_of_set(recipe: Recipe) -> str:
    """Return the source and the licence of a data set in the catalogue."""
    if stated := DATASETS[recipe.source].origin:
        return stated
    config = json.loads(recipe.config.to_json())
    if "set" in config:
        named = NAMED[config["set"]]
        licence = LICENCES.get(config["set"], "licence unknown; see the hosting site")
        return f"{named.title}, {named.host} ({licence})"
    if "bases" in config:
        return "; ".join(dict.fromkeys(_origins_of(config["bases"])))
    if "source" in config or recipe.source == "digits":
        return SOURCES.get(config.get("source", "digits"), DIGITS)
    return "the source and the licence are not stated"


def _origins_of(bases: Iterable[str]) -> Iterable[str]:
    for base in bases:
        if base in BASES:
            yield ICONS if BASES[base].family == "icons" else DRAWINGS
        else:
            yield SOURCES[base.split(":")[0]]


def _show_downloads(data: Data, facts: Summary) -> None:
    name = facts.digest[:DIGEST]
    with st.container(horizontal=True, vertical_alignment="center"):
        download("Data as npz", f"data-{name}.npz", lambda: pack_data(data), "application/zip")
        if data.recipe.source != UPLOAD:
            recipe = data.recipe.to_json()
            download("Recipe as JSON", f"recipe-{name}.json", recipe.encode, "application/json")
        st.caption(
            f"Digest `{name}`",
            help="Computed from the recipe, or from the pixels of uploaded files. Equal digests "
            "mean equal data on every machine",
        )
