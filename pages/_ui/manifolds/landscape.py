"""The distance landscape of the pair, both solvers on it, and the pair as they align it."""

from dataclasses import replace
from typing import Final

import streamlit as st

from ia_engine.attention.manifolds.landscape import Landscape, Survey, survey
from ia_engine.attention.manifolds.pair import PairConfig, Solved, lay, solve
from ia_engine.attention.manifolds.sample import ImageSample
from ia_engine.figures.landscape import draw_curve, draw_maps, draw_pair
from ia_engine.figures.svg import signed
from ia_engine.runs.job import compute_alone
from pages._ui.components.dial import dial
from pages._ui.components.drawing import show_drawing
from pages._ui.controls import edit
from pages._ui.formulas import Part, show_formula, term
from pages._ui.panels import misleads
from pages._ui.wording import number

VERDICTS: Final = {
    "found": (st.success, "check", "The deepest basin."),
    "rival": (
        st.info,
        "call_split",
        "Another basin, nearly as deep: the blur or a symmetry hides the best pose.",
    ),
    "wrong": (
        st.warning,
        "wrong_location",
        "A wrong basin: the descent rests, and not at the best pose.",
    ),
    "moving": (st.info, "hourglass", "Not at rest: more steps N may lead on."),
}

RISE: Final = 1e-4
"""A share of the landscape's height: what is less than that is rounding."""
RISEN: Final = (
    "The descent ends higher than it began. It goes down a slope by differences of pixels, and d² "
    "has a kink where two pictures that reach their frame overlap. As a solver, it "
    "leaves such a pair unmoved."
)


@st.fragment
def show_landscape(few: ImageSample, i: int, j: int) -> None:
    """All that follows σ and the schedule; nothing else on the page is run again for them."""
    compute_alone()
    config = _knobs()
    source, target = few.v[i : i + 1], few.v[j : j + 1]
    if not (source.any() and target.any()):
        st.info("One of the two images is blank: no pose lays anything on it. Choose another pair.")
        return
    surveyed, sharp = _survey(few.digest, i, j, few)
    landscape = surveyed.smooth(config.sigma) if config.sigma else sharp
    basin, solved = landscape.basin(), solve(source, target, config)
    show_drawing(draw_curve(landscape, basin, sharp, solved), "curve", term="d2")
    aligned, walked = lay(source, solved.best), lay(source, solved.descent)
    show_drawing(draw_pair(source, target, aligned, walked), "pair")
    show_formula(_write(solved, config.sigma), "formula of the landscape")
    _judge(solved)
    _say(solved, float(basin.double().mean()))
    show_drawing(draw_maps(landscape, solved), "maps", term="d2 pose")


def explain_landscape() -> None:
    """What is drawn there: nothing of it changes."""
    st.markdown(
        "**The landscape** shows how far vᵢ is from vⱼ, turn by turn. **Global search** tries "
        "every turn θ and shift b. **Descent** starts where the images lie and walks downhill, "
        "into whatever dip it finds. Blur both images with σ, and the dips widen to **basins**."
    )
    st.caption(
        "The curve: the least d² over all shifts b, against θ. The descent lies above it where its "
        "shift is not the best one. Tinted: turns from which, unshifted, the way down leads to the "
        "lowest point. The maps: d² over the shifts, at the turns where the solvers end; dark is "
        "near. A lattice of 2° and 1 px, on the infinite plane."
    )
    st.caption("The pair: vᵢ orange, vⱼ blue; they add up to white where both have ink.")
    misleads(
        "The curve hides two of three dimensions: a descent above it can rest in a dip of the "
        "shifts. The basin is that of steepest steps on a lattice, not of the descent itself, "
        "which weighs rotations and translations differently. A blur makes **all** distances "
        "small, so the dotted curve for σ = 0 is drawn to the same height: compare shapes, not "
        "values. Blur too much, and wrong poses become as good as the right one. White ink says"
        " that both images are there, not that they are the same: any two thick strokes cross "
        "somewhere. The button blurs with σ = 8 px.",
        key="misleads blur",
        show=lambda: st.query_params.update(sigma="8"),
    )


def _knobs() -> PairConfig:
    first, second = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with first:
        about = "Both images are blurred by a Gaussian of this width before they are compared"
        sigma = dial("sigma", "Blur σ of both images", about, bounds=(0, 8), step=0.25, unit=" px")
    config = replace(PairConfig(), sigma=sigma)
    with second.popover("Descent", icon=":material/tune:", width="stretch"):
        return edit(config, only=["schedule", "updates"])


def _write(solved: Solved, sigma: float) -> list[Part]:
    """d²_σ at the best pose, with what stands in it now."""
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


def _judge(solved: Solved) -> None:
    show, icon, verdict = VERDICTS[solved.outcome]
    best, descent = solved.best, solved.descent
    ended = f"{signed(descent.degrees, 1)}° after {len(descent.d2) - 1} steps"
    aim = f"{signed(best.degrees, 1)}°"
    show(
        f"**{verdict}** Descent ends at θ = {ended}, global search at {aim}.",
        icon=f":material/{icon}:",
    )


def _say(solved: Solved, share: float) -> None:
    """The numbers, each with how it is computed."""
    best, (b_p, b_q) = solved.best, solved.best.shift[-1].tolist()
    values = (
        ("d², unmoved", f"{solved.euclid:.4f}", "‖g_σ*vᵢ − g_σ*vⱼ‖² without moving anything"),
        ("d², descent", f"{float(solved.descent.d2[-1]):.4f}", "At the descent's last step"),
        ("d², global", f"{float(best.d2[-1]):.4f}", "The least d²_σ over all poses; no unit"),
        ("turn θ*", f"{signed(best.degrees, 1)}°", "The best turn of vᵢ, anticlockwise"),
        (
            "shift b*, px",
            f"{signed(b_p, 1)}, {signed(b_q, 1)}",
            "Where the centre of vᵢ is read: rows down, then columns to the right",
        ),
        (
            "basin",
            f"{100 * share:.1f} %",
            "Share of all rotations and shifts from which the way down leads to θ*, b*",
        ),
    )
    with st.container(horizontal=True):
        for label, value, how in values:
            st.metric(label, value, help=how, width="content")
    if float(solved.descent.d2[-1]) > solved.euclid + RISE * solved.height:
        st.caption(RISEN)


@st.cache_resource(max_entries=6, show_spinner=False)
def _survey(digest: str, i: int, j: int, _few: ImageSample) -> tuple[Survey, Landscape]:
    """What does not depend on σ, and the landscape at σ = 0."""
    found = survey(_few.v[i : i + 1], _few.v[j : j + 1])
    return found, found.smooth(0)
