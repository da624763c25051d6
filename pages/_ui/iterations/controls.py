"""Controls of Iterations, presets, and the settings of a run that is opened."""

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Final, cast

import streamlit as st

from ia_engine.attention.beta import suggest_beta
from ia_engine.attention.iteration import KERNEL_BETA, AttentionConfig
from ia_engine.datasets.data import Data, count
from ia_engine.errors import EngineError
from ia_engine.params import Config, Parameter, Range, parameters
from pages._ui.controls import choose_device, edit, label_of
from pages._ui.panels import note_unused
from pages._ui.state.fields import note_control
from pages._ui.wording import number

DESCENT: Final = ("schedule", "rate", "updates")
RULES: Final = {
    "fixed": ("beta",),
    "topk": ("beta", "neighbours"),
    "local": ("neighbours",),
    "quantile": ("quantile",),
    "theorem": ("constant",),
}
"""What each rule for β reads."""
WHOLE: Final = ("quantile", "theorem")
"""Rules that read the distances of all pairs."""


IMAGES: Final = "images"
WANTED: Final = "images wanted"
DRAWN: Final = "images as the slider said last"
COLUMNS: Final = (1.7, 1, 1, 1, 1, 1, 1)


@dataclass(frozen=True)
class Kernel(Config):
    """Kernel attention's own bandwidth: its distances are larger."""

    kernel_beta: Annotated[
        float, Range("β", 0.1, 200, "the same for kernel attention", log=True)
    ] = KERNEL_BETA


@dataclass(frozen=True)
class Limits(Config):
    """How much of a data set takes part."""

    images: Annotated[
        int, Range("n", 2, 400, "maximum number of images, spread evenly over the classes")
    ] = 60


@dataclass(frozen=True)
class Asked:
    """The settings of both methods, how much of the data they run on, and where."""

    configs: tuple[AttentionConfig, AttentionConfig]
    images: int
    device: str


def ask(data: Data) -> Asked:
    """Draw the knobs that matter for these data and for one another, and read them."""
    points = not hasattr(data, "images")
    row = st.columns(COLUMNS, vertical_alignment="bottom")
    with row[-1].popover(
        "More", help="How poses are found, the kernel, and the rule for β", width="stretch"
    ):
        config = _ask_more(AttentionConfig(), points)
        device = choose_device()
    cells = iter(row)
    beta = RULES[config.bandwidth][0]
    for name in ("steps",) if points else ("group", beta, "sigma", "steps"):
        with next(cells):
            config = edit(config, only=[name])
    kernel = Kernel(suggest_beta(data))
    with next(cells):
        if beta == "beta":
            kernel = edit(kernel, key="points" if points else "")
        elif points:
            config = edit(config, only=[beta])
    with next(cells):
        images = _ask_images(count(data))
    _say_more(config, points)
    if points:
        st.caption(
            "Only kernel attention runs on points: a point has no shape that stays when it is "
            "turned and shifted. To invariant attention all points are one."
        )
    configs = (replace(config, method="ka", beta=kernel.kernel_beta), config)
    return Asked(configs, images, device)


def _ask_more(config: AttentionConfig, points: bool) -> AttentionConfig:
    if not points:
        config = edit(config, only=["solver"])
        if config.solver == "descent":
            config = edit(config, only=DESCENT)
    config = edit(config, only=["kernel", "bandwidth"])
    config = edit(config, only=RULES[config.bandwidth][1:])
    return config if points or config.solver == "descent" else _ask_pairs(config)


def _ask_pairs(config: AttentionConfig) -> AttentionConfig:
    """Which pairs are compared: what matters where there are many images."""
    if config.bandwidth in WHOLE:
        return config
    config = edit(config, only=["pairs"])
    return edit(config, only=["nearest"]) if config.pairs == "nearest" else config


def _ask_images(n: int) -> int:
    """The slider ends where the set does; what was wanted comes back with a larger set."""
    parameter = next(parameters(Limits))
    about, usual = cast(Range, parameter.about), Limits().images
    low, high = int(about.low), min(int(about.high), n)
    if high <= low:
        return edit(Limits()).images
    fits = min(_wanted(parameter), high)
    if st.session_state.get(IMAGES, fits) != fits or IMAGES in st.query_params:
        st.session_state[IMAGES] = fits
    note_control(IMAGES, min(usual, high))
    answer = st.slider(
        label_of(IMAGES, about),
        low,
        high,
        min(usual, high),
        1,
        key=IMAGES,
        help=about.about,
        bind="query-params",
    )
    st.session_state[DRAWN] = answer
    return answer


def _wanted(parameter: Parameter) -> int:
    """How many were asked for last: by hand, by a preset, or by an address that is new."""
    held = st.session_state.get(IMAGES)
    if held is None:
        held = _asked_images(parameter)
    if held is not None and held != st.session_state.get(DRAWN):
        st.session_state[WANTED] = held
    return int(st.session_state.get(WANTED, Limits().images))


def _asked_images(parameter: Parameter) -> int | None:
    """What the address asks for, where it can be had."""
    text = st.query_params.get(IMAGES)
    if text is None:
        return None
    with suppress(ValueError, EngineError):
        parameter.about.check(IMAGES, int(text))
        return int(text)
    about = cast(Range, parameter.about)
    legal = f"a whole number between {number(about.low)} and {number(about.high)}"
    note_unused(IMAGES, text, legal, f"{Limits().images} is used")
    del st.query_params[IMAGES]
    return None


def _say_more(config: AttentionConfig, points: bool) -> None:
    """Knobs that are out of sight are named where they are not as usual."""
    words: list[str] = []
    if config.solver == "descent" and not points:
        words.append(
            f"gradient descent, {config.schedule}, {config.updates} updates of "
            f"step {number(config.rate)}"
        )
    if config.kernel != "rbf":
        words.append(f"{config.kernel} kernel")
    if config.bandwidth != "fixed":
        words.append(f"β by the rule “{config.bandwidth}”, for both methods")
    if config.pairs == "nearest":
        words.append(f"each image is compared with its {config.nearest} nearest")
    if config.pairs == "all":
        words.append("all pairs are compared exactly")
    if words:
        st.caption("Other settings: " + "; ".join(words))
