"""Algorithm 1 as a film: a step of it in every file."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ia_engine.figures.mean import Film, Filmed, pack_film, unpack_film
from ia_engine.runs.kept.keeping import Codec, tell_damage
from ia_engine.runs.library import Kept
from ia_engine.runs.record import Arrays

KIND: Final = "mean"


def pack(film: Film) -> Arrays:
    """What the last step has brought."""
    return pack_film(replace(film, steps=film.steps[-1:]))


def read_steps(arrays: Arrays) -> Sequence[Filmed]:
    """What `pack` wrote."""
    return unpack_film(arrays).steps


@tell_damage
def unpack(kept: Kept) -> Sequence[Film]:
    """The film as it grew."""
    films: list[Film] = []
    for step in range(1, kept.steps + 1):
        film = unpack_film(kept.arrays(step))
        before = films[-1].steps if films else ()
        films.append(replace(film, steps=(*before, *film.steps)))
    return films


MEANS: Final = Codec(KIND, pack, unpack)
