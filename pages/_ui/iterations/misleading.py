"""How each view of a run misleads, and what shows it."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.clusters.embedding import embed, find_illusion
from ia_engine.figures.matrices import Weighed, draw_weights
from ia_engine.figures.plots import plot_contraction, plot_tree, plot_within
from ia_engine.runs.attend import recall_distances, recall_weights, regrow
from pages._ui.components.drawing import show_drawing
from pages._ui.components.player import METHOD_TITLES
from pages._ui.panels import misleads, show_plot
from pages._ui.state.iterations import Seen
from pages._ui.state.selection import select_pair
from pages._ui.wording import number

LAX: Final = 8.0
"""Images count as one at so many times the usual d²."""
SHARPER: Final = 30.0
"""So many times the β makes every image its own mean."""


def warn(view: str, seen: Seen) -> None:
    """The note of this view, with its button."""
    text, draw = NOTES[view]
    if draw is None:
        misleads(text, key=f"misleads {view}", show=lambda: _select_illusion(seen))
    else:
        misleads(text, key=f"misleads {view}", draw=lambda: draw(seen))


def _draw_within(seen: Seen) -> None:
    if not seen.plan.labels:
        st.caption("Without classes there is no distance within them.")
        return
    show_plot(plot_within(seen.numbers), "misleading distances", seen.key)
    st.caption(
        "Without the lines **between**, and each as a share of its start, kernel attention seems "
        "to do what invariant attention does."
    )


def _draw_contraction(seen: Seen) -> None:
    steps = {"ka": seen.numbers["ka"]}
    show_plot(plot_contraction(steps), "misleading contraction", seen.key)
    first, last = steps["ka"][0], steps["ka"][-1]
    told = f"the largest d fell from {number(first.radius)} to {number(last.radius)}"
    if first.d2_between is not None and last.d2_between is not None:
        told += f", and d² between classes from {first.d2_between:.3g} to {last.d2_between:.3g}"
    st.caption(f"Kernel attention contracts as well: {told}. What comes together is everything.")


def _draw_tree(seen: Seen) -> None:
    plan = seen.plan
    lax = {
        method: [*numbers[:-1], replace(numbers[-1], tree=regrow(seen.runs[method], LAX))]
        for method, numbers in seen.numbers.items()
    }
    figure = plot_tree(lax, plan.labels, plan.names, plan.classes, seen.pair)
    show_plot(figure, "misleading tree", seen.key)
    counts = [f"{METHOD_TITLES[m].lower()}: {len(n[-1].tree.clusters)}" for m, n in lax.items()]
    st.caption(
        f"The same run, had images counted as one at {number(LAX)} times that distance. "
        f"Clusters, {'; '.join(counts)}."
    )


def _draw_matrices(seen: Seen) -> None:
    ends = {}
    for method, steps in seen.runs.items():
        pair = [
            Weighed(recall_weights(step, SHARPER), replace(step.numbers, block_mass=None))
            for step in (steps[0], steps[-1])
        ]
        ends[method] = (pair[0], pair[1])
    dark = st.context.theme.type == "dark"
    show_drawing(draw_weights(ends, seen.plan.labels, dark=dark), "misleading matrices")
    own = {m: float(pair[0].W.diagonal().mean()) for m, pair in ends.items()}
    told = [f"{METHOD_TITLES[method].lower()} {100 * share:.0f} %" for method, share in own.items()]
    st.caption(
        f"The same distances at {number(SHARPER)} times the β: in the first W the diagonal holds "
        f"{', '.join(told)}. Nothing is averaged, and nothing looks wrong."
    )


def _select_illusion(seen: Seen) -> None:
    """The pair that the plane shows nearest for how far apart it is."""
    d2 = recall_distances(next(iter(seen.runs.values())))[0]
    select_pair(seen.rows, find_illusion(embed(d2).points, d2))


Note = tuple[str, Callable[[Seen], None] | None]
NOTES: Final[Mapping[str, Note]] = {
    "Distances": (
        "Both lines of kernel attention fall as well: everything becomes one grey image. What "
        "counts is that the distance **within** goes to 0 while the one **between** does not. The "
        "two methods measure different distances, so their heights cannot be compared.",
        _draw_within,
    ),
    "Contraction": (
        "Below 1 every pair comes closer, **also of different classes**: contraction alone is no "
        "clustering. Theorem 4.1 promises it while β < c′/R², and for R below a bound that the "
        "paper's text does not let one compute. Pairs nearer than 2 % of the first R are left out: "
        "their distance is interpolation's.",
        _draw_contraction,
    ),
    "Clusters": (
        "Numbers are names: cluster 1 of one method has nothing to do with cluster 1 of the other. "
        "Images that have not become one yet are clusters of their own, so that a run that ends "
        "too soon shows many. Where “one” begins is a threshold on d², near which all may change.",
        _draw_tree,
    ),
    "Merge tree": (
        "Two images count as one when d² is below a tenth of their squared norm: near another "
        "threshold the tree is another. A chain of near images merges its ends too, and kernel "
        "attention at a small β merges everything.",
        _draw_tree,
    ),
    "Plane": (
        "Distances of manifolds do not fit into a plane, and what does not fit is not drawn: "
        "points on top of each other may be far apart. Axes, turn and mirror image mean nothing; "
        "each method has a scale of its own. The button selects the pair whose distance at "
        "iteration 0 the plane hides most: compare where it stands with its d² in the player.",
        None,
    ),
    "Weights, first and last": (
        "At a large β every image is its own mean: **the diagonal alone** then makes W look "
        "perfect. Block mass leaves it out, but where nearly all weight is on the diagonal it "
        "speaks of the little that is left, and for kernel attention it can be high by that.",
        _draw_matrices,
    ),
}
