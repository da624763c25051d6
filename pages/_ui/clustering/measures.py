"""How the clusters fit the known classes, and how large the errors are."""

import streamlit as st

from ia_engine.figures.clustering.plots import plot_confusion, plot_errors
from pages._ui.clustering.run import Seen
from pages._ui.panels import misleads
from pages._ui.plots import show_plot


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
