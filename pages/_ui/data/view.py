"""What is shown of a data set: a gallery, its numbers, where it comes from, and its files."""

from typing import Final

import streamlit as st

from ia_engine.datasets.data import Data, ImageSet, Summary, pack_data, summarise, thin
from ia_engine.datasets.recipes import load_recipe, make
from ia_engine.errors import EngineError
from ia_engine.figures.mosaic import Gallery, draw_clickable, draw_gallery, fade
from ia_engine.figures.style import plot_points
from pages._ui.components.drawing import show_drawing
from pages._ui.data.catalogue import origin
from pages._ui.panels import download, explain, misleads, plain, show_plot, shown
from pages._ui.state.dataset import is_lent, shown_name, title
from pages._ui.state.selection import Selection, select_pair, selected

DIGEST: Final = 12
DRAWN: Final = "gallery drawn last"
LISTED: Final = 30
WIDER: Final = 1.5
"""A letter of a number is so many times as wide as one of its label."""
PALE: Final = 60
"""So many images are drawn pale and bright."""
COLORS: Final = {1: "grey", 3: "RGB"}


def show_set(data: Data) -> None:
    """The chosen data, and the way on."""
    facts = summarise(data)
    st.subheader(plain(title(shown_name())))
    with st.container(border=True):
        st.page_link(
            "pages/iterations.py",
            label=":primary[**See attention iterate on it**]",
            icon=":material/play_circle:",
            icon_position="right",
            query_params={"data": shown_name()},
            width="stretch",
        )
    _draw(data, facts, selected())
    _numbers(facts)
    _classes(facts, _own_class(data))
    for note in facts.notes:
        st.markdown(f"- {plain(note)}")
    st.caption(f"From {plain(origin(data.recipe, lent=is_lent(shown_name())))}.")
    _downloads(data, facts)


def show_preview(recipe: str) -> None:
    """A part of data that are too large to be made at every turn of a knob."""
    st.subheader("Preview")
    try:
        data = make(load_recipe(recipe))
    except EngineError as error:
        explain(error)
        return
    facts = summarise(data)
    _draw(data, facts, None)
    st.caption(f"{facts.n:,} images of a larger set that has not been made yet.")


def _draw(data: Data, facts: Summary, marked: Selection | None) -> None:
    """The gallery; of a set that is chosen its images can be selected."""
    if facts.size is None:
        show_plot(plot_points(data), "points", facts.digest)
        st.caption("Points in the plane, coloured by the blob that each was drawn from.")
        return
    gallery = _gallery(data, facts)
    if marked is None:
        st.image(gallery.png, width="stretch", alt=_alt(gallery, facts))
    else:
        _show_clickable(gallery, marked, _alt(gallery, facts))
    shown(gallery.shown, gallery.total, "images")
    if marked:
        _tell(data, marked)
    if marked is not None:
        _warn(data)


def _warn(data: Data) -> None:
    misleads(
        "If not all images fit, the same number of each class is shown; their counts are below. "
        "The eye compares brightness, too, and attention does not: each image is brought to norm 1 "
        "before any distance is taken, so that to every method an image and a pale copy of it are "
        "the same. And a pixel here is several on the screen: what looks smooth is not.",
        key="misleads brightness",
        draw=lambda: _draw_pale(data),
    )


def _draw_pale(data: Data) -> None:
    if isinstance(data, ImageSet):
        pale = draw_gallery(fade(thin(data, PALE)), PALE)
        st.image(pale.png, width="stretch", alt="The same images, every second one pale")
        st.caption("The same images, every second one pale: no distance of attention changes.")


def _show_clickable(gallery: Gallery, marked: Selection, about: str) -> None:
    def clicked(row: int, column: int) -> None:
        if (row, column) in gallery.places:
            at = gallery.places.index((row, column))
            select_pair(gallery.rows, (at, at))

    show_drawing(draw_clickable(gallery, marked.pair(gallery.rows), about), "gallery", clicked)


def _tell(data: Data, marked: Selection) -> None:
    """What is selected, in words, and how to let go of it."""
    rows = [row for row in (marked.i, marked.j) if row is not None]
    if not rows or not hasattr(data, "names"):
        return
    told = " and ".join(f"image {row + 1}, {_name(data, row)}" for row in rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/select: Selected, on every page: {told}")
        st.button("Deselect", key="let go", type="tertiary", on_click=select_pair, args=((), None))


def _name(data: ImageSet, row: int) -> str:
    known = "" if data.labels is None else data.classes[int(data.labels[row])]
    told = data.names[row]
    return plain(f"{told} ({known})" if known and known.lower() not in told.lower() else told)


def _gallery(data: Data, facts: Summary) -> Gallery:
    """Drawn once: a rerun that changes nothing draws and sends nothing."""
    digest, gallery = st.session_state.get(DRAWN, ("", None))
    if gallery is None or digest != facts.digest:
        gallery = draw_gallery(data)
        st.session_state[DRAWN] = (facts.digest, gallery)
    return gallery


def _alt(gallery: Gallery, facts: Summary) -> str:
    rows = ", each class from a new row on" if gallery.by_class else ""
    names = ", ".join(list(facts.classes)[:LISTED])
    return f"A gallery of {gallery.shown} images{rows}" + (f": {names}" if names else "")


def _numbers(facts: Summary) -> None:
    values = {"n, images": f"{facts.n:,}"}
    if facts.size is None:
        values = {"n, points": f"{facts.n:,}"}
    else:
        channels, height, width = facts.size
        values["w × h [px]"] = f"{width} × {height}"
        values["c, channels"] = f"{channels} ({COLORS[channels]})"
    values["classes"] = f"{len(facts.classes)}" if facts.classes else "–"
    widths = [max(len(label), WIDER * len(value)) for label, value in values.items()]
    for column, (label, value) in zip(st.columns(widths), values.items(), strict=True):
        column.metric(label, value, help=None if value != "–" else "The files name no classes")


def _classes(facts: Summary, own: str) -> None:
    """How many images each has; the class of what is selected is marked."""
    counted = [_count(name, n, marked=name == own) for name, n in facts.classes.items()]
    if not counted:
        return
    if len(counted) <= LISTED:
        st.markdown("Classes: " + " · ".join(counted))
        return
    with st.expander(f"{len(counted)} classes"):
        st.markdown(" · ".join(counted))


def _count(name: str, n: int, *, marked: bool) -> str:
    told = f"{plain(name)} **{n:,}**"
    return f":orange-background[{told}]" if marked else told


def _own_class(data: Data) -> str:
    """Of the image that is selected."""
    row = selected().i
    known = row is not None and hasattr(data, "classes") and data.labels is not None
    return data.classes[int(data.labels[row])] if known else ""


def _downloads(data: Data, facts: Summary) -> None:
    name = facts.digest[:DIGEST]
    with st.container(horizontal=True, vertical_alignment="center"):
        download("Data as npz", f"data-{name}.npz", lambda: pack_data(data), "application/zip")
        recipe = data.recipe.to_json()
        if data.recipe.source != "upload":
            download("Recipe as JSON", f"recipe-{name}.json", recipe.encode, "application/json")
        st.caption(
            f"Digest `{name}`",
            help="Computed from the recipe, or from the pixels of uploaded files: equal digests "
            "mean equal data, on every machine",
        )
