"""One prototype moved by hand, and how the clusters fit the known classes."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.figures.clustering.plots import plot_confusion, plot_errors
from ia_engine.runs.clustering.result import Knob, Picture, average, list_knobs, separate, turn
from pages._ui.clustering.samples import evenly
from pages._ui.components.picture_table import Words, show_pictures
from pages._ui.panels import misleads, show_plot, shown
from pages._ui.state.clustering import Seen

AVERAGED: Final = 200
WORST: Final = 8
CHANNELS: Final = ("red", "green", "blue")


def show_prototype(seen: Seen) -> None:
    """Sliders on the left, pictures on the right."""
    _move(seen)
    if "color-full" in seen.state.config.modules and seen.data.images.shape[1] == 3:
        _hidden(seen)
    _means(seen)


@st.fragment
def _move(seen: Seen) -> None:
    k, modules = seen.chosen, list_knobs(seen.state)
    st.markdown(
        f"**Prototype {k + 1}**, moved by hand through what it may do. At 0 it stays as it is."
    )
    if not modules:
        st.info("This model has no transformations: choose some above, and a DTI model.")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        name = st.segmented_control(
            "Transformation",
            list(modules),
            default=next(iter(modules)),
            required=True,
            key=f"move {seen.job.id}",
        )
        values = _slide(modules[name], f"{seen.job.id} {name}")
    with right:
        show_pictures(
            turn(seen.state, k, {name: values}),
            Words(
                columns=2,
                size=190,
                captions=(f"prototype {k + 1}", f"{name}, moved"),
                about=(f"Prototype {k + 1}", f"The same, moved by {name}"),
            ),
            key=f"moved {seen.job.id}",
        )


def _slide(knobs: Sequence[Knob], key: str) -> list[float]:
    """The values of all parameters; of many, those of one group have sliders at a time."""
    keys = [f"{key} {knob[0]}" for knob in knobs]
    for name in keys:  # what has no slider now keeps its value
        st.session_state[name] = st.session_state.get(name, 0.0)
    groups = list(dict.fromkeys(_split(knob)[0] for knob in knobs))
    group = groups[0]
    if len(groups) > 1:
        group = st.segmented_control("Of which", groups, default=group, required=True, key=key)
    drawn = [at for at, knob in enumerate(knobs) if _split(knob)[0] == group]
    for place, at in enumerate(drawn):
        if place % 2 == 0:
            columns = st.columns(2, gap="medium")
        _, symbol, low, high, unit = knobs[at]
        label = f"{symbol} · {_split(knobs[at])[1]}" + (f", {unit}" if unit else "")
        with columns[place % 2]:
            st.slider(label, low, high, step=(high - low) / 100, key=keys[at])
    st.button("Back to 0", on_click=_reset, args=(keys,))
    return [st.session_state[name] for name in keys]


def _split(knob: Knob) -> tuple[str, str]:
    """The group and the name in it."""
    group, _, name = knob[0].rpartition(": ")
    return group, name


def _reset(keys: Sequence[str]) -> None:
    st.session_state.update(dict.fromkeys(keys, 0.0))


def _hidden(seen: Seen) -> None:
    """What a full colour module has put into the channels, each by itself."""
    st.markdown("#### What its channels hide")
    show_pictures(
        separate(seen.state, seen.chosen),
        Words(columns=3, size=140, captions=CHANNELS, about=[f"Its {x} alone" for x in CHANNELS]),
        key=f"channels {seen.job.id}",
    )
    st.caption(
        "With **color-full** every channel of an image may take from any channel of the prototype, "
        "so that one prototype can hold three different pictures and show the one that fits: "
        "the error falls, and the cluster means nothing. With **color** they stay one picture."
    )


def _means(seen: Seen) -> None:
    k, members = seen.chosen, seen.result.members(seen.chosen)
    if not members:
        return
    rows = evenly(members, AVERAGED)
    st.markdown("#### What alignment brings")
    show_pictures(
        _average(f"{seen.key} {k}", k, rows, seen.state, seen.data),
        Words(
            columns=3,
            size=140,
            captions=("prototype", "plain mean", "mean, brought back"),
            about=("The prototype", "Mean of its images as they are", "Mean of its images aligned"),
        ),
        key=f"means {seen.job.id}",
    )
    st.caption(
        "The mean of the cluster's images as they are, and after each was brought back onto the "
        "prototype by the inverse transformations in reverse order."
    )
    shown(len(rows), len(members), f"images of prototype {k + 1}")
    misleads(
        "Morphology has no inverse and is left out when images are brought back: their mean may be "
        "bolder or thinner than the prototype. And a mean of images that were laid on one stroke "
        "is sharp even where they have nothing else in common.",
        key="misleads alignment",
        draw=lambda: _draw_worst(seen, members[-WORST:]),
    )


def _draw_worst(seen: Seen, rows: list[int]) -> None:
    """The same of the images that fit worst."""
    k = seen.chosen
    show_pictures(
        _average(f"{seen.key} {k} worst", k, rows, seen.state, seen.data),
        Words(columns=3, size=140, about=("The prototype", "Their plain mean", "Brought back")),
        key="misleading means",
    )
    st.caption(f"Of the {len(rows)} that fit worst alone: brought back, they look like it as well.")


@st.cache_resource(max_entries=8, show_spinner=False)
def _average(key: str, k: int, rows: list[int], _state: State, _data: ImageSet) -> Picture:
    return average(_state, _data.images, k, rows)


def show_confusion(seen: Seen) -> None:
    """The table of classes and clusters with its measures; without classes the errors."""
    agreement = seen.result.agreement
    if agreement is None or not seen.data.classes:
        st.info("The images have no class labels: here is how well each image fits.")
    else:
        n = f"{len(seen.result.rows):,} images"
        acc, nmi, ari = st.columns(3)
        acc.metric(
            f"ACC ({agreement.rule})",
            f"{100 * agreement.acc:.2f} %",
            help=f"On {n}. Hungarian: the best map of clusters to classes, one to one; purity, "
            "where K differs from the number of classes: each cluster counts as its largest class",
        )
        nmi.metric("NMI", f"{agreement.nmi:.4f}", help=f"Normalised mutual information, on {n}")
        ari.metric("ARI", f"{agreement.ari:.4f}", help=f"Adjusted Rand index, on {n}")
        _tell_why_others(seen)
        names = [seen.data.classes[label] for label in agreement.classes.tolist()]
        figure = plot_confusion(agreement.confusion.tolist(), names)
        show_plot(figure, f"confusion {seen.key}", seen.key)
        misleads(
            "Purity rises with K by itself: with as many clusters as images it is 100 %. And "
            "labels know nothing of styles: a cluster of its own for the crossed 7 costs accuracy "
            "although it is a find.",
            key="misleads purity",
            draw=lambda: _draw_trivial(agreement.acc),
        )
    st.markdown("#### How well each image fits")
    figure = plot_errors(seen.result.error.tolist())
    show_plot(figure, f"errors {seen.key}", seen.key)


def _tell_why_others(seen: Seen) -> None:
    """Why the film has other numbers, where it has."""
    agreement, score = seen.result.agreement, seen.job.history[-1].newest.score
    if (
        agreement is None
        or score is None
        or (agreement.acc, agreement.nmi) == (score.acc, score.nmi)
    ):
        return
    st.caption(
        f"Beside the film stand measures on {score.seen:,} images, of the last moment at which "
        f"they were taken; these are on {len(seen.result.rows):,} images, of the moment at which "
        "the run stopped."
    )


def _draw_trivial(acc: float) -> None:
    """By purity nothing beats every image in a cluster of its own."""
    ours, alone = st.columns(2)
    ours.metric("This run", f"{100 * acc:.2f} %")
    alone.metric("Purity, every image its own cluster", "100.00 %")
