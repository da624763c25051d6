"""The player of attention runs: its runs, its settings, and the player as one HTML page."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from typing import Any, Final

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.attention.kernels import KERNELS
from ia_engine.attention.kernels.base import FIRST_OCTAVE, PER_OCTAVE, tabulate
from ia_engine.attention.rules import RULES
from ia_engine.figures.frames import Frame, encode_arrays
from ia_engine.figures.page import write_page
from ia_engine.figures.style import OTHER

METHOD_TITLES: Final = {
    "ia": "Invariant attention",
    "ka": "Kernel attention",
    OTHER: "The other run",
}
FORMULAS: Final = {
    "ia": "d²_{ij} = min_τ ‖U(τ)v_i − v_j‖²",
    "ka": "d²_{ij} = ‖v_i − v_j‖²",
}


@dataclass(frozen=True)
class PlayedRun:
    """A run in the player: the steps so far, and the expected number of steps."""

    run: str
    title: str
    frames: Sequence[Frame]
    expected: int
    running: bool = False
    formula: str = ""
    """Shown beside the formula of W, such as "d²_{ij} = min_τ ‖v_i∘τ − v_j‖²"."""
    beta: float | None = None
    """None for the β of the header."""
    kernel: str = "rbf"
    sigma: float | None = None
    """None for the σ of the header [px]."""
    weights_beta: float | None = None
    """The β of W in a player without sliders; None for the β of the means."""


@dataclass(frozen=True)
class PlayerHeader:
    """Settings of all runs. A value that changes between reruns replaces the user's choice."""

    beta: float = 10.0
    beta_range: tuple[float, float] = (0.1, 200.0)
    sigma: float = 0.0
    names: Sequence[str] = ()
    labels: Sequence[int] = ()
    classes: Sequence[str] = ()
    orders: Mapping[str, Sequence[int]] = field(default_factory=dict)
    order: str = "as given"
    """The initial order: "as given", "by class", "by cluster" or a name in `orders`."""
    numbers: Sequence[int] = ()
    """The number of each image in its data set, from 1; () to count the images in the frames."""
    total: int = 0
    """The number of images in the data set, if the frames contain only some of them."""
    pair: tuple[int, int] | None = None
    pairs_received: int | None = None
    """The number of pairs received from the browser, which keeps pairs that are newer."""
    poses: str = "own"
    """"own", or, if poses are known, "common" to align every image with the first of its group, or
    "aligning" to start in their own poses and align them during the first step."""
    start: int = 0
    jump: int = 0
    """Number of requests from other views; each request moves the player to `start` again."""
    autoplay: bool = True
    loop: bool = True
    means_pending: bool = False
    """True while means with the player's β are being computed."""
    settings_pending: str = ""
    """The changed settings of the run that is being computed, such as "σ = 2 px", or ""."""
    replaced_settings: str = ""
    """Those settings as they were in the run that this run replaces, such as "σ = 0 px"."""
    replaces: str = ""
    """The run that this run replaces; the player continues at its position."""
    reports_playing: bool = False
    """True if the browser must report that it starts to play: another view shows its step."""
    playing_reported: bool = False
    """True if that report was received."""
    has_sliders: bool = True
    """False if a control of the page sets β; the player then has no slider for it."""
    advises: bool = False
    """True if the browser gets advice on β, which is shown below the sliders."""


def describe_run(
    run: str,
    config: AttentionConfig,
    frames: Sequence[Frame],
    expected: int,
    *,
    beta: float,
    running: bool = False,
    title: str = "",
) -> PlayedRun:
    """Return one method of a run, with its title and its formula."""
    return PlayedRun(
        run=f"{run}.{config.method}",
        title=title or METHOD_TITLES[config.method],
        frames=frames,
        expected=expected,
        running=running,
        formula=_formula(config),
        beta=beta,
        kernel=config.kernel,
        sigma=config.sigma,
    )


def _formula(config: AttentionConfig) -> str:
    """Return the definitions that the formula of W needs: d², x if it differs from d², and κ if it
    is not exponential."""
    kernel = KERNELS[config.kernel]
    x = kernel.symbol
    if not RULES[config.bandwidth].is_fixed:
        x += f" · β_{{j}}/β, β_{{j}} by the rule “{config.bandwidth}”"
    if config.most is not None:
        x += f" for the {config.most} largest weights of a column, otherwise ∞"
    exponent = "" if x == KERNELS["rbf"].symbol else f"x_{{ij}} = {x},  "
    kappa = "" if kernel.is_exponential else f"κ = {kernel.formula},  "
    return kappa + exponent + FORMULAS[config.method]


def write_player(title: str, runs: Sequence[PlayedRun], header: PlayerHeader) -> bytes:
    """Return one HTML page with all steps of all runs, and with sliders for β."""
    packed = (encode_step(run.run, frame) for run in runs for frame in run.frames)
    header = replace(header, has_sliders=True, advises=False)
    return write_page(title, "player", packed, header_of(runs, header, "file"))


def encode_step(run: str, frame: Frame, summary: object = None) -> bytes:
    """Return a step as bytes for the browser: its arrays, its run and its numbers, if any."""
    about = {} if summary is None else {"summary": summary}
    return encode_arrays(frame.arrays, {"run": run, "k": frame.k, **about})


def header_of(runs: Sequence[PlayedRun], header: PlayerHeader, key: str) -> dict[str, Any]:
    """Return the data that the browser gets in addition to the frames."""
    names = ("run", "title", "expected", "running", "formula")
    return {
        "key": key,
        "runs": [
            {name: getattr(run, name) for name in names}
            | {"beta": beta, "sent": len(run.frames), "kernel": _table(run.kernel)}
            | {"sigma": header.sigma if run.sigma is None else run.sigma}
            | {"weights_beta": beta if run.weights_beta is None else run.weights_beta}
            for run, beta in zip(runs, betas_of(runs, header), strict=True)
        ],
        **asdict(header),
    }


@cache
def _table(kernel: str) -> dict[str, Any] | None:
    """Return the values of κ from which the browser computes W, or None for κ = exp(-β x)."""
    if KERNELS[kernel].is_exponential:
        return None
    return {
        "first": FIRST_OCTAVE,
        "per_octave": PER_OCTAVE,
        "values": tabulate(KERNELS[kernel]),
    }


def betas_of(runs: Sequence[PlayedRun], header: PlayerHeader) -> list[float]:
    return [header.beta if run.beta is None else run.beta for run in runs]
