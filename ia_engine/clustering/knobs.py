"""Moving a prototype through its own transformations: the sliders, and what they make of it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import isqrt
from typing import Final

from ia_engine.clustering.modules import Module
from ia_engine.clustering.sequence import Modules
from ia_engine.clustering.state import State
from ia_engine.errors import EngineError
from ia_engine.shapes import Images, Poses
from ia_engine.transforms.morphology import WINDOW
from ia_engine.transforms.tps import POINTS

Knob = tuple[str, str, float, float, str]
"""Name, symbol, least, most and unit of one parameter; "group: name" where they are many."""

HALF: Final = "of half the canvas"
STRETCH: Final[tuple[Knob, ...]] = (
    ("rows", "L₁₁", -0.5, 0.5, ""),
    ("rows by columns", "L₁₂", -0.5, 0.5, ""),
    ("columns by rows", "L₂₁", -0.5, 0.5, ""),
    ("columns", "L₂₂", -0.5, 0.5, ""),
)
SHIFT: Final[tuple[Knob, ...]] = (
    ("up", "b₁", -0.5, 0.5, HALF),
    ("left", "b₂", -0.5, 0.5, HALF),
)
TILT: Final[tuple[Knob, ...]] = (
    ("tilt of rows", "h₁", -0.4, 0.4, ""),
    ("tilt of columns", "h₂", -0.4, 0.4, ""),
)
CHANNELS: Final = ("red", "green", "blue")


def knobs(state: State) -> dict[str, list[Knob]]:
    """The parameters of every module of the sequence; a module's second use is "affine 2"."""
    parts = _modules(state).parts
    return {key: _knobs_of(part) for key, part in zip(_keys(parts), parts, strict=True)}


def move(state: State, k: int, values: Mapping[str, Sequence[float]]) -> Images:
    """Prototype k [c h w] through all modules, at these values by module, or else at 0."""
    if not 0 <= k < state.config.k:
        raise EngineError(f"k must lie between 0 and {state.config.k - 1}; got {k}")
    modules, like = _modules(state), state.prototypes
    keys = _keys(modules.parts)
    if not values.keys() <= set(keys):
        raise EngineError(f"the modules are {', '.join(keys)}; got {', '.join(values)}")
    pairs = zip(keys, modules.parts, strict=True)
    params = [_row(values.get(key, ()), part, like) for key, part in pairs]
    return modules.transform(like[k : k + 1], params)[0]


def _modules(state: State) -> Modules:
    config, like = state.config, state.prototypes
    return Modules.build(config.modules, config.canvas(*like.shape[1:]), like)


def _keys(parts: Sequence[Module]) -> list[str]:
    names = [part.name for part in parts]
    uses = [names[: m + 1].count(name) for m, name in enumerate(names)]
    return [name if use == 1 else f"{name} {use}" for name, use in zip(names, uses, strict=True)]


def _knobs_of(part: Module) -> list[Knob]:
    match part.name:
        case "affine":
            return [*STRETCH, *SHIFT]
        case "projective":
            return [*STRETCH, *SHIFT, *TILT]
        case "tps":
            return list(_bends())
        case "morphology" | "morphology-signed":
            return [("α: sharpness", "α/10", -1.0, 1.0, ""), *_window()]
        case "color-full":
            return list(_mixtures(isqrt(part.count)))
        case _:
            return list(_tints(part.count // 2))


def _bends() -> Iterator[Knob]:
    """A control point after the other: first how far each goes up, then how far left."""
    for way in ("up", "left"):
        for row, column in product(range(POINTS), repeat=2):
            yield f"row {row + 1}: point {column + 1} {way}", "u", -0.3, 0.3, HALF


def _window() -> Iterator[Knob]:
    places = range(-(WINDOW // 2), WINDOW // 2 + 1)
    for row, column in product(places, repeat=2):
        yield f"a, row {row:+d}: column {column:+d}", "a", -0.5, 0.5, ""


def _tints(channels: int) -> Iterator[Knob]:
    for what, symbol in (("weight", "w"), ("bias", "b")):
        for name in _channels(channels):
            yield f"{name} {what}".strip(), symbol, -0.5, 0.5, ""


def _mixtures(channels: int) -> Iterator[Knob]:
    """Full colours: what each channel takes of each, and what is added."""
    names = _channels(channels)
    for to, source in product(names, repeat=2):
        yield f"{to} from {source}".strip(), "M", -1.0, 1.0, ""
    for name in names:
        yield f"{name} bias".strip(), "b", -0.5, 0.5, ""


def _channels(count: int) -> tuple[str, ...]:
    return CHANNELS if count == len(CHANNELS) else ("grey",) * count


def _row(values: Sequence[float], part: Module, like: Images) -> Poses:
    if len(values) not in (0, part.count):
        raise EngineError(f"{part.name} needs {part.count} values; got {len(values)}")
    return like.new_tensor([list(values) or [0.0] * part.count])
