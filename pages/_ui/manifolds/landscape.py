"""The distance landscape of a pair, the results of both solvers, and the aligned pair."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.landscape import Landscape, Survey, survey
from ia_engine.attention.manifolds.pair import PairConfig, Solved, align, solve
from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.figures.landscape import draw_curve, draw_maps, draw_pair
from ia_engine.figures.svg import signed
from ia_engine.runs.job import use_one_core
from pages._ui.components.dial import dial
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import edit
from pages._ui.panels import Part, show_formula, show_misleading, term
from pages._ui.state.manifolds import manifolds_state
from pages._ui.wording import number

VERDICTS: Final = {
    "found": (st.success, "check", "This is the deepest basin."),
    "rival": (
        st.info,
        "call_split",
        "This is another basin, nearly as deep: smoothing or a symmetry hides the best pose.",
    ),
    "wrong": (
        st.warning,
        "wrong_location",
        "This is a wrong basin: the descent has stopped, but not at the best pose.",
    ),
    "moving": (
        st.info,
        "hourglass",
        "The descent has not converged. Increase the number of steps N.",
    ),
}

ROUNDING: Final = 1e-4
"""Relative to the height of the landscape; smaller differences are rounding errors."""


@st.fragment
def show_landscape(sample: ImageSample, i: int, j: int) -> None:
    """Draw everything that depends on σ and the schedule; a change redraws only this part."""
    use_one_core()
    config = _ask_config()
    source, target = sample.v[i : i + 1], sample.v[j : j + 1]
    if not (source.any() and target.any()):
        st.info(
            "One of the two images is blank, so every pose fits equally well. Choose a different "
            "pair."
        )
        return
    surveyed, sharp = _survey(sample.digest, i, j, sample)
    landscape = surveyed.smooth(config.sigma) if config.sigma else sharp
    basin, solved = landscape.basin(), solve(source, target, config)
    show_drawing(draw_curve(landscape, basin, sharp, solved), "curve", term="d2")
    aligned, walked = align(source, solved.best), align(source, solved.descent)
    show_drawing(draw_pair(source, target, aligned, walked), "pair")
    show_formula(_write_distance(solved, config.sigma), "formula of the landscape")
    _show_outcome(solved)
    _show_values(solved, float(basin.double().mean()))
    show_drawing(draw_maps(landscape, solved), "maps", term="d2 pose")


def explain_landscape() -> None:
    """Explain the landscape; the text never changes."""
    st.markdown(
        "**The landscape** shows the distance between vᵢ and vⱼ for every rotation. **Global "
        "search** tries every rotation θ and translation b. **Descent** starts at the unaligned "
        "images and moves downhill into the nearest dip. Smoothing both images with σ widens the "
        "dips to **basins**."
    )
    st.caption(
        "The curve shows the minimum of d² over all translations b, against θ. The descent is "
        "above the curve where its translation is not the best. Steepest descent from any tinted "
        "rotation, with zero translation, reaches the lowest point. The maps show d² over the "
        "translations, at the rotations where the solvers end. Darker means a smaller distance. "
        "The grid has steps of 2° and 1 px, on the infinite plane."
    )
    st.caption("The pair: vᵢ is orange and vⱼ is blue; places where both have strokes are white.")
    show_misleading(
        "The curve shows one of three dimensions: a descent that ends above it may have stopped in "
        "a local minimum over the translations. The basin is computed for steepest descent on a "
        "grid, not for the descent itself, which weights rotations and translations differently. "
        "Smoothing makes **all** "
        "distances small, so the dotted curve for σ = 0 is rescaled to the same height. Compare "
        "shapes, not values. If you smooth too much, wrong poses become as good as the right pose. "
        "White shows that both images have strokes there, not that they are equal, because any two "
        "thick strokes cross somewhere. The button sets σ = 8 px.",
        key="misleads blur",
        show=manifolds_state.smooth_too_much,
    )


def _ask_config() -> PairConfig:
    first, second = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with first:
        about = "Both images are smoothed with a Gaussian of this width before they are compared"
        sigma = dial("sigma", "Smoothing σ", about, bounds=(0, 8), step=0.25, unit=" px")
    config = replace(PairConfig(), sigma=sigma)
    with second.popover("Descent", icon=":material/tune:", width="stretch"):
        return edit(config, only=["schedule", "updates"])


def _write_distance(solved: Solved, sigma: float) -> list[Part]:
    """Return the formula of d²_σ at the best pose, with the current values."""
    best = solved.best
    b_p, b_q = (signed(b, 1) for b in best.shift[-1].tolist())
    pose = f"now θ* = {signed(best.degrees, 1)}°, b* = ({b_p}, {b_q}) px"
    return [
        term("d²_σ(τ*)", "d2", "d"),
        (" = ‖",),
        term("g_σ", "sigma", "σ", f"now {number(sigma)} px"),
        (" * (",),
        term("v_i", "vi", "v"),
        term("∘τ*", "pose", "τ", pose),
        (" − ",),
        term("v_j", "vj", "v"),
        (")‖² = ",),
        term(f"{float(best.d2[-1]):.4f}", "d2", "d"),
    ]


def _show_outcome(solved: Solved) -> None:
    show, icon, verdict = VERDICTS[solved.outcome]
    best, descent = solved.best, solved.descent
    ended = f"{signed(descent.degrees, 1)}° after {len(descent.d2) - 1} steps"
    aim = f"{signed(best.degrees, 1)}°"
    show(
        f"**{verdict}** Descent ends at θ = {ended}, global search at {aim}.",
        icon=f":material/{icon}:",
    )


def _show_values(solved: Solved, share: float) -> None:
    best, (b_p, b_q) = solved.best, solved.best.shift[-1].tolist()
    values = (
        ("d², unaligned", f"{solved.euclid:.4f}", "‖g_σ*vᵢ − g_σ*vⱼ‖² without any transformation"),
        (
            "d², descent",
            f"{float(solved.descent.d2[-1]):.4f}",
            "The value at the last step of the descent",
        ),
        (
            "d², global",
            f"{float(best.d2[-1]):.4f}",
            "The minimum of d²_σ over all poses; dimensionless",
        ),
        ("rotation θ*", f"{signed(best.degrees, 1)}°", "The best rotation of vᵢ, anticlockwise"),
        (
            "translation b*, px",
            f"{signed(b_p, 1)}, {signed(b_q, 1)}",
            "The point of vᵢ that moves to the centre: rows downwards, then columns to the right",
        ),
        (
            "basin",
            f"{100 * share:.1f} %",
            "Share of all rotations and translations for which the steepest path leads to θ*, b*",
        ),
    )
    with st.container(horizontal=True):
        for label, value, how in values:
            st.metric(label, value, help=how, width="content")
    if float(solved.descent.d2[-1]) > solved.euclid + ROUNDING * solved.height:
        st.caption(
            "The descent ends at a larger distance than where it began. Its gradient is computed "
            "from pixel differences, and d² is not smooth where an image reaches the edge of its "
            "canvas. As a pose solver, descent keeps the original pose of such a pair."
        )


@st.cache_resource(max_entries=6, show_spinner=False)
def _survey(digest: str, i: int, j: int, _sample: ImageSample) -> tuple[Survey, Landscape]:
    """Return the survey, which does not depend on σ, and the landscape at σ = 0."""
    surveyed = survey(_sample.v[i : i + 1], _sample.v[j : j + 1])
    return surveyed, surveyed.smooth(0)
