"""One prototype with adjustable transformations, and a comparison of clusters with classes."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.figures.clustering.plots import plot_confusion, plot_errors
from ia_engine.runs.clustering.result import (
    Knob,
    Picture,
    average,
    list_knobs,
    separate,
    spread_evenly,
    transform_prototype,
)
from pages._ui.components.prototypes import TableTexts, show_pictures
from pages._ui.panels import show_count, show_misleading, show_plot
from pages._ui.state.clustering import RunView
from pages._ui.state.fields import read_value, set_value

AVERAGED: Final = 200
WORST: Final = 8
CHANNELS: Final = ("red", "green", "blue")


def show_prototype(run: RunView) -> None:
    """Draw the selected prototype, the sliders that transform it, and its channels and means."""
    _show_transformed(run)
    if "color-full" in run.state.config.modules and run.data.images.shape[1] == 3:
        _show_channels(run)
    _show_means(run)


@st.fragment
def _show_transformed(run: RunView) -> None:
    k, modules = run.prototype, list_knobs(run.state)
    st.markdown(f"**Prototype {k + 1}**, transformed by the sliders. At 0 it is unchanged.")
    if not modules:
        st.info(
            "This model has no transformations. Choose a DTI model and some transformations above."
        )
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        name = st.segmented_control(
            "Transformation",
            list(modules),
            default=next(iter(modules)),
            required=True,
            key=f"move {run.job.id}",
        )
        values = _ask_parameters(modules[name], f"{run.job.id} {name}")
    with right:
        show_pictures(
            transform_prototype(run.state, k, {name: values}),
            TableTexts(
                columns=2,
                size=190,
                captions=(f"prototype {k + 1}", f"{name}, transformed"),
                about=(f"Prototype {k + 1}", f"The same, transformed by {name}"),
            ),
            key=f"moved {run.job.id}",
        )


def _ask_parameters(knobs: Sequence[Knob], key: str) -> list[float]:
    """Ask for the values of all parameters; only one group of them has sliders at a time."""
    keys = [f"{key} {knob[0]}" for knob in knobs]
    for name in keys:  # a parameter without a slider keeps its value
        set_value(name, read_value(name, 0.0))
    # "group: name", or only the name
    names = [knob[0].rpartition(": ")[::2] for knob in knobs]
    groups = list(dict.fromkeys(group for group, _ in names))
    group = groups[0]
    if len(groups) > 1:
        group = st.segmented_control("Group", groups, default=group, required=True, key=key)
    drawn = [at for at, (own, _) in enumerate(names) if own == group]
    for place, at in enumerate(drawn):
        if place % 2 == 0:
            columns = st.columns(2, gap="medium")
        _, symbol, low, high, unit = knobs[at]
        label = f"{symbol} · {names[at][1]}" + (f", {unit}" if unit else "")
        with columns[place % 2]:
            st.slider(label, low, high, step=(high - low) / 100, key=keys[at])
    st.button("Back to 0", on_click=_reset, args=(keys,))
    return [read_value(name, 0.0) for name in keys]


def _reset(keys: Sequence[str]) -> None:
    for key in keys:
        set_value(key, 0.0)


def _show_channels(run: RunView) -> None:
    """Show each channel separately: color-full can put a different picture into each."""
    st.markdown("#### Its channels")
    show_pictures(
        separate(run.state, run.prototype),
        TableTexts(columns=3, size=140, captions=CHANNELS, about=[f"Only {x}" for x in CHANNELS]),
        key=f"channels {run.job.id}",
    )
    st.caption(
        "With **color-full**, each channel of an image may be made from any channel of the "
        "prototype. So one prototype can contain three different pictures and show the picture "
        "that fits: the error decreases, but the cluster is meaningless. With **color**, the "
        "prototype remains one picture."
    )


def _show_means(run: RunView) -> None:
    k, members = run.prototype, run.result.members(run.prototype)
    if not members:
        return
    rows = spread_evenly(members, AVERAGED)
    st.markdown("#### What alignment does")
    show_pictures(
        _average(f"{run.key} {k}", k, rows, run.state, run.data),
        TableTexts(
            columns=3,
            size=140,
            captions=("prototype", "plain mean", "aligned mean"),
            about=("The prototype", "Mean of its images", "Mean of its aligned images"),
        ),
        key=f"means {run.job.id}",
    )
    st.caption(
        "The plain mean of the cluster's images, and the mean of the same images after each was "
        "aligned with the prototype by the inverse transformations in reverse order."
    )
    show_count(len(rows), len(members), f"images of prototype {k + 1}")
    show_misleading(
        "Morphology has no inverse and is not undone, so the aligned mean may be bolder or "
        "thinner than the prototype. In addition, the mean of images that are aligned by one "
        "stroke is sharp at that stroke even if the images have nothing else in common.",
        key="misleads alignment",
        draw=lambda: _draw_worst(run, members[-WORST:]),
    )


def _draw_worst(run: RunView, rows: list[int]) -> None:
    """Draw the same pictures for the images that fit worst."""
    k = run.prototype
    show_pictures(
        _average(f"{run.key} {k} worst", k, rows, run.state, run.data),
        TableTexts(columns=3, size=140, about=("The prototype", "Plain mean", "Aligned mean")),
        key="misleading means",
    )
    st.caption(
        f"This shows only the {len(rows)} images that fit worst. After alignment, even they look "
        "like the prototype."
    )


@st.cache_resource(max_entries=8, show_spinner=False)
def _average(key: str, k: int, rows: list[int], _state: State, _data: ImageSet) -> Picture:
    return average(_state, _data.images, k, rows)


def show_confusion(run: RunView) -> None:
    """Show the table of classes and clusters with its scores; without classes, the errors."""
    agreement = run.result.agreement
    if agreement is None or not run.data.classes:
        st.info("The images have no class labels, so this view shows how well each image fits.")
    else:
        n = f"{len(run.result.rows):,} images"
        acc, nmi, ari = st.columns(3)
        acc.metric(
            f"ACC ({agreement.rule})",
            f"{100 * agreement.acc:.2f} %",
            help=f"On {n}. Hungarian: the best one-to-one map of clusters to classes. "
            "Purity (if K is not the number of classes): each cluster is assigned to its "
            "largest class",
        )
        nmi.metric("NMI", f"{agreement.nmi:.4f}", help=f"Normalised mutual information, on {n}")
        ari.metric("ARI", f"{agreement.ari:.4f}", help=f"Adjusted Rand index, on {n}")
        _explain_difference(run)
        names = [run.data.classes[label] for label in agreement.classes.tolist()]
        figure = plot_confusion(agreement.confusion.tolist(), names)
        show_plot(figure, f"confusion {run.key}", run.key)
        show_misleading(
            "Purity increases with K: with as many clusters as images it is 100 %. In addition, "
            "labels do not capture style: a separate cluster of crossed 7s lowers the accuracy "
            "although it is correct.",
            key="misleads purity",
            draw=lambda: _draw_trivial(agreement.acc),
        )
    st.markdown("#### How well each image fits")
    figure = plot_errors(run.result.error.tolist())
    show_plot(figure, f"errors {run.key}", run.key)


def _explain_difference(run: RunView) -> None:
    """Explain why the scores in the animation differ from those of the result, if they do."""
    agreement, score = run.result.agreement, run.job.history[-1].newest.score
    if agreement is None or score is None:
        return
    if (agreement.acc, agreement.nmi) != (score.acc, score.nmi):
        st.caption(
            f"The animation shows the last scores computed during training, on {score.seen:,} "
            f"images. The scores here are computed on {len(run.result.rows):,} images, after the "
            "run stopped."
        )


def _draw_trivial(acc: float) -> None:
    """Draw an example: purity is highest if every image is its own cluster."""
    ours, alone = st.columns(2)
    ours.metric("This run", f"{100 * acc:.2f} %")
    alone.metric("Purity with one cluster per image", "100.00 %")
