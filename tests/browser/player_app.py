"""An app that shows the player with synthetic data, chosen by the query:
?case=two&n=18&size=32&steps=6.
"""

import math

import numpy as np
import streamlit as st

from ia_engine.figures.frames import Frame, make_frame
from ia_engine.figures.player import PlayedRun, PlayerHeader
from pages._ui.components.player import play

CLASSES = ("crab", "fish", "star")
case = st.query_params.get("case", "two")
n = int(st.query_params.get("n", "18"))
size = int(st.query_params.get("size", "32"))
steps = int(st.query_params.get("steps", "6"))
labels = [i % 3 for i in range(n)]


def draw(label: int, angle: float) -> np.ndarray:
    """A ring with a gap, a bar with a blob beside it, or a star, rotated by the angle."""
    p, q = np.mgrid[:size, :size] / (size - 1) * 2 - 1
    cos, sin = math.cos(angle), math.sin(angle)
    p, q = cos * p + sin * q, -sin * p + cos * q
    radius = np.hypot(p, q)
    shapes = (
        np.exp(-(((radius - 0.5) / 0.12) ** 2)) * (q > -0.35),
        np.exp(-((p / 0.13) ** 2)) * (abs(q) < 0.7)
        + np.exp(-((p - 0.3) ** 2 + (q - 0.4) ** 2) * 40),
        np.exp(-((radius / (0.35 + 0.2 * np.cos(5 * np.arctan2(p, q)))) ** 6)),
    )
    return np.clip(shapes[label], 0, 1)


def turn(angle: float) -> np.ndarray:
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])


@st.cache_data
def make_frames(invariant: bool, n: int, size: int, steps: int, kind: str) -> list[Frame]:
    generator = np.random.default_rng(3)
    angles = generator.uniform(-1.1, 1.1, n)
    base = np.stack([draw(i % 3, a) for i, a in enumerate(angles)])
    mush = base.mean(0)
    same = np.equal.outer(labels, labels)
    noise = generator.uniform(0, 0.1, (n, n))
    spread = np.abs(np.subtract.outer(angles, angles))
    plane = generator.normal(0, 0.5, (n, 2)) + np.array([(0, 1), (1, -1), (-1, -1)])[labels]
    centres = np.stack([plane[np.equal(labels, c)].mean(0) for c in range(3)])[labels]
    frames = []
    for k in range(steps):
        t = k / max(1, steps - 1)
        own = np.where(same, 0.15 * (1 - t), 0.75) if invariant else np.where(same, 0.9, 1.2)
        d2 = own + noise * (1 - t) + (0 if invariant else 0.4 * spread * (1 - t))
        d2 = (d2 + d2.T) / 2
        np.fill_diagonal(d2, 0)
        now = angles * (1 - t) if invariant else angles
        images = np.stack([draw(i % 3, a) for i, a in enumerate(now)])
        if not invariant:
            images = images * (1 - t) + mush * t
        tau = np.stack([[turn(b - a) for b in now] for a in now]) if invariant else None
        if kind == "points":
            place = plane + t * ((centres if invariant else 0) - plane)
            frames.append(make_frame(k, d2, points=place, assignments=labels))
        else:
            frames.append(make_frame(k, d2, images[:, None], matrices=tau, assignments=labels))
    return frames


def make_run(
    run: str,
    title: str,
    frames: list[Frame],
    running: bool = False,
    beta: float | None = None,
) -> PlayedRun:
    formula = "d²_{ij} = min_τ ‖v_i∘τ − v_j‖²" if run == "ia" else "d²_{ij} = ‖v_i − v_j‖²"
    name = f"run{replaced}.{run}-{case}-{n}-{steps}"
    kernel = st.query_params.get("kernel", "rbf")
    return PlayedRun(name, title, frames, steps, running, formula, beta, kernel)


st.set_page_config(page_title="Player", layout="wide")
st.title("Attention, iterated")
replaced = st.session_state.setdefault("replaced", 0)
kind = "points" if case == "points" else "images"
invariant = make_frames(True, n, size, steps, kind)
given = st.session_state.setdefault("count", 3)
count = {"empty": 0, "running": given, "pending": given}.get(case, steps)
unfinished = case in ("empty", "running", "pending") and count < steps
shown_frames = invariant[:count]
if case == "pending" and unfinished:
    ahead = invariant[count].arrays["images"].transpose(0, 3, 1, 2) / 255
    shown_frames = [*shown_frames, make_frame(count, np.full((n, n), np.nan), ahead)]
runs = [make_run("ia", "Invariant attention", shown_frames, unfinished)]
if case not in ("one", "empty", "pending"):
    kernel = make_frames(False, n, size, steps, kind)
    beta = st.session_state.setdefault("kernel beta", 2.0)
    runs.append(make_run("ka", "Kernel attention", kernel[:count], unfinished, beta))
header = PlayerHeader(
    beta=float(st.query_params.get("beta", "10")),
    names=[f"{CLASSES[c]} {i // 3 + 1}" for i, c in enumerate(labels)],
    labels=labels if case != "clusters" else (),
    classes=CLASSES,
    numbers=[10 * i + 7 for i in range(n)] if "numbers" in st.query_params else (),
    orders={"backwards": list(range(n))[::-1]},
    poses=st.query_params.get("poses", "own"),
    autoplay=st.query_params.get("autoplay", "0") == "1",
    reports_playing="minds" in st.query_params,
    replaces=f"run{replaced - 1}" if replaced else "",
)
shown = st.checkbox("Show the player", value=True)
place = st.tabs(["First", "Second"])[1] if case == "tab" else st.container()
if shown:
    with place:
        state = play(runs, header, key="player")
        betas = " ".join(f"{beta:g}" for beta in state.betas)
        step = "plays" if state.playing else state.step
        st.code(f"betas={betas} pair={state.pair} step={step}", language=None)
columns = st.columns(4)
columns[0].button("Run the script again")
if columns[1].button("One more step"):
    st.session_state["count"] += 1
    st.rerun()
if columns[2].button("A new β for kernel attention"):
    st.session_state["kernel beta"] += 2
    st.rerun()
if columns[3].button("Replace the run"):
    st.session_state["replaced"] += 1
    st.rerun()
