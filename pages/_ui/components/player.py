"""The player of runs: each step is sent to the browser once, and the user's choices come back."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, TypeVar

import streamlit as st

from ia_engine.attention.iteration import AttentionConfig
from ia_engine.figures.frames import Frame, encode_arrays
from pages._ui.panels import component
from pages._ui.state.fields import read_answer, read_value, set_value
from pages._ui.state.selection import note_stop, select_pair, selected, start_step

T = TypeVar("T")

METHOD_TITLES: Final = {"ia": "Invariant attention", "ka": "Kernel attention"}
FORMULAS: Final = {
    "ia": "d²_{ij} = min_τ ‖U(τ)v_i − v_j‖²",
    "ka": "d²_{ij} = ‖v_i − v_j‖²",
}
EXPONENTS: Final = {"rbf": "d²_{ij}", "laplace": "d_{ij}", "softmax": "−⟨v_i∘τ, v_j⟩"}
"""x_ij by kernel, where κ = exp(−β x). A kernel that is not listed is shown with its name."""

_feed = component("ia_feeder", "player_feeder", styled=False)
_play = component("ia_player", "player")


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
    """"own", or "common" to align every image with the first of its group if poses are known."""
    start: int = 0
    jump: int = 0
    """Number of requests from other views; each request moves the player to `start` again."""
    autoplay: bool = True
    loop: bool = True
    means_pending: bool = False
    """True while means with the player's β are being computed."""
    replaces: str = ""
    """The run that this run replaces; the player continues at its position."""
    reports_playing: bool = False
    """True if the browser must report that it starts to play: another view shows its step."""
    playing_reported: bool = False
    """True if that report was received."""


@dataclass(frozen=True)
class PlayerState:
    """The user's choices: the released values of β, the pinned pair and the step of the player."""

    betas: tuple[float, ...]
    """One value for each run."""
    pair: tuple[int, int] | None
    step: int
    stopped: bool
    """True if the user stopped the player on this step."""
    playing: bool = False
    """True if the player is playing."""


@dataclass(frozen=True)
class PairAnswer:
    """The pair that was last pinned in the browser, if any, and the number of pins so far."""

    pair: tuple[int, int] | None
    count: int


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
    )


def _formula(config: AttentionConfig) -> str:
    """Return the definitions that the formula of W needs: d², and x if it differs from d²."""
    x = EXPONENTS.get(config.kernel, config.kernel)
    if config.bandwidth not in ("fixed", "topk"):
        x += f" · β_{{j}}/β, β_{{j}} by the rule “{config.bandwidth}”"
    if config.most is not None:
        x += f" for the {config.most} largest weights of a column, otherwise ∞"
    exponent = "" if x == EXPONENTS["rbf"] else f"x_{{ij}} = {x},  "
    return exponent + FORMULAS[config.method]


def connect(header: PlayerHeader, key: str, rows: Sequence[int], run: str) -> PlayerHeader:
    """Return the header with the page's selection and the run's step.

    The player may change both.
    """
    count_key = f"pairs received of {key}"
    answer = read_pair(key)
    if answer is not None and answer.count != read_value(count_key, None):
        set_value(count_key, answer.count)
        select_pair(rows, answer.pair)
    count = read_value(count_key, 0)
    header = replace(header, pair=selected().pair(rows), pairs_received=count)
    rest = start_step(run)
    header = replace(header, poses=rest.poses or header.poses)
    if rest.given is None:
        return header
    return replace(header, start=rest.given, jump=rest.jumps, autoplay=False)


def play_connected(
    runs: Sequence[PlayedRun], header: PlayerHeader, key: str, run: str
) -> PlayerState:
    """Show the runs, and write the step at which the user stopped into the URL."""
    state = play(runs, header, key)
    note_stop(run, state.step if state.stopped else None)
    return state


def play(runs: Sequence[PlayedRun], header: PlayerHeader, key: str) -> PlayerState:
    """Show the runs and return the user's choices; the key must be unique on its page."""
    with st.container(gap=None):
        _play(
            key=key,
            data=header_of(runs, header, key),
            on_betas_change=_rerun,
            on_pair_change=_rerun,
            on_step_change=_rerun,
        )
        for at, run in enumerate(runs):
            for k, frame in enumerate(run.frames):
                _feed(key=f"{key}-run-{at}-step-{k}", data=encode_step(run.run, frame))
    return read(runs, header, key)


def read(runs: Sequence[PlayedRun], header: PlayerHeader, key: str) -> PlayerState:
    """Return the choices in the player with this key, even before it is drawn."""
    given = list(header.pair) if header.pair else None
    pair = _answer(read_answer(key, "pair"), given, given)
    answer, given_step = read_answer(key, "step"), [[run.run for run in runs], header.jump]
    step = _answer(answer, given_step, None)
    betas = read_answer(key, "betas")
    if betas == read_value(_used_key(key), None):
        betas = None
    return PlayerState(
        betas=_chosen_betas(betas, _betas(runs, header)),
        pair=(pair[0], pair[1]) if pair else None,
        step=header.start if step is None else step,
        stopped=step is not None,
        playing=step is None and _answer(answer, given_step, header.start) is None,
    )


def read_pair(key: str) -> PairAnswer | None:
    """Return the browser's last answer about pairs in the player with this key."""
    answer = read_answer(key, "pair")
    if answer is None:
        return None
    pair, _, count = answer
    return PairAnswer((pair[0], pair[1]) if pair else None, count)


def forget_betas(key: str) -> None:
    """Mark the values of β chosen so far as used, so that later runs ignore them."""
    set_value(_used_key(key), read_answer(key, "betas"))


def _used_key(key: str) -> str:
    return f"β used by {key}"


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
            {name: getattr(run, name) for name in names} | {"beta": beta, "sent": len(run.frames)}
            for run, beta in zip(runs, _betas(runs, header), strict=True)
        ],
        **asdict(header),
    }


def _betas(runs: Sequence[PlayedRun], header: PlayerHeader) -> list[float]:
    return [header.beta if run.beta is None else run.beta for run in runs]


def _chosen_betas(answer: Sequence[Any] | None, given: Sequence[float]) -> tuple[float, ...]:
    """Return each run's β from the browser, if it was chosen while the run's own β was `given`."""
    answers = dict(enumerate(zip(*answer[:2], strict=True))) if answer else {}
    return tuple(_answer(answers.get(at), beta, beta) for at, beta in enumerate(given))


def _answer(answer: Sequence[Any] | None, given: object, otherwise: T) -> T:
    """Return the browser's value, unless it was chosen for a different header."""
    return answer[0] if answer is not None and answer[1] == given else otherwise


def _rerun() -> None:
    """Do nothing: Streamlit keeps a component's value only if it has a callback."""
