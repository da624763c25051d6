"""T_β = T_β^M ∘ … ∘ T_β^1 (4.1): modules one after the other, undone in reverse order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from torch import Tensor

from ia_engine.clustering.modules import MODULES, Canvas, Module
from ia_engine.errors import EngineError
from ia_engine.shapes import Images, Poses

LONGEST: Final = 8


def parse(text: str) -> tuple[str, ...]:
    """The names in a text such as "affine,morphology,tps"; none for "" and "identity"."""
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in names if name not in MODULES]
    if unknown or len(names) > LONGEST:
        got = repr(unknown[0]) if unknown else f"{len(names)} of them"
        raise EngineError(
            f"sequence needs at most {LONGEST} of {', '.join(MODULES)}, with commas; got {got}"
        )
    return () if names == ("identity",) else names


@dataclass(frozen=True, eq=False)
class Modules:
    """The modules of one sequence on one canvas."""

    parts: tuple[Module, ...]

    @classmethod
    def build(cls, names: Sequence[str], canvas: Canvas, like: Tensor) -> "Modules":
        return cls(tuple(MODULES[name](name, canvas, like) for name in names))

    def transform(self, v: Images, params: Sequence[Poses]) -> Images:
        """v through as many modules as there are parameters [n p] for."""
        for part, values in zip(self.parts, params, strict=False):
            v = part.act(v, values)
        return v

    def move(self, variances: Images, params: Sequence[Poses]) -> Images:
        """T*: what only the modules that move points do."""
        for part, values in zip(self.parts, params, strict=False):
            variances = part.act(variances, values) if part.spatial else variances
        return variances

    def unfold(self, v: Images, params: Sequence[Poses]) -> Iterator[tuple[str, Images]]:
        """v after each module, with the module's name."""
        for part, values in zip(self.parts, params, strict=False):
            v = part.act(v, values)
            yield part.name, v

    def undo(self, v: Images, params: Sequence[Poses]) -> Images:
        """Images brought back onto the prototype: the last module is undone first."""
        for part, values in reversed(list(zip(self.parts, params, strict=False))):
            v = part.undo(v, values)
        return v
