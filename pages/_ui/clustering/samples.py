"""Prototypes and their images, module by module, and why a prototype won an image."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.runs.clustering.result import (
    SAMPLES,
    Alignments,
    AlignmentSteps,
    PrototypeSamples,
    contest,
    spread_evenly,
    stack,
    trace_winner,
)
from ia_engine.runs.clustering.run import build_model
from pages._ui.components.prototypes import TableTexts, show_pictures
from pages._ui.new_images import show_new_images
from pages._ui.panels import Part, escape, show_count, show_formula, show_misleading, term
from pages._ui.state.clustering import RunView
from pages._ui.state.selection import place_of, selected
from pages._ui.wording import number

OUTLIERS: Final = 24
OUTLIERS_PER_ROW: Final = 12
CONTEST_COLUMNS: Final = 11


def show_samples(run: RunView) -> None:
    """Show images of the selected prototype from best to worst, each with every transformation."""
    k, members = run.prototype, run.result.members(run.prototype)
    _introduce(k, _symbol(run.state), ", or click an image to see all alignments")
    if not members:
        st.info(f"No image belongs to prototype {k + 1}. Choose a different prototype above.")
        return
    rows = spread_evenly(members)
    chains = _follow(f"{run.key} {rows}", rows, run.state, run.data)
    words = replace(
        _label(chains, run.data, "; click for all alignments"),
        marked=_marked(rows),
        picks=dict(enumerate(rows)),
    )
    show_pictures(stack(chains), words, key=f"samples {run.job.id}")
    show_count(len(rows), len(members), f"images of prototype {k + 1}")
    _show_contest(run, rows)


def show_example_samples(
    samples: Sequence[PrototypeSamples], k: int, data: ImageSet | None
) -> None:
    """Show the samples of a prototype of the precomputed example; its classes need its data."""
    own = samples[k]
    _introduce(k, "d²", "")
    if not own.chains:
        st.info(f"No image belongs to prototype {k + 1}. Choose a different prototype above.")
        return
    show_pictures(stack(own.chains), _label(own.chains, data), key="samples of the example")
    show_count(len(own.chains), own.total, f"images of prototype {k + 1}")


def _introduce(k: int, symbol: str, more: str) -> None:
    st.markdown(
        f"**Prototype {k + 1}** transformed to fit images of its cluster, from the best fit to the "
        f"worst. The number below each image is {symbol}. Click a different prototype above{more}."
    )


def _label(
    chains: Sequence[AlignmentSteps], data: ImageSet | None, on_click: str = ""
) -> TableTexts:
    """Return the labels of a table with one column for each image and one row for each stage."""
    stages = chains[0].stages
    sides = ["image", *stages]
    return TableTexts(
        columns=len(chains),
        heads=[f"{chain.row + 1}" + (_class(data, chain.row) if data else "") for chain in chains],
        sides=sides,
        captions=[
            *([""] * len(chains) * len(stages)),
            *(_rounded(chain.distance, 4) for chain in chains),
        ],
        about=[
            f"Image {chain.row + 1}: {side}" + (on_click if not at else "")
            for at, side in enumerate(sides)
            for chain in chains
        ],
    )


def show_outliers(run: RunView) -> None:
    """Show the images that fit worst, beginning with the worst."""
    rows = run.result.outliers(OUTLIERS)
    st.markdown(
        "The images with the **largest error** under their own prototype, beginning with the worst."
    )
    chains = _follow(f"{run.key} {rows}", rows, run.state, run.data)
    words = TableTexts(
        columns=OUTLIERS_PER_ROW,
        captions=[_rounded(run.result.error_of(row), 4) for row in rows],
        about=_describe(chains),
        marked=_marked(rows),
        picks=dict(enumerate(rows)),
    )
    show_pictures(stack(chains, only=0), words, key=f"outliers {run.job.id}")
    show_count(len(rows), len(run.result.rows), "images")
    _show_contest(run, rows)
    show_misleading(
        "The error is computed from pixels. So a thick or bright image has a large error even if "
        "it fits well, and an image in the wrong cluster may fit so closely that it never appears "
        "here.",
        key="misleads error",
        draw=lambda: _draw_best(run),
    )


def show_new_samples(run: RunView) -> None:
    """Ask for new images, and show the prototype of each."""
    show_new_images(
        run.key,
        run.data,
        lambda: build_model(run.state, run.data.images),
        rule="the cluster whose prototype fits best",
        centre="prototype",
    )


def _draw_best(run: RunView) -> None:
    """Draw the other end of the list: the images that fit best, even in a wrong cluster."""
    rows = run.result.outliers(len(run.result.rows))[-SAMPLES:]
    chains = _follow(f"{run.key} {rows}", rows, run.state, run.data)
    words = TableTexts(columns=SAMPLES, about=_describe(chains))
    show_pictures(stack(chains, only=0), words, key="misleading fits")
    st.caption("The images that fit **best** are thin and pale, even if their cluster is wrong.")


def _show_contest(run: RunView, rows: Sequence[int]) -> None:
    """Show all K prototypes transformed to fit the selected image.

    If no image is selected, the first of these rows is used.
    """
    clicked = selected().i
    row = rows[0] if clicked is None else clicked
    found = _contest(f"{run.key} {row}", row, run.state, run.data)
    k = len(found.distances)
    first, second = found.distances[found.winner], found.distances[found.second]
    class_name = escape(_class(run.data, row))
    st.markdown(f"#### Image {row + 1}{class_name}: why prototype {found.winner + 1} won")
    if k > 1:
        st.markdown(
            "Every prototype is transformed to fit the image as well as possible; the "
            "remaining **difference** is shown below it. The nearest prototype wins: "
            f"{_symbol(run.state)} = {_rounded(first, 5)}; prototype {found.second + 1} is "
            f"second with {_rounded(second, 5)}."
        )
    distances = [f"{at + 1}: {_rounded(d2, 4)}" for at, d2 in enumerate(found.distances)]
    words = TableTexts(
        columns=min(k + 1, CONTEST_COLUMNS),
        captions=["the image", *distances],
        about=[
            "The image",
            *(f"Prototype {at + 1}, transformed; below it the difference" for at in range(k)),
        ],
        marked=[found.winner + 1],
        terms={0: "image", found.winner + 1: "transformed"},
    )
    show_pictures(found.picture, words, key=f"contest {run.job.id}")
    if run.state.config.mixture:
        st.caption(
            "The number below each is −log π G per pixel; it is dimensionless. The smallest number "
            "wins."
        )
    else:
        show_formula(_write_distance(found.winner, first), "formula of a contest")


def _write_distance(winner: int, d2: float) -> list[Part]:
    """Return equation (4) with the values of the winner."""
    k = winner + 1
    return [
        term(f"d²_{{{k}}}", "d2", "d"),
        (" = 1/(chw) ‖",),
        term("x", "image", "x"),
        (" − ",),
        term(f"T_{{β(x)}}(c_{{{k}}})", "transformed", "T", f"prototype {k}, the winner"),
        ("‖² = ",),
        term(_rounded(d2, 5), "d2", "d", "the smallest of all prototypes"),
        ("   (4)",),
    ]


def _marked(rows: Sequence[int]) -> list[int]:
    """Return the index of the selected image among these rows, or [] if it is not among them."""
    place = place_of(selected().i, rows)
    return [] if place is None else [place]


def _symbol(state: State) -> str:
    return "−log πG" if state.config.mixture else "d²"


def _class(data: ImageSet, row: int) -> str:
    return "" if data.labels is None else f" “{data.classes[int(data.labels[row])]}”"


def _describe(chains: Sequence[AlignmentSteps]) -> list[str]:
    return [f"Image {chain.row + 1}, prototype {chain.cluster + 1}" for chain in chains]


def _rounded(value: float, digits: int) -> str:
    return number(round(value, digits))


@st.cache_resource(max_entries=8, show_spinner=False)
def _follow(key: str, rows: list[int], _state: State, _data: ImageSet) -> list[AlignmentSteps]:
    return trace_winner(_state, _data.images, rows)


@st.cache_resource(max_entries=8, show_spinner=False)
def _contest(key: str, row: int, _state: State, _data: ImageSet) -> Alignments:
    return contest(_state, _data.images, row)
