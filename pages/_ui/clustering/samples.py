"""Prototypes with their samples, module by module; and of one sample, why its winner won."""

from collections.abc import Sequence
from typing import Final

import streamlit as st

from ia_engine.clustering.state import State
from ia_engine.datasets.data import ImageSet
from ia_engine.runs.clustering.result import Chain, Contest, contest, follow, stack
from pages._ui.components.picture_table import Words, show_pictures
from pages._ui.formulas import Part, show_formula, term
from pages._ui.panels import misleads, plain, shown
from pages._ui.state.clustering import Seen
from pages._ui.state.selection import place_of, selected
from pages._ui.wording import number

COLUMNS: Final = 8
WIDE: Final = 11
WORST: Final = 24


def show_samples(seen: Seen) -> None:
    """Images of the chosen prototype from best to worst, and its way onto each of them."""
    k, members = seen.chosen, seen.result.members(seen.chosen)
    st.markdown(
        f"**Prototype {k + 1}** on its way onto images of its cluster, from the best fit to the "
        f"worst; the number below is {_symbol(seen.state)}. Click another prototype above, or an "
        "image to see all alignments."
    )
    if not members:
        st.info(f"No image belongs to prototype {k + 1}: choose another one above.")
        return
    rows = evenly(members, COLUMNS)
    chains = _follow(f"{seen.key} {rows}", rows, seen.state, seen.data)
    show_pictures(stack(chains), _words(chains, seen.data), key=f"samples {seen.job.id}")
    shown(len(rows), len(members), f"images of prototype {k + 1}")
    show_contest(seen, _looked_at(rows))


def show_outliers(seen: Seen) -> None:
    """The images that fit worst, worst first."""
    rows = seen.result.outliers(WORST)
    st.markdown("The images that their own prototype fits **worst**, the worst first.")
    chains = _follow(f"{seen.key} {rows}", rows, seen.state, seen.data)
    words = Words(
        columns=12,
        captions=[number(round(seen.result.error_of(chain.row), 4)) for chain in chains],
        about=[f"Image {chain.row + 1}, prototype {chain.cluster + 1}" for chain in chains],
        marked=_marked(rows),
        picks={at: chain.row for at, chain in enumerate(chains)},
    )
    show_pictures(stack(chains, only=0), words, key=f"outliers {seen.job.id}")
    shown(len(rows), len(seen.result.rows), "images")
    show_contest(seen, _looked_at(rows))
    misleads(
        "The error is of pixels: a thick or bright image has a large one although it fits well, "
        "and a wrong cluster may fit so closely that it never shows up here.",
        key="misleads error",
        draw=lambda: _draw_best(seen),
    )


def _draw_best(seen: Seen) -> None:
    """The other end of the list: what fits closely, right or wrong."""
    rows = seen.result.outliers(len(seen.result.rows))[-COLUMNS:]
    chains = _follow(f"{seen.key} {rows}", rows, seen.state, seen.data)
    about = [f"Image {chain.row + 1}, prototype {chain.cluster + 1}" for chain in chains]
    show_pictures(stack(chains, only=0), Words(columns=COLUMNS, about=about), key="misleading fits")
    st.caption("The images that fit **best**: thin and pale ones, whether their cluster is right.")


def _marked(rows: Sequence[int]) -> list[int]:
    """Where the selected image is among these."""
    place = place_of(selected().i, rows)
    return [] if place is None else [place]


def _looked_at(rows: Sequence[int]) -> int:
    """The image that is selected, or else the first of these."""
    row = selected().i
    return rows[0] if row is None else row


def show_contest(seen: Seen, row: int) -> None:
    """All K alignments of an image."""
    found = _contest(f"{seen.key} {row}", row, seen.state, seen.data)
    k = len(found.distances)
    first, second = found.distances[found.winner], found.distances[found.second]
    symbol = _symbol(seen.state)
    name = plain(_class(seen.data, row))
    st.markdown(f"#### Image {row + 1}{name}: why prototype {found.winner + 1} won")
    if k > 1:
        st.markdown(
            f"Every prototype is transformed as well as it can be; below it is shown where it "
            f"still **differs** from the image. The nearest wins: {symbol} = "
            f"{number(round(first, 5))}, before prototype {found.second + 1} with "
            f"{number(round(second, 5))}."
        )
    show_pictures(
        found.picture,
        Words(
            columns=min(k + 1, WIDE),
            captions=["the image", *(_told(found, at) for at in range(k))],
            about=[
                "The image",
                *(f"Prototype {at + 1}, transformed; below it the difference" for at in range(k)),
            ],
            marked=[found.winner + 1],
            terms={0: "image", found.winner + 1: "transformed"},
        ),
        key=f"contest {seen.job.id}",
    )
    if seen.state.config.mixture:
        st.caption("Below each: −log π G per pixel, the least of which wins. No unit.")
    else:
        show_formula(_write(found.winner, first), "formula of a contest")


def _write(winner: int, d2: float) -> list[Part]:
    """Equation (4) with the winner in it."""
    k = winner + 1
    return [
        term(f"d²_{{{k}}}", "d2", "d"),
        (" = 1/(chw) ‖",),
        term("x", "image", "x"),
        (" − ",),
        term(f"T_{{β(x)}}(c_{{{k}}})", "transformed", "T", f"prototype {k}, the winner"),
        ("‖² = ",),
        term(number(round(d2, 5)), "d2", "d", "the least of all prototypes'"),
        ("   (4)",),
    ]


def _symbol(state: State) -> str:
    return "−log πG" if state.config.mixture else "d²"


def evenly(members: Sequence[int], most: int) -> list[int]:
    """The first, the last, and some between."""
    if len(members) <= most:
        return list(members)
    return [members[at * (len(members) - 1) // (most - 1)] for at in range(most)]


def _told(found: Contest, k: int) -> str:
    return f"{k + 1}: {number(round(found.distances[k], 4))}"


def _words(chains: Sequence[Chain], data: ImageSet) -> Words:
    """A column for every image: itself, and below it the prototype's way."""
    stages = chains[0].stages
    sides = ["image", *stages]
    distances = [f"{number(round(chain.distance, 4))}" for chain in chains]
    n = len(chains)
    return Words(
        columns=n,
        heads=[f"{chain.row + 1}" + _class(data, chain.row) for chain in chains],
        sides=sides,
        captions=["" for _ in range(n * len(stages))] + distances,
        about=[
            f"Image {chain.row + 1}: {side}" + ("; click for all alignments" if not at else "")
            for at, side in enumerate(sides)
            for chain in chains
        ],
        marked=_marked([chain.row for chain in chains]),
        picks={at: chain.row for at, chain in enumerate(chains)},
    )


def _class(data: ImageSet, row: int) -> str:
    if data.labels is None:
        return ""
    return f" “{data.classes[int(data.labels[row])]}”"


@st.cache_resource(max_entries=8, show_spinner=False)
def _follow(key: str, rows: list[int], _state: State, _data: ImageSet) -> list[Chain]:
    return follow(_state, _data.images, rows)


@st.cache_resource(max_entries=8, show_spinner=False)
def _contest(key: str, row: int, _state: State, _data: ImageSet) -> Contest:
    return contest(_state, _data.images, row)
