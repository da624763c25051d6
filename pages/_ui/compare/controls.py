"""Controls of Compare, and the method that is highlighted."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.datasets.data import ImageSet
from ia_engine.runs.comparison.config import TITLES, ComparisonConfig
from pages._ui.controls import edit
from pages._ui.panels import note_unused

MOST_CLASSES: Final = 40
METHODS: Final = "methods"
OF: Final = "data that K was set for on the page Compare"


def ask(data: ImageSet) -> ComparisonConfig | None:
    """Draw the knobs and read them; None where no method is chosen."""
    _forget(data)
    config = ComparisonConfig(k=_likely(data))
    row = st.columns([4, 3, 3, 3, 2], gap="medium", vertical_alignment="bottom")
    for cell, name in zip(row[1:4], ("k", "budget", "images"), strict=True):
        with cell:
            config = edit(config, only=[name])
    with row[4].popover("More", help="Averagings and seed", width="stretch"):
        config = edit(config, only=["averagings", "seed"])
    with row[0]:
        chosen = _ask_methods()
    if not config.k:
        st.caption(
            "K is not set. Attention and mean shift find their own; the others take that of the "
            "K-means with the best silhouette."
        )
    if not chosen:
        st.info("Choose at least one method.")
        return None
    return replace(config, methods=chosen)


def _ask_methods() -> tuple[str, ...]:
    """Which methods run, in the catalogue's order; the address has their short names."""
    wanted = st.query_params.get_all(METHODS)
    asked = [name for name in wanted if name in TITLES]
    if METHODS not in st.session_state and len(asked) < len(wanted):
        unknown = next(name for name in wanted if name not in TITLES)
        used = ", ".join(asked) or "all methods"
        note_unused(METHODS, unknown, f"some of {', '.join(TITLES)}", f"{used} are used")
    known = st.session_state.setdefault(METHODS, asked or list(TITLES))
    what = "All methods" if len(known) == len(TITLES) else f"{len(known)} of {len(TITLES)} methods"
    with st.popover(what, width="stretch"):
        with st.container(horizontal=True):
            st.button("All", on_click=_choose, args=(list(TITLES),), help="Choose every method")
            st.button("None", on_click=_choose, args=([],), help="Then click those that you want")
        chosen = st.pills(
            "Methods",
            list(TITLES),
            selection_mode="multi",
            key=METHODS,
            format_func=TITLES.__getitem__,
            help="The address and the shell call them by short names",
        )
    names = tuple(name for name in TITLES if name in chosen)
    _tell(names)
    return names


def _choose(names: list[str]) -> None:
    st.session_state[METHODS] = names


def _tell(names: tuple[str, ...]) -> None:
    """The address says what is not as usual; Streamlit would write the titles."""
    wanted = [] if len(names) == len(TITLES) else list(names)
    if st.query_params.get_all(METHODS) != wanted:
        st.query_params[METHODS] = wanted


def _likely(data: ImageSet) -> int:
    """As many clusters as classes, where they are known."""
    known = len(data.classes) if data.labels is not None else 0
    few = 2 <= known <= min(MOST_CLASSES, len(data.images) - 1)
    return known if few else 0


def _forget(data: ImageSet) -> None:
    """The K that was set for other data goes back to what is likely for these."""
    recipe = data.recipe.to_json()
    before = st.session_state.get(OF, recipe)
    st.session_state[OF] = recipe
    if before != recipe:
        st.session_state["k"] = _likely(data)


ADDRESS: Final = "marked"
KEPT: Final = "method that is marked"
TURNED: Final = "a method was marked just now"


def marked() -> str:
    """Its name in the catalogue, as the address says or as it was before; nothing if none is."""
    asked = st.query_params.get(ADDRESS)
    if asked in TITLES:
        st.session_state[KEPT] = asked
    elif asked is not None:
        del st.query_params[ADDRESS]
        note_unused(ADDRESS, asked, f"one of {', '.join(TITLES)}", "no method is highlighted")
    name = str(st.session_state.get(KEPT, ""))
    if name:
        st.query_params[ADDRESS] = name
    return name


def mark(name: str) -> None:
    """Mark this method, or none where it is marked already; meant for a click."""
    st.session_state[KEPT] = "" if name == st.session_state.get(KEPT) else name
    st.session_state[TURNED] = True
    st.query_params.pop(ADDRESS, None)


def mark_title(title: str) -> None:
    """Mark the method that is so called on the screen."""
    mark(next(name for name, known in TITLES.items() if known == title))


def follow_mark() -> None:
    """All views are drawn anew after a click in one of them, also where each runs alone."""
    if st.session_state.pop(TURNED, False):
        st.rerun()
