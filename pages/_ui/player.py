"""The trajectory player: one or two runs side by side, stepped and turned in the browser.

Each step travels as bytes, once: a feeder component per step puts it in a store on the page, and
the player, which gets only a small header, reads it there.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, TypeVar

import streamlit as st

from pages._ui.address import address
from pages._ui.assets import component

T = TypeVar("T")

_feed = component("ia_feeder", "player_feeder", styled=False)
_play = component("ia_player", "player")


@dataclass(frozen=True)
class Lane:
    """One run: its steps so far as `make_frame` packed them, of so many expected."""

    run: str
    title: str
    frames: Sequence[bytes]
    expected: int
    running: bool = False
    formula: str = ""
    """What stands beside the formula of W, such as "d²_{ij} = min_τ ‖v_i∘τ − v_j‖²"."""
    beta: float | None = None
    """None takes the header's."""


@dataclass(frozen=True)
class PlayerHeader:
    """What all lanes share. A value that changes from run to run replaces the reader's choice."""

    beta: float = 10.0
    beta_range: tuple[float, float] = (0.1, 200.0)
    sigma: float = 0.0
    names: Sequence[str] = ()
    labels: Sequence[int] = ()
    classes: Sequence[str] = ()
    orders: Mapping[str, Sequence[int]] = field(default_factory=dict)
    order: str = "as given"
    """The first order: "as given", "by class", "by cluster" or a name in `orders`."""
    numbers: Sequence[int] = ()
    """The number of each image in its data set, counted from 1; () counts those in the frames."""
    total: int = 0
    """The number of images there are, where the frames hold only some of them."""
    pair: tuple[int, int] | None = None
    heard: int | None = None
    """So many pairs of the browser's were heard: while others are under way, its own stays."""
    poses: str = "own"
    """"common": where poses are known, every image is turned onto the first of its group."""
    start: int = 0
    jump: int = 0
    """Counts the steps that were asked for beside the player: each brings it to `start` again."""
    autoplay: bool = True
    loop: bool = True
    awaited: bool = False
    """Whether means with the β of the player are on their way."""
    follows: str = ""
    """The run whose place this one takes: the film goes on from where that one stands."""
    minds: bool = False
    """Whether it is told when the film begins to play, since something beside it names its step."""
    plays: bool = False
    """Whether that was heard."""


@dataclass(frozen=True)
class PlayerState:
    """What the reader chose: β on release, the pinned pair, the step on which the player rests."""

    betas: tuple[float, ...]
    """One for each lane."""
    pair: tuple[int, int] | None
    step: int
    rested: bool
    """Whether the reader's hand has left it there."""
    playing: bool = False
    """Whether the film has left its step and plays."""


@dataclass(frozen=True)
class PairAnswer:
    """What was pinned last in the browser, if anything, and how often something was."""

    pair: tuple[int, int] | None
    count: int


def play(lanes: Sequence[Lane], header: PlayerHeader, key: str) -> PlayerState:
    """Show the lanes and return what was chosen in them; the key must be unique on its page."""
    with st.container(gap=None):
        _play(
            key=key,
            data=header_of(lanes, header, key),
            on_betas_change=_rerun,
            on_pair_change=_rerun,
            on_step_change=_rerun,
        )
        for at, lane in enumerate(lanes):
            for k, frame in enumerate(lane.frames):
                _feed(key=f"{key}-lane-{at}-step-{k}", data=address(lane.run, frame))
    return read(lanes, header, key)


def read(lanes: Sequence[Lane], header: PlayerHeader, key: str) -> PlayerState:
    """What was chosen in the player of this key, also before it is drawn."""
    state = st.session_state.get(key, {})
    given = list(header.pair) if header.pair else None
    pair = _answer(state.get("pair"), given, given)
    told, now = state.get("step"), [[lane.run for lane in lanes], header.jump]
    step = _answer(told, now, None)
    return PlayerState(
        betas=_turned(_unheard(state.get("betas"), key), _betas(lanes, header)),
        pair=(pair[0], pair[1]) if pair else None,
        step=header.start if step is None else step,
        rested=step is not None,
        playing=step is None and _answer(told, now, header.start) is None,
    )


def read_pair(key: str) -> PairAnswer | None:
    """What the browser told last of pairs in the player of this key."""
    answer = st.session_state.get(key, {}).get("pair")
    if answer is None:
        return None
    pair, _, count = answer
    return PairAnswer((pair[0], pair[1]) if pair else None, count)


def forget_betas(key: str) -> None:
    """What was turned so far was obeyed: nobody who comes back to an older run finds it there."""
    st.session_state[_heard(key)] = st.session_state.get(key, {}).get("betas")


def _unheard(answer: Sequence[Any] | None, key: str) -> Sequence[Any] | None:
    return None if answer == st.session_state.get(_heard(key)) else answer


def _heard(key: str) -> str:
    return f"β obeyed of {key}"


def header_of(lanes: Sequence[Lane], header: PlayerHeader, key: str) -> dict[str, Any]:
    """What the browser is told of the lanes beside their frames."""
    told = ("run", "title", "expected", "running", "formula")
    return {
        "key": key,
        "runs": [
            {name: getattr(lane, name) for name in told} | {"beta": beta, "sent": len(lane.frames)}
            for lane, beta in zip(lanes, _betas(lanes, header), strict=True)
        ],
        **asdict(header),
    }


def _betas(lanes: Sequence[Lane], header: PlayerHeader) -> list[float]:
    return [header.beta if lane.beta is None else lane.beta for lane in lanes]


def _turned(answer: Sequence[Any] | None, given: Sequence[float]) -> tuple[float, ...]:
    """Each lane's β from the browser, as long as it departs from the one that the lane gives."""
    answers = dict(enumerate(zip(*answer[:2], strict=True))) if answer else {}
    return tuple(_answer(answers.get(at), beta, beta) for at, beta in enumerate(given))


def _answer(answer: Sequence[Any] | None, given: object, otherwise: T) -> T:
    """The browser's value, unless it departs from a header that is no longer the given one."""
    return answer[0] if answer is not None and answer[1] == given else otherwise


def _rerun() -> None:
    """Streamlit keeps a component's value only if it has a callback."""
