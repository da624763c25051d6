"""Controls of Iterations, its presets, and adopting the settings of a run."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ia_engine.attention.beta import suggest_beta
from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.rules import RULES
from ia_engine.datasets.data import Data, Recipe, count
from ia_engine.params import Range, parameters
from ia_engine.runs.attend import Plan
from ia_engine.runs.papers.invariant import BLOBS, PAPER_BETA
from ia_engine.runs.papers.invariant_iterations import SHOWN, UNFINISHED
from pages._ui.controls import choose_device, edit, label_of
from pages._ui.iterations.plots import MATRICES
from pages._ui.state.dataset import choose_data
from pages._ui.state.fields import note_control, read_parameter, read_value, set_value
from pages._ui.state.iterations import (
    DEFAULTS,
    IMAGES,
    RECOMPUTES,
    Kernel,
    Limits,
    Setting,
    iterations_state,
)
from pages._ui.wording import number, word_of

DESCENT: Final = ("schedule", "rate", "updates")
COLUMNS: Final = (1.7, 1, 1.25, 1, 1.4, 0.9, 0.9)
"""Widths of the controls: at 1280 px, no label needs two lines."""
STYLE: Final = """
<style>
  /* The curves are below the row, so that all sliders stay at the same height. */
  @media (min-width: 641px) {
    .st-key-settings .stColumn { position: relative; }
    .st-key-settings [data-testid="stLayoutWrapper"]:has(> [class*="st-key-curve_"]) {
      position: absolute; top: calc(100% - 12px); left: 0; width: 100%;
    }
  }
  .st-key-settings .stColumn:has([class*="st-key-curve_"]) [data-testid="stSliderTickBar"] {
    display: none;  /* the axis of the curve has the limits */
  }
  .st-key-advice { gap: 0.3rem; }
  .st-key-advice p { font-size: 0.82rem; line-height: 1.25; }
  .st-key-advice .stHorizontalBlock { min-height: 2.1rem; }
  .st-key-advice button { min-height: 1.75rem; padding-block: 0; }
  .st-key-advice .stColumn:first-child { flex: 1 1 0; }
  .st-key-advice .stColumn:last-child { flex: 0 0 8.2rem; min-width: 0; }
  /* In a low window, both methods fit below the controls: a curve is shown without its text,
     which the advice repeats, and the advice has at most two lines until it is pointed at. */
  @media (min-width: 641px) and (max-height: 800px) {
    .st-key-settings [class*="st-key-curve_"] {
      max-height: 37px; overflow: hidden; justify-content: flex-end;
    }
    .st-key-settings [class*="st-key-curve_"] > * { flex: none; }
    .st-key-advice p:not(:hover) {
      display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden;
    }
  }
</style>
"""
SPACE: Final = """
  .st-key-advice {{ min-height: {height}rem; }}
  @media (min-width: 641px) {{ .st-key-settings {{ padding-bottom: 58px; }} }}
  @media (min-width: 641px) and (max-height: 800px) {{
    .st-key-settings {{ padding-bottom: 20px; }}
  }}
"""
"""Keeps the space of the curves and of the advice while their distances are computed, so that the
player does not move."""
HIDE_BETA: Final = """
  .st-key-settings .stColumn:has(.st-key-{key}) {{ display: none; }}
"""


@dataclass(frozen=True)
class Asked:
    """The settings of both methods, the maximum number of images, and the device."""

    configs: tuple[AttentionConfig, AttentionConfig]
    images: int
    device: str
    below: Mapping[str, DeltaGenerator]
    """The places below the controls of the fixed β, by method; there are none for other rules."""
    advice: DeltaGenerator
    """The place of the advice on β, below all controls."""
    style: DeltaGenerator
    """The place of the style that `place_betas` sets."""


@dataclass(frozen=True)
class Preset:
    """A button with a data set and the settings that differ from the defaults; it starts a run."""

    title: str
    about: str
    data: str
    settings: Mapping[str, Setting]
    view: str | None = None


PRESETS: Final = (
    Preset(
        "Default",
        "Experiment 1 with global search: the initial settings of this page",
        "experiment-1",
        {},
    ),
    Preset(
        "As in the paper",
        f"Figure 4, with the data of seed {SHOWN.seed}: a descent that stops after a few steps "
        "gives an imperfect first matrix, and the second one has three clusters",
        Recipe("experiment-1", SHOWN).to_json(),
        {
            name: getattr(UNFINISHED, name)
            for name in (*DESCENT, "solver", "bandwidth", "quantile", "steps")
        },
        view=MATRICES,
    ),
    Preset(
        "Points",
        "Figure 2: with kernel attention on blobs, points collapse to the means of their clusters",
        Recipe("blobs", BLOBS).to_json(),
        {"steps": 6, "points_kernel_beta": PAPER_BETA},
    ),
)


def show_presets() -> None:
    """Draw a row of buttons."""
    with st.container(horizontal=True):
        for preset in PRESETS:
            st.button(preset.title, help=preset.about, on_click=_press, args=(preset,))


def ask(data: Data) -> Asked:
    """Draw the controls that apply to these data and to the other settings, and read them."""
    points = not hasattr(data, "images")
    st.html(STYLE)
    with st.container(key="settings"):
        row = st.columns(COLUMNS, vertical_alignment="bottom", gap="xsmall")
    with row[-1].popover("More", help="Pose solver, kernel and rule for β", width="stretch"):
        config = _ask_more(AttentionConfig(), points)
        device = choose_device()
        note_control(RECOMPUTES, True)
        st.toggle(
            "Recompute on change",
            True,
            key=RECOMPUTES,
            bind="query-params",
            help="With up to 60 images, a changed setting updates the result at once. Switch this "
            "off to collect several changes, and then press Run or Run from here.",
        )
    cells, below = iter(row), dict[str, DeltaGenerator]()
    most_important = RULES[config.bandwidth].settings[:1]
    for name in ("steps",) if points else ("group", *most_important, "sigma", "steps"):
        with next(cells):
            config = edit(config, only=[name])
            if name == "beta":
                below["ia"] = st.container(key="curve_ia")
    kernel = Kernel(suggest_beta(data))
    with next(cells):
        if RULES[config.bandwidth].is_fixed:
            kernel = edit(kernel, key="points" if points else "")
            below["ka"] = st.container(key="curve_ka")
        elif points:
            config = edit(config, only=most_important)
    with next(cells):
        images = _ask_images(count(data))
    style = st.empty()
    _list_other_settings(config, points)
    advice = st.container(key="advice")
    if points:
        st.caption(
            "Only kernel attention runs on points. A point has no shape, so up to rotation and "
            "translation all points are equal, and invariant attention cannot distinguish them."
        )
    configs = (replace(config, method="ka", beta=kernel.kernel_beta), config)
    return Asked(configs, images, device, below, advice, style)


def place_betas(asked: Asked, plan: Plan, in_player: Collection[str]) -> None:
    """Hide the controls of each β that a slider of the player sets, and reserve space for advice.

    The hidden controls still hold the values of β, because only a control that is drawn can be
    bound to the address.
    """
    own = [method for method in asked.below if method not in in_player]
    hidden = "".join(HIDE_BETA.format(key=beta_control(plan, method)) for method in in_player)
    space = SPACE.format(height=2.4 * len(own) - 0.3) if own else ""
    if hidden or space:
        asked.style.html(f"<style>{hidden}{space}</style>")


def take_settings(plan: Plan) -> None:
    """Set the controls to the settings of this run; meant as a button's on_click."""
    iterations_state.set_settings(settings_of(plan))


def settings_of(plan: Plan) -> dict[str, Setting]:
    """Return the values that the controls had when this run was started."""
    config = plan.configs.get("ia") or plan.configs["ka"]
    values = {p.name: getattr(config, p.name) for p in parameters(AttentionConfig)}
    del values["method"], values["beta"]
    values |= {beta_control(plan, method): own.beta for method, own in plan.configs.items()}
    is_limited = plan.size < plan.total or iterations_state.find_wanted_images() < plan.size
    return values | ({IMAGES: plan.size} if is_limited else {})


def beta_control(plan: Plan, method: str) -> str:
    """Return the key of the control for the β of a method."""
    if method == "ia":
        return "beta"
    is_of_points = plan.names[0].startswith("point ")  # a run of the shell may lack "ia" as well
    return "points_kernel_beta" if is_of_points and "ia" not in plan.configs else "kernel_beta"


def _press(preset: Preset) -> None:
    choose_data(preset.data)
    iterations_state.set_settings({**DEFAULTS, **preset.settings})
    iterations_state.preset_pressed = True
    if preset.view:
        iterations_state.view = preset.view


def _ask_more(config: AttentionConfig, points: bool) -> AttentionConfig:
    if not points:
        config = edit(config, only=["solver"])
        if config.solver == "descent":
            config = edit(config, only=DESCENT)
    config = edit(config, only=["kernel", "bandwidth"])
    rule = RULES[config.bandwidth]
    config = edit(config, only=rule.settings[1:])
    if points or config.solver == "descent" or rule.needs_all_pairs:
        return config
    config = edit(config, only=["pairs"])
    return edit(config, only=["nearest"]) if config.pairs == "nearest" else config


def _ask_images(n: int) -> int:
    """Ask for the number of images, at most n; a larger request applies again to a larger set."""
    about, default = cast(Range, next(parameters(Limits)).about), Limits().images
    low, high = int(about.low), min(int(about.high), n)
    if high <= low:
        return edit(Limits()).images
    value = min(iterations_state.find_wanted_images(), high)
    if read_value(IMAGES, value) != value or read_parameter(IMAGES) is not None:
        set_value(IMAGES, value)
    note_control(IMAGES, min(default, high))
    answer = st.slider(
        label_of(IMAGES, about),
        low,
        high,
        min(default, high),
        1,
        key=IMAGES,
        help=about.about,
        bind="query-params",
    )
    iterations_state.drawn_images = answer
    return answer


def _list_other_settings(config: AttentionConfig, points: bool) -> None:
    """List the settings inside "More" that differ from the defaults."""
    words: list[str] = []
    if config.solver == "descent" and not points:
        words.append(
            f"gradient descent, {config.schedule}, {config.updates} updates of "
            f"step {number(config.rate)}"
        )
    if config.kernel != DEFAULTS["kernel"]:
        words.append(f"{word_of(config.kernel)} kernel")
    if config.bandwidth != DEFAULTS["bandwidth"]:
        words.append(f"β by the rule “{word_of(config.bandwidth)}”, for both methods")
    if config.pairs == "nearest":
        words.append(f"each image is compared with its {config.nearest} nearest")
    if config.pairs == "all":
        words.append("all pairs are compared exactly")
    if words:
        st.caption("Other settings: " + "; ".join(words))
